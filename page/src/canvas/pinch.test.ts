import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Range } from "../view";
import { pinched, type Shares } from "./pinch";
import { tidy } from "./range";

const WHOLE: Range = [0, 10];

test("two fingers that go apart zoom in, and together zoom out", () => {
  assert.deepEqual(pinched([0, 10], [0.25, 0.5], [0.25, 0.75], WHOLE, 0.1), [1.25, 6.25]);
  assert.deepEqual(pinched([1.25, 6.25], [0.25, 0.75], [0.25, 0.5], WHOLE, 0.1), [0, 10]);
});

test("two fingers that keep their distance move the picture with them", () => {
  const [from, to] = pinched([4, 6], [0.2, 0.6], [0.4, 0.8], WHOLE, 0.1);
  assert.ok(Math.abs(from - 3.6) < 1e-12 && Math.abs(to - 5.6) < 1e-12);
});

test("it does not matter which finger is on the left", () => {
  assert.deepEqual(pinched([4, 6], [0.6, 0.2], [0.9, 0.1], WHOLE, 0.1), pinched([4, 6], [0.2, 0.6], [0.1, 0.9], WHOLE, 0.1));
});

test("fingers one above the other move, and zoom neither to nothing nor to all", () => {
  const [from, to] = pinched([4, 6], [0.5, 0.5], [0.25, 0.25], WHOLE, 0.1);
  assert.ok(Math.abs(from - 4.5) < 1e-12 && Math.abs(to - 6.5) < 1e-12);
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const shares = fc.tuple(share, share);
/** The left finger left of the right one, and apart. */
const apart = fc.tuple(fc.double({ min: 0, max: 0.4, noNaN: true }), fc.double({ min: 0.5, max: 1, noNaN: true }));

test("what is under a finger stays there, unless an end of the run or the shortest time hinders it", () => {
  fc.assert(
    fc.property(apart, apart, (then: Shares, now: Shares) => {
      const wide: Range = [-1000, 1000];
      const [from, to] = pinched([4, 6], then, now, wide, 1e-6);
      for (const k of [0, 1] as const) assert.ok(Math.abs(from + now[k] * (to - from) - (4 + 2 * then[k])) < 1e-9);
    }),
  );
});

test("any pinch gives a range in the run, not shorter than the shortest", () => {
  fc.assert(
    fc.property(shares, shares, (then: Shares, now: Shares) => {
      const [from, to] = pinched([1, 2], then, now, WHOLE, 0.5);
      assert.ok(from >= 0 && to <= 10 && to - from >= 0.5 - 1e-9);
    }),
  );
});

test("tidy rounds the ends of a part, keeps it inside the run, and gives null for the whole run", () => {
  assert.deepEqual(tidy([1.234_567, 3.345_678], 10), [1.235, 3.346]);
  assert.deepEqual(tidy([-1, 1], 10), [0, 2]);
  assert.equal(tidy([0, 9.995], 10), null);
  const [from, to] = tidy([5, 5], 10)!;
  assert.ok(Math.abs(to - from - 1e-7) < 1e-9);
});
