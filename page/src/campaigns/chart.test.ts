import assert from "node:assert/strict";
import test from "node:test";
import { levelText, meansOf, meanText, seriesText } from "../figures/content";
import { shareOf } from "../figures/scale";
import { chartOf, type MeansChart } from "./chart";
import { axisOf } from "./means";
import type { Interval } from "./types";

const interval = (mean: number | null, lo: number | null = mean, hi: number | null = mean): Interval => ({ mean, lo, hi, n: 5, text: String(mean) });
const chart = (its: Partial<MeansChart> = {}) =>
  chartOf({
    title: "Goodput",
    unit: "bit/s",
    axis: axisOf(["1 ms", "10 ms", "100 ms"]),
    axisName: "Delay",
    heading: "Queue",
    lines: [{ name: "RED", values: [interval(2e6, 1e6, 3e6), null, interval(null)] }, { name: "CoDel", values: [interval(8e6), interval(9e6), interval(7e6)] }],
    ...its,
  });
const NOTHING_HIDDEN = new Set<number>();

test("values have the unit of their axis, and what has no mean has no point", () => {
  const its = chart();
  assert.equal(its.head.y.label, "Goodput (Mbit/s)");
  assert.equal(its.head.x.label, "Delay (ms)");
  const means = meansOf(its, NOTHING_HIDDEN);
  assert.deepEqual(means.map((each) => [each.line.series, levelText(its, each)]), [[0, "1 ms"], [1, "1 ms"], [1, "10 ms"], [1, "100 ms"]]);
  assert.equal(meanText(its, means[0]!), "2 Mbit/s, interval 1 to 3 Mbit/s, n = 5");
});

test("all levels lie on the axis, with air beside them", () => {
  for (const levels of [["1 ms", "10 ms", "100 ms"], ["0", "0.001", "0.1"], ["1", "2", "4"], ["red", "codel", "fq"]]) {
    const { x } = chart({ axis: axisOf(levels) }).head;
    const shares = axisOf(levels).values.map((each) => shareOf(x, each));
    assert.ok(shares[0]! > 0 && shares[2]! < 1 && shares[0]! < shares[1]! && shares[1]! < shares[2]!, `${levels.join()}: ${shares.join()}`);
  }
});

test("of words, lines stand aside of each other", () => {
  const its = chart({ axis: axisOf(["red", "codel", "fq"]) });
  const [one, other] = its.head.panels[0]!.lines.map((line) => its.array(line.x)[0]!);
  assert.ok(one! < 0 && other! > 0);
});

test('a series whose name is a number shows what it counts: "Pairs 8"', () => {
  const values = [interval(1), interval(2), interval(3)];
  const { head } = chart({ heading: "Pairs", lines: [{ name: "8", values }, { name: "many", values }] });
  assert.deepEqual([seriesText(head, 0), seriesText(head, 1)], ["Pairs 8", "many"]);
});

test("a target is in sight, in the unit of the axis", () => {
  const { target, y } = chart({ target: { name: "20 Mbit/s", y: 2e7 } }).head;
  assert.deepEqual(target, { name: "20 Mbit/s", y: 20 });
  assert.ok(y.high > 20);
});
