import assert from "node:assert/strict";
import { test } from "node:test";
import { percentAt, quantile } from "../figures/content";
import { Frame } from "../frame";
import { written } from "../frame.test.help";
import { distributionChart } from "./distributionChart";
import type { Distribution, RunFrame, RunHead } from "./types";

const DELAY: Distribution = {
  id: "queue_delay",
  title: "Time in the queue",
  unit: "s",
  series: [
    { name: "all packets", flow: null, x: "x", y: "y" },
    { name: "web", flow: 7, x: "x", y: "y" },
  ],
};

function run(): RunFrame {
  const head = { flows: [{ number: 3, name: "bulk" }, { number: 7, name: "web" }], distributions: [DELAY] };
  return new Frame<RunHead>(written(head, { x: [0.01, 0.02, 0.05], y: [0.25, 0.5, 1] }));
}

test("shares are in percent, and values in the unit of their axis", () => {
  const its = distributionChart(DELAY, run(), null);
  const line = its.head.panels[0]!.lines[0]!;
  assert.deepEqual([its.head.x.unit, its.head.x.high, its.head.y.high], ["ms", 50, 100]);
  assert.deepEqual([5, 10, 30, 50].map((at) => percentAt(its, line, at)), [0, 25, 50, 100]);
  assert.deepEqual([50, 95].map((percent) => quantile(its, line, percent)), [20, 50]);
});

test("flows have the colours of the panels; run A is broken", () => {
  const { series, looks } = distributionChart(DELAY, run(), run()).head;
  assert.deepEqual(series, ["B all packets", "B web", "A all packets", "A web"]);
  assert.deepEqual(looks!.map((each) => each.color), ["var(--muted)", "var(--series-2)", "var(--muted)", "var(--series-2)"]);
  assert.deepEqual(looks!.map((each) => each.dash !== undefined), [false, false, true, true]);
});
