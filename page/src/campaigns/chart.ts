// Means of a campaign or of a job as a figure.

import type { AxisHead, ChartFrame, LineHead } from "../figures/types";
import { scaleFor } from "../units";
import { valueRange, type LevelAxis, type MeansLine } from "./means";

/** Lines stand aside of each other where the levels are words: a line's share of a level, and of all lines together. */
const [ASIDE, ALL_ASIDE] = [0.12, 0.6];
/** Air beside the first and the last level, a share of the axis. */
const AIR = 0.04;

export interface MeansChart {
  readonly title: string;
  readonly unit: string;
  readonly axis: LevelAxis;
  readonly axisName: string;
  /** What the lines are levels of. */
  readonly heading: string;
  readonly lines: readonly MeansLine[];
  readonly target?: { readonly name: string; readonly y: number };
}

/** The means against the levels of the axis, with their intervals. */
export function chartOf({ title, unit, axis, axisName, heading, lines, target }: MeansChart): ChartFrame {
  const targets = target ? [{ mean: target.y, lo: null, hi: null, text: "" }] : [];
  const [low, high] = valueRange([...lines.flatMap((each) => each.values), ...targets]);
  const found = scaleFor(unit === "1" ? "" : unit, Math.max(Math.abs(low), Math.abs(high)) / 2);
  const scaled = (value: number | null | undefined) => (value ?? Number.NaN) * found.factor;
  const arrays = new Map<string, number[]>();
  const heads = lines.map((line, number): LineHead => {
    const rows = line.values.flatMap((value, level) => (value && value.mean !== null ? [{ value, level }] : []));
    const columns = {
      x: rows.map(({ level }) => axis.values[level]! + aside(axis, number, lines.length)),
      y: rows.map(({ value }) => scaled(value.mean)),
      levels: rows.map(({ level }) => level),
      lo: rows.map(({ value }) => scaled(value.lo)),
      hi: rows.map(({ value }) => scaled(value.hi)),
      n: rows.map(({ value }) => value.n ?? Number.NaN),
    };
    const names = Object.entries(columns).map(([name, values]) => {
      arrays.set(`${number}${name}`, values);
      return [name, `${number}${name}`];
    });
    return { series: number, ...(Object.fromEntries(names) as Record<keyof typeof columns, string>) };
  });
  return {
    head: {
      kind: "chart",
      of: "means",
      title: `${title} against ${axisName}`,
      source: "",
      x: axisHead(axis, axisName),
      y: { label: withUnit(title, found.unit), unit: found.unit, scale: "linear", low: low * found.factor, high: high * found.factor, ticks: [], linear_below: 0 },
      heading,
      series: lines.map((each) => each.name),
      levels: axis.levels,
      above: "",
      rises: true,
      panels: [{ title: "", lines: heads }],
      ...(target && { target: { name: target.name, y: target.y * found.factor } }),
    },
    array: (name) => arrays.get(name) ?? [],
  };
}

function aside(axis: LevelAxis, number: number, count: number): number {
  return axis.scale === "words" ? (number - (count - 1) / 2) * Math.min(ASIDE, ALL_ASIDE / count) : 0;
}

function axisHead({ scale, values, unit }: LevelAxis, name: string): AxisHead {
  const [first, last] = [values[0] ?? 0, values[values.length - 1] ?? 1];
  const least = values.find((each) => each > 0) ?? 1;
  const head = { label: withUnit(name, unit), unit, scale, ticks: scale === "words" ? [] : values, linear_below: scale === "symlog" ? least : 0 };
  if (scale === "words") return { ...head, low: -0.5, high: values.length - 0.5 };
  if (scale === "linear") return { ...head, low: first - AIR * (last - first), high: last + AIR * (last - first) };
  const air = (last / least) ** AIR;
  // Below its least level, "symlog" is even.
  return { ...head, low: scale === "log" ? first / air : -least * (air - 1), high: last * air };
}

function withUnit(label: string, unit: string): string {
  return unit ? `${label} (${unit})` : label;
}
