import assert from "node:assert/strict";
import { test } from "node:test";
import { Frame, FrameReader } from "./frame";

/** A frame by hand: x = [1.5, -2] and kind = ["data", "ack", "data"]. */
function byHand(): Uint8Array<ArrayBuffer> {
  const head = JSON.stringify({
    arrays: {
      x: { type: "f8", at: 0, length: 2 },
      kind: { type: "u1", at: 16, length: 3, words: ["data", "ack"] },
    },
    done: 0.5,
  });
  const padded = new TextEncoder().encode(head.padEnd(Math.ceil(head.length / 8) * 8));
  const bytes = new Uint8Array(16 + padded.length + 24);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode("ALAB"));
  view.setUint32(4, padded.length, true);
  view.setUint32(8, 24, true);
  bytes.set(padded, 16);
  view.setFloat64(16 + padded.length, 1.5, true);
  view.setFloat64(24 + padded.length, -2, true);
  bytes.set([0, 1, 0], 32 + padded.length);
  return bytes;
}

test("a frame gives its arrays and its words", () => {
  const frame = new Frame<{ done: number }>(byHand());
  assert.equal(frame.head.done, 0.5);
  assert.deepEqual(frame.names, ["x", "kind"]);
  assert.deepEqual([...frame.array("x")], [1.5, -2]);
  assert.deepEqual(Array.from(frame.array("kind"), (each) => frame.words("kind")[each]), ["data", "ack", "data"]);
  assert.throws(() => frame.array("y"), /no array y/);
});

test("frames come out of any pieces of a stream", () => {
  const one = byHand();
  const stream = new Uint8Array([...one, ...one, ...one]);
  for (const size of [1, 7, 16, 100, one.length, stream.length]) {
    const reader = new FrameReader();
    const frames = [];
    for (let at = 0; at < stream.length; at += size) frames.push(...reader.push(stream.subarray(at, at + size)));
    assert.deepEqual(frames.map((each) => [...each.array("x")]), [[1.5, -2], [1.5, -2], [1.5, -2]]);
  }
});

test("what is no frame is refused", () => {
  assert.throws(() => new FrameReader().push(new Uint8Array(16)), /no frame/);
  assert.throws(() => new Frame(byHand().slice(0, 40)), /cut short/);
});
