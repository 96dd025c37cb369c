import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Segments } from "./segments";
import { bytesInSight, drawing, drawn, Merger, Steps, type Sight } from "./strokes";

type Row = readonly [time: number, kind: string, low: number, high: number, again?: number, lost?: number];

function segments(...rows: Row[]): Segments {
  const column = (at: number) => rows.map((row) => (row[at] as number | undefined) ?? 0);
  return new Segments(
    column(0),
    rows.map((row) => row[1]),
    column(2),
    column(3),
    column(4),
    column(5),
  );
}

/** 10 s in 100 columns, 1,000 bytes in 100 pixels. */
const SIGHT: Sight = { time: [0, 10], bytes: [0, 1000], width: 100, height: 100, dot: 1 };

test("a segment is a stroke from its first to its last byte", () => {
  const its = drawing(segments([1, "data", 100, 300]), SIGHT);
  assert.deepEqual(its.data, { column: [10], top: [70], bottom: [90], rows: [1] });
  assert.equal(its.rows, 1);
});

test("strokes that touch in a column are one, others are not", () => {
  const its = drawing(
    segments([1, "data", 100, 200], [1.01, "data", 200, 300], [1.02, "data", 600, 700], [2, "data", 300, 400]),
    SIGHT,
  );
  assert.deepEqual(its.data, { column: [10, 10, 20], top: [30, 70, 60], bottom: [40, 90, 70], rows: [1, 2, 1] });
});

test("a stroke that closes a gap joins both sides", () => {
  const its = drawing(segments([1, "data", 100, 200], [1.01, "data", 400, 500], [1.02, "data", 200, 400]), SIGHT);
  assert.deepEqual(its.data, { column: [10], top: [50], bottom: [90], rows: [3] });
});

test("what was sent again and what was lost are apart, and never too small to see", () => {
  const its = drawing(segments([1, "data", 500, 501, 1], [2, "data", 500, 501, 0, 1]), SIGHT);
  assert.equal(its.again.column.length, 1);
  assert.equal(its.again.bottom[0]! - its.again.top[0]!, 7);
  assert.equal(its.lost.bottom[0]! - its.lost.top[0]!, 7);
  // A lost segment is data too.
  assert.deepEqual([its.data.column, its.data.bottom[0]! - its.data.top[0]!], [[20], 3]);
});

test("the ACK is a line of steps that comes in from the left; one that says nothing new is a tick", () => {
  const rows = segments(
    [0.5, "data", 0, 500],
    [1, "ack", 100, 100],
    [4, "ack", 300, 300],
    [6, "ack", 300, 300],
    [8, "ack", 500, 500],
  );
  const its = drawing(rows, { ...SIGHT, time: [2, 10], width: 80 });
  assert.deepEqual(its.ack, [0, 90, 20, 90, 20, 70, 40, 70, 60, 70, 60, 50]);
  assert.deepEqual(its.duplicate.column, [40]);
});

test("an older ACK that was overtaken does not lower the line", () => {
  const its = drawing(segments([1, "ack", 500, 500], [2, "ack", 300, 300]), SIGHT);
  assert.ok(its.ack.filter((_, at) => at % 2 === 1).every((y) => y === 50));
});

test("a line keeps first, least, greatest and last of a column", () => {
  const steps = new Steps();
  for (const y of [50, 20, 90, 60]) steps.add(3, y);
  steps.add(5, 10);
  assert.deepEqual(steps.end(9), [3, 50, 3, 20, 3, 90, 3, 60, 5, 60, 5, 10, 9, 10]);
});

test("in sight are the bytes from the ACK to the highest segment, and the receive window where it is near", () => {
  const rows = segments(
    [0, "ack", 0, 0],
    [0, "window", 1200, 1200],
    [1, "data", 0, 1000],
    [2, "ack", 1000, 1000],
    [2, "window", 9000, 9000],
    [2, "data", 1000, 2000],
  );
  assert.deepEqual(bytesInSight(rows, [0, 1.5]), [-50, 1250]);
  assert.deepEqual(bytesInSight(rows, [1.9, 3]), [-100, 2100]);
  // Nothing happens: the ACK line stays in the middle.
  assert.deepEqual(bytesInSight(rows, [4, 5]), [998.9, 1001.1]);
  assert.deepEqual(bytesInSight(segments(), [4, 5]), [-0.05, 1.05]);
});

const stroke = fc.record({
  column: fc.integer({ min: 0, max: 20 }),
  top: fc.integer({ min: 0, max: 60 }),
  height: fc.integer({ min: 1, max: 20 }),
});
const inOrder = fc.array(stroke, { maxLength: 80 }).map((list) => list.sort((a, b) => a.column - b.column));

