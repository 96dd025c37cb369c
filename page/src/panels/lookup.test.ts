import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { greatest, lastAtMost, valueAt } from "./lookup";

const rising = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 20 }).map((each) => Float64Array.from(each.sort((a, b) => a - b)));

test("the last index is found as by looking at each", () => {
  fc.assert(
    fc.property(rising, fc.integer({ min: -5, max: 55 }), (x, at) => {
      assert.equal(lastAtMost(x, at), x.filter((each) => each <= at).length - 1);
    }),
  );
});

test("a step holds its value, another line tells the nearest", () => {
  const line = { x: Float64Array.of(1, 2, 4), y: Float64Array.of(10, 20, 40), until: 9 };
  assert.deepEqual([0, 1, 3.9, 9].map((at) => valueAt({ ...line, step: true }, at)), [Number.NaN, 10, 20, 40]);
  assert.deepEqual([1.4, 1.6, 3.1, 9].map((at) => valueAt({ ...line, step: false }, at)), [10, 20, 40, 40]);
});

test("after its end a line has no value", () => {
  const line = { x: Float64Array.of(1, 2), y: Float64Array.of(10, 20), until: 5 };
  for (const step of [true, false]) assert.deepEqual([5, 5.1].map((at) => valueAt({ ...line, step }, at)), [20, Number.NaN]);
});

test("the greatest number is a finite one", () => {
  assert.equal(greatest(Float64Array.of(1, Number.NaN, 7, Infinity)), 7);
  assert.equal(greatest(new Float64Array()), 0);
});
