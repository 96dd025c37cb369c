import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fillColumns, pointsOf, pushApart } from "./draw";

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

type Extent = readonly [low: number, high: number];

/** What a line covers in each column of a plot of 40, as `fillColumns` fills it. */
function filled(points: readonly number[], width = 1): Map<number, Extent> {
  const found = new Map<number, Extent>();
  fillColumns(Float64Array.from(points), [0, 40], width, (left, top, wide, high) => {
    for (let column = left; column < left + wide; column++) {
      const [low, most] = found.get(column) ?? [Infinity, -Infinity];
      found.set(column, [Math.min(low, top + width / 2), Math.max(most, top + high - width / 2)]);
    }
  });
  return found;
}

/** The same, a column at a time: the heights of each piece of the line where it comes into the column and leaves it. */
function covered(points: readonly number[], column: number): Extent {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 2; k < points.length; k += 2) {
    const [x, y, nextX, nextY] = points.slice(k - 2, k + 2) as [number, number, number, number];
    if (column < Math.floor(x) || column > Math.floor(nextX)) continue;
    const at = (left: number) => y + ((nextY - y) * (left - x)) / (nextX - x);
    const heights = nextX === x ? [y, nextY] : [at(Math.max(x, column)), at(Math.min(nextX, column + 1))];
    low = Math.min(low, ...heights);
    high = Math.max(high, ...heights);
  }
  return [low, high];
}

test("in each column of the plot all is filled that the line covers, and nothing else", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(0, 0.2, 1, 1.7, 12), fc.constantFrom(0, 0, -3, 2.5, 30)), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(steps, fc.double({ min: -30, max: 10, noNaN: true }), (moves, begin) => {
      let [x, y] = [begin, 50];
      const points = [x, y, ...moves.flatMap(([right, up]) => [(x += right), (y += up)])];
      const found = filled(points);
      for (let column = Math.max(0, Math.floor(begin)); column <= Math.min(40, Math.floor(x)); column++) {
        const [low, high] = found.get(column) ?? [Number.NaN, Number.NaN];
        const [least, most] = covered(points, column);
        assert.ok(Math.abs(low - least) < 1e-6 && Math.abs(high - most) < 1e-6, `column ${column}: ${low} to ${high}, not ${least} to ${most}`);
      }
    }),
  );
});

test("what lies far outside of the plot is filled at once, and a gap is not", () => {
  let count = 0;
  fillColumns(Float64Array.of(-1e5, 0, 2, 9, 1e5, 0), [0, 40], 1, () => count++);
  assert.ok(count < 50, `${count} rectangles`);
  assert.deepEqual([...filled([3, 5, 6, 5, Number.NaN, Number.NaN, 9, 7]).keys()], [3, 4, 5, 6, 9]);
});

test("a line of more than two pixels is wider than a column", () => {
  fillColumns(Float64Array.of(3, 5, 3, 9), [0, 40], 3.4, (...its) => assert.deepEqual(its.map((each) => Math.round(each * 10)), [30, 33, 20, 74]));
});
