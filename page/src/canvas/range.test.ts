import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Range } from "../view";
import { firstAfter, firstFrom, moved, shows, within, zoomed } from "./range";

test("places among ascending values", () => {
  const values = [1, 2, 2, 5];
  assert.deepEqual(
    [0, 1, 2, 3, 6].map((value) => firstFrom(values, value)),
    [0, 0, 1, 3, 4],
  );
  assert.deepEqual(
    [0, 1, 2, 3, 6].map((value) => firstAfter(values, value)),
    [0, 1, 3, 3, 4],
  );
});

test("zooming keeps the point under the pointer, and stays in the run", () => {
  assert.deepEqual(zoomed([0, 10], 0.5, 2, [0, 10], 0.1), [1, 6]);
  assert.deepEqual(zoomed([1, 6], 2, 2, [0, 10], 0.1), [0, 10]);
  assert.deepEqual(zoomed([4, 6], 2, 4, [0, 10], 0.1), [4, 8]);
  const [from, to] = zoomed([4, 4.2], 0.1, 4.1, [0, 10], 0.1);
  assert.ok(Math.abs(to - from - 0.1) < 1e-12);
});

test("moving ends at the ends of the run", () => {
  assert.deepEqual(moved([2, 4], 0.5, [0, 10]), [3, 5]);
  assert.deepEqual(moved([8, 9], 5, [0, 10]), [9, 10]);
  assert.deepEqual(within([-5, 25], [0, 10]), [0, 10]);
});

test("a value out of sight comes in, one in sight moves nothing", () => {
  const range: Range = [4, 6];
  assert.equal(shows(range, 4.01, [0, 10]), range);
  assert.deepEqual(shows(range, 7, [0, 10]), [5.6, 7.6]);
  assert.deepEqual(shows(range, 1, [0, 10]), [0.4, 2.4]);
});

test("any zoom and move gives a range in the run", () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      part,
      part,
      part,
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      fc.double({ min: -9, max: 9, noNaN: true }),
      (a, b, c, factor, share) => {
        const from = Math.min(a, b) * 10;
        const range: Range = [from, Math.max(from + 1e-3, Math.max(a, b) * 10)];
        const whole: Range = [0, 10.001];
        for (const [low, high] of [
          zoomed(range, factor, range[0] + c * (range[1] - range[0]), whole, 1e-3),
          moved(range, share, whole),
        ]) {
          assert.ok(low >= -1e-9 && high <= 10.001 + 1e-9 && high > low);
        }
      },
    ),
  );
});
