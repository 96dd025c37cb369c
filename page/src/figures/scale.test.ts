import assert from "node:assert/strict";
import { test } from "node:test";
import { shareOf, spaced, ticksOf, valueAt } from "./scale";
import type { AxisHead } from "./types";

const axis = (its: Partial<AxisHead>): AxisHead => ({
  label: "", unit: "", scale: "linear", low: 0, high: 10, ticks: [], linear_below: 0, ...its,
});
const AXES = [
  axis({}),
  axis({ scale: "log", low: 0.5, high: 2000 }),
  axis({ scale: "symlog", low: 0, high: 300, linear_below: 3 }),
  axis({ scale: "words", low: -0.5, high: 2.5 }),
];

test("a place and its value are the inverse of each other", () => {
  for (const each of AXES) {
    for (const share of [0, 0.1, 0.5, 0.9, 1]) {
      assert.ok(Math.abs(shareOf(each, valueAt(each, share)) - share) < 1e-9);
    }
  }
});

test("a logarithmic axis has a number in each decade", () => {
  const [, log] = AXES;
  assert.deepEqual(ticksOf(log!, [], 5).map((each) => each.text), ["1", "10", "100", "1000"]);
});

test("an axis that begins at 0 and is logarithmic above has both", () => {
  const texts = ticksOf(AXES[2]!, [], 8).map((each) => each.text);
  assert.equal(texts[0], "0");
  assert.ok(texts.includes("100"));
});

test("less than a decade still has two numbers", () => {
  assert.ok(ticksOf(axis({ scale: "log", low: 12, high: 18 }), [], 5).length >= 2);
});

test("given numbers are kept, and words stand at whole places", () => {
  assert.deepEqual(ticksOf(axis({ ticks: [1, 5] }), [], 5).map((each) => each.at), [1, 5]);
  assert.deepEqual(ticksOf(AXES[3]!, ["reno", "sack", "bbr"], 5).map((each) => each.text), ["reno", "sack", "bbr"]);
});

test("texts that would touch are left away", () => {
  const all = [1, 2, 4, 64].map((at) => ({ at, text: String(at) }));
  assert.deepEqual(spaced(all, ({ text }) => 10 * text.length, (at) => 6 * at).map((each) => each.at), [1, 4, 64]);
  assert.deepEqual(spaced(all, () => 5, (at) => 6 * at), all);
});
