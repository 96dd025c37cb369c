import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { transport, type Order } from "../client";
import { written } from "../frame.test.help";
import { Picture } from "./picture";

const plain = transport.fetch;
afterEach(() => void (transport.fetch = plain));

/** Pictures are shown when the test says so, and answers are frames that it sends. */
function answering(): { send: (call: number, done: number) => void; paint: () => void } {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const waiting: (() => void)[] = [];
  Object.assign(globalThis, { requestAnimationFrame: (show: () => void) => waiting.push(show) });
  transport.fetch = async (_, init) => {
    const body = new ReadableStream<Uint8Array>({ start: (its) => void streams.push(its) });
    const stream = streams.at(-1)!;
    init.signal?.addEventListener("abort", () => stream.error(init.signal?.reason));
    return new Response(body);
  };
  return {
    send: (call, done) => streams[call]!.enqueue(written({ kind: "run", done, call })),
    paint: () => waiting.splice(0).forEach((show) => show()),
  };
}

async function soon(): Promise<void> {
  for (let k = 0; k < 20; k++) await new Promise((resolve) => setImmediate(resolve));
}

function order(rate: number): Order {
  const state = { scenario: "slow_start", source: null, sets: [`rate=${rate}`], point: 0, replication: 0 };
  return { state, show: ["cwnd"], flows: null, link: null, window: null, width: 900 };
}

const callOf = (picture: Picture) => (picture.frame.value?.head as unknown as { call: number }).call;

test("a picture that came between two orders is one of an earlier state", async () => {
  const its = answering();
  const picture = new Picture("B");
  picture.ask(order(1));
  await soon();
  picture.ask(order(2));
  its.send(0, 0.5);
  await soon();
  its.paint();
  assert.deepEqual([callOf(picture), picture.stale.value], [0, true]);
  await soon();
  its.send(1, 0.5);
  await soon();
  its.paint();
  assert.deepEqual([callOf(picture), picture.stale.value], [1, false]);
  picture.clear();
});

test("so is one that waits for the screen while a newer order comes", async () => {
  const its = answering();
  const picture = new Picture("B");
  picture.ask(order(1));
  await soon();
  its.send(0, 0.5);
  await soon();
  picture.ask(order(2));
  its.paint();
  assert.deepEqual([callOf(picture), picture.stale.value], [0, true]);
  picture.clear();
});
