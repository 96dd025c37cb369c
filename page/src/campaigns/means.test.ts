import assert from "node:assert/strict";
import test from "node:test";
import { axisOf, levelsOf, linesOf, usualRoles, valueRange } from "./means";
import { relativeAxis } from "./relative";
import type { Interval, MeansRow } from "./types";

const interval = (mean: number, lo: number | null = mean, hi: number | null = mean): Interval => ({ mean, lo, hi, n: 5, text: String(mean) });
const rows: MeansRow[] = ["16", "2", "4"].flatMap((pairs) =>
  ["drop-tail", "RED"].map((queue, k) => ({
    levels: [pairs, queue],
    point: null,
    values: { utilisation: interval(Number(pairs) + k / 10) },
  })),
);

test("numbers with one unit lie on an axis, sorted; others are words in their order", () => {
  assert.deepEqual(axisOf(["16", "2", "4"]), { scale: "linear", levels: ["2", "4", "16"], values: [2, 4, 16], unit: "" });
  assert.deepEqual(axisOf(["1 Mbit/s", "1,000 Mbit/s"]), { scale: "log", levels: ["1 Mbit/s", "1,000 Mbit/s"], values: [1, 1000], unit: "Mbit/s" });
  assert.deepEqual(axisOf(["0", "0.01", "0.0001"]), { scale: "symlog", levels: ["0", "0.0001", "0.01"], values: [0, 0.0001, 0.01], unit: "" });
  assert.equal(axisOf(["0", "1", "2"]).scale, "linear");
  assert.equal(axisOf(["10 ms", "2 s"]).scale, "words");
  assert.deepEqual(axisOf(["red", "drop_tail"]), { scale: "words", levels: ["red", "drop_tail"], values: [0, 1], unit: "" });
  assert.equal(axisOf(["7"]).scale, "words");
});

test("a chart has numbers along its axis, and words as lines", () => {
  assert.deepEqual(usualRoles(rows, 2), { axis: 0, lines: 1 });
  assert.deepEqual(usualRoles(rows.filter((each) => each.levels[1] === "RED"), 2), { axis: 0, lines: null });
  assert.deepEqual(usualRoles([], 0), { axis: null, lines: null });
  const many = Array.from({ length: 9 }, (_, k) => ({ levels: [`f${k}`, "a"], point: k, values: {} }));
  assert.deepEqual(usualRoles([...many, { levels: ["f0", "b"], point: 9, values: {} }], 2), { axis: 0, lines: 1 });
});

test("a line has the mean of each place, and none where no row is", () => {
  const axis = axisOf(levelsOf(rows, 0));
  const some = rows.filter((each) => each.levels.join() !== "4,RED");
  const lines = linesOf(some, "utilisation", axis, { axis: 0, lines: 1 });
  assert.deepEqual(lines.map((each) => each.name), ["drop-tail", "RED"]);
  assert.deepEqual(lines.map((each) => each.values.map((value) => value?.mean ?? null)), [[2, 4, 16], [2.1, null, 16.1]]);
});

test("values begin at 0 unless they are far from it and near to each other", () => {
  assert.equal(valueRange([interval(1, 0.5, 2), null])[0], 0);
  const [low, high] = valueRange([interval(0.95), interval(0.99, 0.98, 1)]);
  assert.ok(low > 0.9 && low < 0.95 && high > 1 && high < 1.1);
  assert.deepEqual(valueRange([null]), [0, 1]);
  assert.deepEqual(valueRange([interval(0)]), [0, 1]);
  assert.equal(valueRange([interval(-3, -4, -2)])[1], 0);
});

test("a ratio near 1 is shown in percent, any other as a multiple; the axis always includes 1", () => {
  const near = relativeAxis([interval(1.1, 1.05, 1.15), null]);
  assert.ok(near.ticks.some((each) => each.text === "equal"));
  assert.ok(near.at(1) > 0 && near.at(1) < near.at(1.05) && near.at(1.15) < 1);
  const far = relativeAxis([interval(0.2, 0.1, 0.4), interval(4)]);
  assert.ok(far.ticks.some((each) => each.text === "equal") && far.ticks.some((each) => each.text.startsWith("×")));
  assert.equal(far.at(-1), 0);
  const none = relativeAxis([]);
  assert.ok(none.at(1) > 0 && none.at(1) < 1);
});
