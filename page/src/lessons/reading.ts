// Metrics of the live run as a lesson needs them.

import { computed } from "@preact/signals";
import { live } from "../lab/session";
import type { Metric, RunFrame } from "../lab/types";
import { number } from "../units";
import type { Goal, ReadOut } from "./types";

/** The live run, once it is complete and belongs to the state that is shown; else null. */
export const complete = computed<RunFrame | null>(() => {
  const frame = live.frame.value;
  return frame && frame.head.done >= 1 && !live.stale.value ? frame : null;
});

/** A metric of a run; undefined where it has none of this name. */
export function metricOf(frame: RunFrame | null, wanted: Pick<ReadOut, "metric" | "flow">): Metric | undefined {
  if (!frame) return undefined;
  const named = (each: Metric) => each.name === wanted.metric;
  if (wanted.flow === null) return frame.head.metrics?.find(named);
  const flow = frame.head.flows.find((each) => each.name === wanted.flow);
  return frame.head.flow_metrics?.find((each) => each.flow === flow?.number)?.values.find(named);
}

/** Whether a value of a metric, in its own unit, reaches a goal. */
export function reaches(goal: Goal, value: number | null | undefined): boolean {
  if (value === null || value === undefined || !Number.isFinite(value)) return false;
  // Bounds are round in the goal's unit; a conversion must not push a value over one.
  const its = Number((value / goal.per_unit).toPrecision(12));
  return (goal.at_least === null || its >= goal.at_least) && (goal.at_most === null || its <= goal.at_most);
}

/** "at most 0.5 s". */
export function boundsText(goal: Goal): string {
  const bound = (word: string, value: number | null) => (value === null ? "" : `${word} ${inUnit(value, goal.unit)}`);
  return [bound("at least", goal.at_least), bound("at most", goal.at_most)].filter(Boolean).join(", ");
}

/** A metric as a read-out has it. */
export function textOf(wanted: ReadOut, metric: Metric | undefined): string {
  if (!metric || metric.value === null) return "–";
  return wanted.unit ? inUnit(metric.value / wanted.per_unit, wanted.unit) : metric.text;
}

function inUnit(value: number, unit: string): string {
  return unit ? `${number(value, 3)} ${unit}` : number(value, 3);
}

/** Its name, with that of its flow. */
export function nameOf(wanted: ReadOut, metric: Metric | undefined): string {
  const name = metric?.label ?? wanted.metric;
  return wanted.flow === null ? name : `${name}, ${wanted.flow}`;
}
