// Counts, instants, lengths of time and dates in words.

import { decimalsOf, number } from "./units";

const COUNT = new Intl.NumberFormat("en-US");

/** All digits of a whole number: 43,440. */
export function digits(count: number): string {
  return COUNT.format(count);
}

/** "1 run", "3 runs". */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${digits(count)} ${count === 1 ? one : several}`;
}

/** 1st, 2nd, 11th. */
export function ordinal(value: number): string {
  const tens = value % 100;
  return `${value}${(tens < 11 || tens > 13 ? ["th", "st", "nd", "rd"][value % 10] : undefined) ?? "th"}`;
}

/** Decimals of an instant: microseconds, and nanoseconds where they tell two of them apart. */
const DECIMALS = { least: 6, most: 9 };

/** A point in time, s: 3.021345 s. */
export function instant(time: number, decimals = DECIMALS.least): string {
  return `${time.toFixed(decimals)} s`;
}

/** How many decimals tell ascending instants apart. */
export function decimalsOfInstants(times: readonly number[]): number {
  let gap = Infinity;
  for (let k = 1; k < times.length; k++) {
    const its = times[k]! - times[k - 1]!;
    if (its > 0 && its < gap) gap = its;
  }
  return Math.min(DECIMALS.most, Math.max(DECIMALS.least, decimalsOf(gap)));
}

const LENGTHS: readonly (readonly [least: number, seconds: number, unit: string])[] = [
  [2 * 3600, 3600, "h"],
  [100, 60, "min"],
  [0, 1, "s"],
];

/** A length of real time, coarse: "8 s", "3 min", "2.5 h". */
export function lasting(seconds: number): string {
  const [, each, unit] = LENGTHS.find(([least]) => seconds >= least) ?? [0, 1, "s"];
  const value = Math.max(seconds, 1) / each;
  return `${number(value, value < 10 && unit === "h" ? 2 : Math.max(2, String(Math.round(value)).length))} ${unit}`;
}

/** A date and time as they are here: "2026-01-31 10:00". */
export function when(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A label inside of a sentence: "Queue limit" as "queue limit", but "TCP flavor" as it is. */
export function inside(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** Texts as one enumeration: "a, b and c". */
export function enumerated(texts: readonly string[]): string {
  if (texts.length < 2) return texts[0] ?? "";
  return `${texts.slice(0, -1).join(", ")} and ${texts[texts.length - 1]}`;
}
