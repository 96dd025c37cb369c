import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import { Frame } from "../frame";
import type { Range } from "../view";
import { Diagram } from "./diagram";
import { onKey } from "./keys";
import { rowAt } from "./pick";
import type { SegmentsHead } from "./types";

type Row = readonly [time: number, kind: string, low: number, high: number, again: number, lost: number];

/** A frame as the server writes it. */
function frameOf(rows: readonly Row[], duration: number): Frame<SegmentsHead> {
  const kinds = ["ack", "data", "sack", "window"];
  const columns = [
    ["time_s", "f8", Float64Array.from(rows, (row) => row[0])],
    ["kind", "u1", Uint8Array.from(rows, (row) => kinds.indexOf(row[1]))],
    ["low", "f8", Float64Array.from(rows, (row) => row[2])],
    ["high", "f8", Float64Array.from(rows, (row) => row[3])],
    ["sent_again", "u1", Uint8Array.from(rows, (row) => row[4])],
    ["lost", "u1", Uint8Array.from(rows, (row) => row[5])],
  ] as const;
  let at = 0;
  const arrays: Record<string, unknown> = {};
  for (const [name, type, values] of columns) {
    arrays[name] = { type, at, length: values.length, ...(name === "kind" ? { words: kinds } : {}) };
    at += Math.ceil(values.byteLength / 8) * 8;
  }
  const head = JSON.stringify({
    flow: "flow 1",
    connection: 0,
    connections: 1,
    window: [0, duration],
    smss_bytes: 100,
    duration_s: duration,
    arrays,
  });
  const text = new TextEncoder().encode(head.padEnd(Math.ceil(head.length / 8) * 8));
  const bytes = new Uint8Array(16 + text.length + at);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode("ALAB"));
  view.setUint32(4, text.length, true);
  view.setUint32(8, at, true);
  bytes.set(text, 16);
  for (const [name, , values] of columns) {
    const place = (arrays[name] as { at: number }).at;
    bytes.set(new Uint8Array(values.buffer), 16 + text.length + place);
  }
  return new Frame<SegmentsHead>(bytes);
}

const ROWS: Row[] = [
  [1, "data", 0, 100, 0, 0],
  [2, "data", 100, 200, 0, 1],
  [3, "data", 200, 300, 0, 0],
  [4, "ack", 100, 100, 0, 0],
  [6, "data", 100, 200, 1, 0],
  [8, "ack", 300, 300, 0, 0],
];

function setUp() {
  const [window, cursor] = [signal<Range | null>(null), signal<number | null>(null)];
  const diagram = new Diagram(window, cursor);
  diagram.onWindow = (range) => (window.value = range);
  diagram.frame.value = frameOf(ROWS, 10);
  diagram.size.value = { width: 274, height: 146, dot: 1 };
  return { diagram, window, cursor };
}

test("keys step from segment to segment, and to those that were lost or sent again", () => {
  const { diagram, cursor } = setUp();
  const picked = (key: string, shift = false) => (onKey(diagram, key, shift), diagram.picked.value);
  assert.deepEqual(
    ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"].map((key) => picked(key)),
    [0, 1, 2, 4, 4],
  );
  assert.equal(cursor.value, 6);
  assert.deepEqual(
    ["ArrowUp", "ArrowUp", "Home", "ArrowDown", "ArrowDown", "ArrowLeft", "End", "Escape"].map((key) => picked(key)),
    [1, 1, 0, 1, 4, 2, 4, -1],
  );
  assert.equal(onKey(diagram, "x", false), false);
});

test("keys zoom, move, go back, and the step goes where nothing was in sight", () => {
  const { diagram, window } = setUp();
  onKey(diagram, "+", false);
  assert.deepEqual(window.value, [2.5, 7.5]);
  onKey(diagram, "ArrowRight", true);
  assert.deepEqual(window.value, [3.75, 8.75]);
  onKey(diagram, "Home", false);
  assert.deepEqual(window.value, [0, 5]);
  onKey(diagram, "-", false);
  assert.equal(window.value, null);
  onKey(diagram, "f", false);
  assert.ok(Math.abs(window.value![0] - 0.79) < 1e-9 && Math.abs(window.value![1] - 8.21) < 1e-9);
  onKey(diagram, "0", false);
  assert.equal(window.value, null);
});

test("a turn of the wheel is one change, and Backspace goes back where there is something before", () => {
  const { diagram } = setUp();
  const changes: boolean[] = [];
  diagram.onWindow = (_, goesOn) => changes.push(goesOn);
  for (const at of [1000, 1100, 1200, 9000]) diagram.turn(0.9, 5, at);
  assert.deepEqual(changes, [false, true, true, false]);
  let backs = 0;
  onKey(diagram, "Backspace", false);
  diagram.onBack = () => (backs += 1);
  onKey(diagram, "Backspace", false);
  assert.equal(backs, 1);
});

test("the picked segment is found again in another frame", () => {
  const { diagram } = setUp();
  onKey(diagram, "End", false);
  assert.equal(diagram.picked.value, 4);
  diagram.frame.value = frameOf(ROWS.slice(3), 10);
  assert.equal(diagram.picked.value, 1);
  diagram.frame.value = frameOf(ROWS.slice(5), 10);
  assert.equal(diagram.picked.value, -1);
});

test("the pointer finds the segment under it or near it, and nothing far away", () => {
  const { diagram } = setUp();
  const sight = { time: [0, 10], bytes: [0, 400], width: 100, height: 100, dot: 1 } as const;
  const at = (x: number, y: number) => rowAt(diagram.rows.value!, sight, x, y, 8);
  assert.deepEqual([at(10, 90), at(23, 60), at(60, 66), at(41, 76), at(90, 10)], [0, 1, 4, 3, -1]);
});

test("a point of the box is a time of the run", () => {
  const { diagram } = setUp();
  const { left, right } = diagram.gutters.value;
  assert.deepEqual([diagram.timeAt(left), diagram.timeAt(274 - right), diagram.timeAt(0)], [0, 10, 0]);
});
