import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { frames, getJson, Gone, postFile, Refused, Run, server, takeToken, type Order } from "./client";
import { written } from "./frame.test.help";

interface Call {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly token: string | null;
  readonly signal: AbortSignal | null;
  readonly send: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly end: () => void;
}

const plainFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = plainFetch;
  server.value = "there";
});

/** Answers are streams that the test fills. */
function streaming(): Call[] {
  const calls: Call[] = [];
  globalThis.fetch = async (path, init) => {
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({ start: (its) => void (controller = its) });
    const signal = init?.signal ?? null;
    signal?.addEventListener("abort", () => controller.error(signal.reason));
    calls.push({
      path: String(path),
      body: JSON.parse(String(init?.body ?? "{}")) as Record<string, unknown>,
      token: new Headers(init?.headers).get("Authorization"),
      signal,
      send: (bytes) => controller.enqueue(bytes),
      end: () => controller.close(),
    });
    return new Response(body);
  };
  return calls;
}

/** An answer that is there at once. */
function answering(status: number, body: string | null, headers: Record<string, string> = {}): void {
  globalThis.fetch = async () => new Response(body, { status, headers });
}

async function soon(): Promise<void> {
  for (let k = 0; k < 20; k++) await new Promise((resolve) => setImmediate(resolve));
}

function order(rate: number): Order {
  const state = { scenario: "slow_start", source: null, sets: [`rate=${rate}`], point: 0, replication: 0 };
  return { state, show: ["cwnd"], flows: null, link: null, window: null, width: 900 };
}

function running(): { run: Run<{ n: number }>; shown: number[]; errors: Error[] } {
  const shown: number[] = [];
  const errors: Error[] = [];
  const run = new Run<{ n: number }>("B", {
    onFrame: (frame) => shown.push(frame.head.n),
    onError: (error) => errors.push(error),
  });
  return { run, shown, errors };
}

test("the token is taken out of the fragment, and what follows it is the address", () => {
  assert.equal(takeToken("#token=abc&to=/lab/yours/mine"), "#/lab/yours/mine");
  assert.equal(takeToken("#token=abc"), "#/");
  assert.equal(takeToken("#/lab/slow_start?set=token=1"), "#/lab/slow_start?set=token=1");
});

test("calls bear the token", async () => {
  takeToken("#token=secret");
  const calls = streaming();
  void frames("/api/run", {}, () => undefined);
  await soon();
  assert.equal(calls[0]?.token, "Bearer secret");
});

test("frames come out of the pieces of an answer", async () => {
  const calls = streaming();
  const shown: number[] = [];
  const all = frames<{ n: number }>("/api/run", {}, (frame) => shown.push(frame.head.n));
  await soon();
  const [one, two] = [written({ n: 1 }, { x: [1, 2] }), written({ n: 2 })];
  calls[0]!.send(one.slice(0, 20));
  await soon();
  assert.deepEqual(shown, []);
  calls[0]!.send(new Uint8Array([...one.slice(20), ...two]));
  calls[0]!.end();
  assert.equal(await all, true);
  assert.deepEqual(shown, [1, 2]);
});

test("204 says that a newer order came", async () => {
  answering(204, null);
  assert.equal(await frames("/api/run", {}, () => assert.fail("there is no frame")), false);
});

test("a refusal has the server's sentences", async () => {
  answering(422, JSON.stringify({ problems: [{ message: "too large", key: "topology.rate", line: null }] }));
  await assert.rejects(getJson("/api/about"), (error: Refused) => error.status === 422 && error.problems[0]?.key === "topology.rate");
  answering(500, "<html>");
  await assert.rejects(getJson("/api/about"), (error: Refused) => /status 500/.test(error.message));
});

test("a server that is gone is looked for until it is there", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.fetch = async () => {
    throw new TypeError("failed");
  };
  await assert.rejects(getJson("/api/scenarios"), Gone);
  assert.equal(server.value, "gone");
  context.mock.timers.tick(2000);
  await soon();
  assert.equal(server.value, "gone");
  answering(200, "{}");
  context.mock.timers.tick(2000);
  await soon();
  assert.equal(server.value, "there");
});

test("a wrong token is told apart", async () => {
  answering(401, "{}");
  await assert.rejects(getJson("/api/about"), Refused);
  assert.equal(server.value, "no token");
});

test("a file has the name that the server gives it", async () => {
  answering(200, "a,b", { "Content-Disposition": 'attachment; filename="red-0.csv"' });
  const { blob, name } = await postFile("/api/export/csv", {});
  assert.deepEqual([name, await blob.text()], ["red-0.csv", "a,b"]);
});

test("the newest order wins, and each that is begun shows its first picture", async () => {
  const calls = streaming();
  const { run, shown } = running();
  for (const rate of [1, 2, 3]) run.ask(order(rate));
  await soon();
  assert.equal(calls.length, 1, "one is under way at most");
  calls[0]!.send(written({ n: 1 }));
  await soon();
  assert.deepEqual(calls.map((each) => each.body.sets), [["rate=1"], ["rate=3"]]);
  assert.ok(calls[0]!.signal?.aborted, "the first is stopped as soon as its picture is there");
  assert.ok(Number(calls[1]!.body.order) > Number(calls[0]!.body.order));
  assert.equal(calls[1]!.body.slot, calls[0]!.body.slot);
  calls[1]!.send(written({ n: 3 }));
  calls[1]!.end();
  await soon();
  assert.deepEqual(shown, [1, 3]);
});

test("a run that is not replaced shows all of its pictures", async () => {
  const calls = streaming();
  const { run, shown } = running();
  run.ask(order(1));
  await soon();
  for (const n of [1, 2, 3]) calls[0]!.send(written({ n }));
  calls[0]!.end();
  await soon();
  assert.deepEqual(shown, [1, 2, 3]);
  assert.equal(calls.length, 1);
});

test("a newer order waits for a silent run only so long", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const calls = streaming();
  const { run, errors } = running();
  run.ask(order(1));
  await soon();
  run.ask(order(2));
  await soon();
  assert.equal(calls.length, 1);
  context.mock.timers.tick(1000);
  await soon();
  assert.equal(calls.length, 2);
  assert.deepEqual(errors, [], "why the first one ended is nobody's business");
});

test("a stopped run shows nothing more and tells no error", async () => {
  const calls = streaming();
  const { run, shown, errors } = running();
  run.ask(order(1));
  await soon();
  run.stop();
  await soon();
  assert.ok(calls[0]!.signal?.aborted);
  assert.deepEqual([shown, errors], [[], []]);
});

test("the error of the newest order is told, and the next one is run", async () => {
  answering(422, JSON.stringify({ problems: [{ message: "too large", key: null, line: null }] }));
  const { run, shown, errors } = running();
  run.ask(order(1));
  await soon();
  assert.equal(errors[0]?.message, "too large");
  const calls = streaming();
  run.ask(order(2));
  await soon();
  calls[0]!.send(written({ n: 2 }));
  await soon();
  assert.deepEqual(shown, [2]);
});
