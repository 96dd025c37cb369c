import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunFrame } from "../lab/types";
import { boundsText, metricOf, reaches, textOf } from "./reading";
import type { Goal } from "./types";

const goal: Goal = { text: "", metric: "utilisation", flow: null, at_least: 99, at_most: null, unit: "%", per_unit: 0.01 };

test("a goal is reached at its bound and beyond", () => {
  assert.equal(reaches(goal, 0.9899), false);
  assert.equal(reaches(goal, 0.99), true);
  assert.equal(reaches({ ...goal, at_least: null, at_most: 140, per_unit: 0.001 }, 0.14), true);
  assert.equal(reaches({ ...goal, at_least: null, at_most: 140, per_unit: 0.001 }, 0.1401), false);
});

test("no value reaches nothing", () => {
  for (const value of [null, undefined, NaN]) assert.equal(reaches(goal, value), false);
});

test("bounds are shown in the goal's unit", () => {
  assert.equal(boundsText(goal), "at least 99 %");
  assert.equal(boundsText({ ...goal, at_least: null, at_most: 4, unit: "" }), "at most 4");
});

test("a read-out is in its unit, or as the server tells it", () => {
  const metric = { name: "utilisation", label: "Utilisation", unit: "1", value: 0.98765, text: "0.9876", shown: true };
  assert.equal(textOf(goal, metric), "98.8 %");
  assert.equal(textOf({ ...goal, unit: "" }, metric), "0.9876");
  assert.equal(textOf(goal, { ...metric, value: null }), "–");
  assert.equal(textOf(goal, undefined), "–");
});

test("a metric of a flow is found by the flow's name", () => {
  const value = (x: number) => ({ name: "rtt_s", label: "RTT", unit: "s", value: x, text: "", shown: false });
  const head = {
    metrics: [value(1)],
    flows: [{ number: 4, name: "far", group: null, flavor: "cubic" }],
    flow_metrics: [{ flow: 4, values: [value(2)] }],
  };
  const frame = { head } as unknown as RunFrame;
  assert.equal(metricOf(frame, { metric: "rtt_s", flow: null })?.value, 1);
  assert.equal(metricOf(frame, { metric: "rtt_s", flow: "far" })?.value, 2);
  assert.equal(metricOf(frame, { metric: "rtt_s", flow: "near" }), undefined);
});
