import assert from "node:assert/strict";
import test from "node:test";
import type { Cell } from "./types";
import { insideOf, placeOf, placeText, verdictOf } from "./verdicts";

const cell = (published: number | null, mean: number | null, lo: number | null = mean, hi: number | null = mean): Cell => ({
  one_run: lo === null || hi === null ? null : [lo, hi],
  published,
  published_text: String(published),
  ours: mean === null ? null : { mean, lo: mean, hi: mean, text: String(mean) },
  unit: "1",
  point: null,
  note: "",
});

test("a printed number is where one of our runs may be, or ours is above or below it", () => {
  assert.equal(placeOf(cell(1, 1.1, 1, 1.2)), "inside");
  assert.equal(placeOf(cell(1, 1.1, 1.01, 1.2)), "above");
  assert.equal(placeOf(cell(1, 0.8, 0.7, 0.9)), "below");
  assert.equal(placeOf(cell(null, 1)), null);
  assert.equal(placeOf(cell(1, null)), null);
  assert.equal(placeOf(cell(1, 1.1, null, null)), null);
});

test("the words say how far ours is", () => {
  assert.equal(placeText(cell(0.5, 0.6, 0.58, 0.62)), "20 % above");
  assert.equal(placeText(cell(-0.2, -0.3, -0.31, -0.29)), "50 % below");
  assert.equal(placeText(cell(2, 7)), "× 3.5");
  assert.equal(placeText(cell(0, 0.04, 0.02, 0.06)), "above");
  assert.equal(placeText(cell(100, 100.4, 100.3, 100.5)), "< 1 % above");
  assert.equal(placeText(cell(1, 1)), "inside");
  assert.equal(placeText(cell(1, 1.1, null, null)), "10 % above");
  assert.equal(placeText(cell(1, null)), "");
});

test("only what can be compared is counted", () => {
  assert.deepEqual(insideOf([cell(1, 1), cell(1, 2), cell(null, 2), null]), { inside: 1, of: 2 });
});

test("a claim without a verdict was not run", () => {
  const claim = { id: "a", text: "", source: "", p: "", reached: "", why: "" };
  assert.deepEqual(["holds", "does not hold", "undecided", null, "?"].map((verdict) => verdictOf({ ...claim, verdict })), ["holds", "does not hold", "undecided", "not run", "not run"]);
});
