import assert from "node:assert/strict";
import { test } from "node:test";
import { numberOf, setOf, textOf, withSet } from "./sets";

const rate = { key: "rate", label: "Rate", kind: "quantity", unit: "Mbit/s", value: 10, help: "" } as const;

test("a key is set once, keeps its place, and can be taken out", () => {
  const sets = withSet(withSet(["a=1", "a.b=2"], "c", "3 ms"), "a", "x=y");
  assert.deepEqual(sets, ["a=x=y", "a.b=2", "c=3 ms"]);
  assert.equal(setOf(sets, "a"), "x=y");
  assert.equal(setOf(sets, "b"), null);
  assert.deepEqual(withSet(sets, "a", null), ["a.b=2", "c=3 ms"]);
  assert.equal(setOf(["a=1", "a=2"], "a"), "2");
});

test("a slider writes and reads its own unit only", () => {
  assert.equal(textOf(rate, 12.5), "12.5 Mbit/s");
  assert.equal(numberOf(rate, "12.5 Mbit/s"), 12.5);
  assert.equal(numberOf(rate, "12.5Mbit/s"), 12.5);
  assert.equal(numberOf(rate, "12.5 kbit/s"), null);
  assert.equal(numberOf(rate, "= a * 2"), null);
  assert.equal(numberOf({ ...rate, unit: null }, "4"), 4);
});
