// Counts, lengths of time and dates in words.

import { number } from "./units";

/** "1 run", "3 runs". */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${number(count, 9)} ${count === 1 ? one : several}`;
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
