import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pointsOf, pushApart } from "./draw";

const same = (value: number) => value;

function drawn(x: readonly number[], y: readonly number[], step: boolean, until = x.at(-1) ?? 0): number[] {
  return [...pointsOf({ x: Float64Array.from(x), y: Float64Array.from(y), step, until }, same, same, 1)];
}

test("a step holds its value until the next, and to the end", () => {
  assert.deepEqual(drawn([0, 10, 20, 30], [5, 5, 8, 8], true), [0, 5, 20, 5, 20, 8, 30, 8]);
});

test("the last value of a step goes on until it holds no more; other lines end at their last point", () => {
  assert.deepEqual(drawn([0, 10], [5, 8], true, 50), [0, 5, 10, 5, 10, 8, 50, 8]);
  assert.deepEqual(drawn([0, 10], [5, 8], false, 50), [0, 5, 10, 8, 10, 8]);
});

test("other lines go from point to point", () => {
  assert.deepEqual(drawn([0, 10, 20], [5, 7, 7], false), [0, 5, 10, 7, 20, 7, 20, 7]);
});

test("what is not seen is not drawn", () => {
  assert.deepEqual(drawn([0, 0.1, 0.2, 30], [5, 5.1, 5.2, 9], true), [0, 5, 30, 5, 30, 9, 30, 9]);
});

test("a gap ends a line and begins another", () => {
  const nan = Number.NaN;
  assert.deepEqual(drawn([0, 10, 20, 30], [5, nan, 6, 6], true), [0, 5, 0, 5, nan, nan, 20, 6, 30, 6]);
  assert.deepEqual(drawn([0, 1], [nan, nan], true), []);
});

test("a drawn step is never farther from the value than what is seen", () => {
  const values = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(values, (y) => {
      const points = drawn(y.map((_, k) => k), y, true);
      for (let k = 0; k < y.length; k++) {
        let height = Number.NaN;
        for (let at = 0; at < points.length; at += 2) if ((points[at] as number) <= k) height = points[at + 1] as number;
        assert.ok(Math.abs(height - (y[k] as number)) < 0.4);
      }
    }),
  );
});

test("names do not touch, and their letters are inside of the picture", () => {
  const pushed = (all: number[]) => {
    const ends = all.map((at) => ({ at }));
    pushApart(ends, 1, [0, 100]);
    return ends.map((each) => each.at);
  };
  assert.deepEqual(pushed([50]), [50]);
  assert.deepEqual(pushed([100]), [93]);
  assert.deepEqual(pushed([-5, 2]), [4, 18]);
  assert.deepEqual(pushed([98, 99, 100]), [65, 79, 93]);
});
