import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { journeysOf } from "./byhand.test";
import { barOf, bundled, picture, queueOf, spotOf, type Bar } from "./marks";

const LANE = { x: 0, y: 0, along: [1, 0], aside: [0, -1], length: 140, queue: 40 } as const;
const look = { flow: 0, thin: false, again: false, marked: false };

test("a packet is a bar from its last to its first bit, and never too short to see", () => {
  const its = journeysOf([
    { offered: 0, left: 1, arrived: 3 },
    { offered: 4, left: 4.001, arrived: 6.001, bytes: 1 },
  ]);
  const { from, to } = barOf(its, LANE, 0, 1.5);
  // A pixel of gap shows where one packet ends and the next begins.
  assert.deepEqual([from, to], [66, 115]);
  const short = barOf(its, LANE, 1, 5);
  assert.ok(Math.abs(short.to - short.from - 3) < 1e-9);
});

test("the next packet lies at the end of the queue; a full queue fills it", () => {
  const its = journeysOf([
    { offered: 0, left: 1, arrived: 3 },
    { offered: 0, left: 2, arrived: 4 },
    { offered: 0, left: 3, arrived: 5, again: 1 },
  ]);
  const queue = queueOf(its, LANE, [1, 2], 2, 10);
  assert.deepEqual(
    queue.bars.map((bar) => [bar.from, bar.to, bar.row]),
    [
      [32, 39, 1],
      [24, 31, 2],
    ],
  );
  assert.equal(queue.limit, undefined);
  const full = queueOf(its, LANE, [1, 2], 2, 2);
  assert.equal(full.limit, 24);
  assert.deepEqual(
    full.bars.map((bar) => bar.look.again),
    [false, true],
  );
});

test("a long queue says how many packets a bar is, and one that was sent again is still seen", () => {
  const its = journeysOf(
    Array.from({ length: 131 }, (_, at) => ({ offered: 0, left: at + 1, arrived: at + 3, again: at === 77 ? 1 : 0 })),
  );
  const waiting = Array.from({ length: 130 }, (_, at) => at + 1);
  const queue = queueOf(its, LANE, waiting, 130, 130);
  assert.equal(queue.scale, 10);
  assert.equal(queue.bars.length, 13);
  assert.equal(
    queue.bars.reduce((sum, bar) => sum + bar.packets, 0),
    130,
  );
  assert.deepEqual(
    queue.bars.flatMap((bar, at) => (bar.look.again ? [at] : [])),
    [7],
  );
  assert.ok(queue.bars.every((bar) => bar.from >= 0 && bar.to > bar.from));
});

test("packets that are closer than a pixel are one bar", () => {
  const bars: Bar[] = [0, 3.5, 4, 20].map((from, row) => ({ from, to: from + 3, look, row, packets: 1 }));
  assert.deepEqual(
    bundled(bars).map(({ from, to, packets }) => [from, to, packets]),
    [
      [0, 7, 3],
      [20, 23, 1],
    ],
  );
});

test("bundling keeps every packet, the extremes, and what looks different", () => {
  const bar = fc.record({
    from: fc.integer({ min: 0, max: 200 }),
    length: fc.integer({ min: 3, max: 9 }),
    flow: fc.integer({ min: 0, max: 2 }),
    again: fc.boolean(),
    marked: fc.boolean(),
    thin: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(bar, { maxLength: 60 }), (list) => {
      const bars: Bar[] = list.map(({ from, length, ...its }, row) => ({
        from,
        to: from + length,
        look: its,
        row,
        packets: 1,
      }));
      const got = bundled(bars);
      assert.equal(
        got.reduce((sum, each) => sum + each.packets, 0),
        bars.length,
      );
      for (const given of bars) {
        assert.ok(
          got.some(
            (each) =>
              each.from <= given.from &&
              each.to >= given.to &&
              JSON.stringify(each.look) === JSON.stringify(given.look),
          ),
        );
      }
      if (bars.length > 0) {
        assert.equal(Math.min(...got.map((each) => each.from)), Math.min(...bars.map((each) => each.from)));
        assert.equal(Math.max(...got.map((each) => each.to)), Math.max(...bars.map((each) => each.to)));
      }
      // Those that were sent again lie above.
      const firstAgain = got.findIndex((each) => each.look.again);
      assert.ok(firstAgain < 0 || got.slice(firstAgain).every((each) => each.look.again));
    }),
  );
});

test("a picture says how many packets its bars are, and where one of them is", () => {
  const its = journeysOf([
    { offered: 0, left: 1, arrived: 3 },
    { offered: 0, left: 2, arrived: 4 },
    { offered: 0, left: 3, arrived: 5 },
  ]);
  const scene = its.at(1.5, 0);
  const drawn = picture(its, scene, [LANE], [null], 1.5);
  assert.deepEqual([drawn.moving, drawn.bars, drawn.queue[0]!.waiting], [2, 2, 1]);
  assert.equal(spotOf(its, scene, [LANE], drawn, 0, 1.5), 90.5);
  assert.equal(
    spotOf(its, scene, [LANE], drawn, 2, 1.5),
    (drawn.queue[0]!.bars[0]!.from + drawn.queue[0]!.bars[0]!.to) / 2,
  );
  assert.equal(spotOf(its, scene, [LANE], drawn, 2, 9), undefined);
});
