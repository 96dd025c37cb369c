// From rows of means to lines of a chart: which factor is the axis, which gives the lines, where a level is.

import type { Interval, MeansRow } from "./types";

/** Lines that one chart can tell apart. */
export const MOST_LINES = 8;
/** Levels that are so far apart lie on a logarithmic axis. */
const LOG_RATIO = 10;

/** The levels of a factor, in the order in which they come. */
export function levelsOf(rows: readonly MeansRow[], at: number): string[] {
  return [...new Set(rows.map((each) => each.levels[at] ?? ""))];
}

/** An axis of levels. */
export interface LevelAxis {
  /** Of "words", levels stand side by side; "symlog" begins at 0 and is logarithmic above the least level. */
  readonly scale: "linear" | "log" | "symlog" | "words";
  /** Levels from left to right. */
  readonly levels: readonly string[];
  /** Their numbers; of words 0, 1, 2 ... */
  readonly values: readonly number[];
  /** Of all numbers. */
  readonly unit: string;
}

const NUMBER = /^\s*([-+−]?[\d,]*\.?\d+(?:e[-+]?\d+)?)\s*(.*?)\s*$/i;

/** Numbers with one unit make an axis of numbers; all else is words, side by side. */
export function axisOf(levels: readonly string[]): LevelAxis {
  const read = levels.map((each) => NUMBER.exec(each));
  const units = new Set(read.map((each) => each?.[2]));
  const numbers = read.map((each) => Number((each?.[1] ?? "x").replaceAll(",", "").replace("−", "-")));
  if (levels.length < 2 || units.size !== 1 || numbers.some((each) => !Number.isFinite(each))) {
    return { scale: "words", levels, values: levels.map((_, k) => k), unit: "" };
  }
  const order = numbers.map((_, k) => k).sort((one, other) => numbers[one]! - numbers[other]!);
  const values = order.map((k) => numbers[k]!);
  return { scale: scaleOf(values), levels: order.map((k) => levels[k]!), values, unit: [...units][0] ?? "" };
}

function scaleOf(sorted: readonly number[]): LevelAxis["scale"] {
  const above = sorted.filter((each) => each > 0);
  const [least, most] = [above[0] ?? 0, above[above.length - 1] ?? 0];
  if (sorted[0]! < 0 || above.length < 2 || most / least < LOG_RATIO) return "linear";
  return sorted[0] === 0 ? "symlog" : "log";
}

/** Factors in a chart, by their place among the factors of the rows; null: none. */
export interface Roles {
  readonly axis: number | null;
  readonly lines: number | null;
}

/** The factors that a chart shows by default: a numeric one along the axis, the others as lines, those with most levels first. */
export function usualRoles(rows: readonly MeansRow[], count: number): Roles {
  const factors = Array.from({ length: count }, (_, at) => ({ at, levels: levelsOf(rows, at) }));
  const varied = factors.filter((each) => each.levels.length > 1);
  const isNumeric = (each: { levels: string[] }) => Number(axisOf(each.levels).scale !== "words");
  const order = (one: { levels: string[] }, other: { levels: string[] }) =>
    isNumeric(other) - isNumeric(one) || other.levels.length - one.levels.length;
  const [axis, ...others] = [...varied].sort(order);
  const lines = others.filter((each) => each.levels.length <= MOST_LINES).sort((one, other) => other.levels.length - one.levels.length)[0];
  return { axis: axis?.at ?? null, lines: lines?.at ?? null };
}

/** A line of a chart: a mean with its interval at each place of the axis; null where there is none. */
export interface MeansLine {
  readonly name: string;
  readonly values: readonly (Interval | null)[];
}

/**
 * @param rows with levels of the axis and, if there are lines, of the lines
 * @param metric whose means
 * @param axis of the levels at `roles.axis`
 */
export function linesOf(rows: readonly MeansRow[], metric: string, axis: LevelAxis, roles: Roles): MeansLine[] {
  const names = roles.lines === null ? [""] : levelsOf(rows, roles.lines);
  return names.map((name) => ({
    name,
    values: axis.levels.map((level) => {
      const row = rows.find(
        (each) =>
          (roles.axis === null || each.levels[roles.axis] === level) &&
          (roles.lines === null || each.levels[roles.lines] === name),
      );
      return row?.values[metric] ?? null;
    }),
  }));
}

const [NEAR, AIR] = [0.6, 0.08];

/** The ends of an axis of values: from 0, unless all values are far from it and near to each other. */
export function valueRange(values: readonly (Interval | null)[]): readonly [number, number] {
  const ends = values.flatMap((each) => (each ? [each.mean, each.lo, each.hi] : [])).filter((each): each is number => each !== null);
  if (ends.length === 0) return [0, 1];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  if (low === high) return low === 0 ? [0, 1] : low > 0 ? [0, high * (1 + AIR)] : [low * (1 + AIR), 0];
  const air = (high - low) * AIR;
  const isNear = low > 0 ? low > NEAR * high : high < NEAR * low;
  if (isNear) return [low - air, high + air];
  return [low < 0 ? low - air : 0, high > 0 ? high + air : 0];
}