test("merging covers the same pixels, keeps the extremes of every column and counts every row", () => {
  fc.assert(
    fc.property(inOrder, (list) => {
      const merger = new Merger();
      for (const { column, top, height } of list) merger.add(column, top, top + height);
      merger.flush();
      const its = merger.strokes;
      const covered = (strokes: readonly (readonly [number, number, number])[]) => {
        const pixels = new Set<string>();
        for (const [column, top, bottom] of strokes) for (let y = top; y < bottom; y += 1) pixels.add(`${column} ${y}`);
        return pixels;
      };
      const given = covered(list.map(({ column, top, height }) => [column, top, top + height]));
      const got = covered(its.column.map((column, at) => [column, its.top[at]!, its.bottom[at]!]));
      for (const pixel of given) assert.ok(got.has(pixel));
      // What is covered besides is a gap of one pixel.
      for (const pixel of got) {
        const [column, y] = pixel.split(" ").map(Number) as [number, number];
        assert.ok(given.has(pixel) || (given.has(`${column} ${y - 1}`) && given.has(`${column} ${y + 1}`)));
      }
      assert.equal(
        its.rows.reduce((sum, each) => sum + each, 0),
        list.length,
      );
      for (const column of new Set(list.map((each) => each.column))) {
        const here = list.filter((each) => each.column === column);
        const at = its.column.flatMap((each, place) => (each === column ? [place] : []));
        assert.equal(Math.min(...at.map((place) => its.top[place]!)), Math.min(...here.map((each) => each.top)));
        assert.equal(
          Math.max(...at.map((place) => its.bottom[place]!)),
          Math.max(...here.map((each) => each.top + each.height)),
        );
        for (let place = 1; place < at.length; place += 1)
          assert.ok(its.top[at[place]!]! > its.bottom[at[place - 1]!]! + 1);
      }
    }),
  );
});

test("a line of steps has at most five corners a column, all extremes, and ends with the last value", () => {
  const value = fc.record({ column: fc.integer({ min: 0, max: 12 }), y: fc.integer({ min: 0, max: 50 }) });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 100 }), (given) => {
      const list = given.sort((a, b) => a.column - b.column);
      const steps = new Steps();
      for (const { column, y } of list) steps.add(column, y);
      const line = steps.end(20);
      const corners = Array.from({ length: line.length / 2 }, (_, at) => [line[2 * at]!, line[2 * at + 1]!] as const);
      let before = list[0]!.y;
      for (const column of new Set(list.map((each) => each.column))) {
        const here = corners.filter(([x]) => x === column).map(([, y]) => y);
        const ys = [before, ...list.filter((each) => each.column === column).map((each) => each.y)];
        assert.ok(here.length <= 5);
        assert.deepEqual([Math.min(...here), Math.max(...here)], [Math.min(...ys), Math.max(...ys)]);
        before = ys.at(-1)!;
      }
      assert.deepEqual(corners.at(-1), [20, list.at(-1)!.y]);
      for (let at = 1; at < corners.length; at += 1) {
        const [a, b] = [corners[at - 1]!, corners[at]!];
        assert.ok(a[0] <= b[0] && (a[0] === b[0] || a[1] === b[1]), "steps only go across or up and down");
      }
    }),
  );
});

test("200,000 rows become few strokes, fast enough to follow a drag", () => {
  const times = Float64Array.from({ length: 200_000 }, (_, at) => (at / 200_000) * 30);
  const [kinds, bytes] = [["data", "ack"], Float64Array.from(times, (time) => Math.floor(time * 1e4) * 100)];
  const zeros = new Uint8Array(times.length);
  const rows = new Segments(
    times,
    { numbers: Uint8Array.from(times, (_, at) => at % 2), words: kinds },
    bytes,
    bytes.map((each, at) => each + (at % 2 ? 0 : 1448)),
    zeros,
    zeros,
  );
  const sight: Sight = { time: [0, 30], bytes: bytesInSight(rows, [0, 30]), width: 1200, height: 400, dot: 1 };
  const costs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    const its = drawing(rows, sight);
    const { user, system } = process.cpuUsage(before);
    assert.equal(its.rows, 200_000);
    assert.ok(drawn(its) < 12 * 1200, `${drawn(its)} strokes`);
    return (user + system) / 1000;
  });
  // Processor time, since a machine may be busy: about 20 ms.
  assert.ok(Math.min(...costs) < 100, `${costs.join(", ")} ms`);
});
