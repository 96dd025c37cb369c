// What a figure says at a place: its means with their intervals, or shares of all values.

import { lastAtMost } from "../panels/lookup";
import { number } from "../units";
import type { ChartFrame, LineHead } from "./types";

/** A mean, or a step of a line of shares. */
export interface Place {
  readonly panel: number;
  readonly line: LineHead;
  readonly row: number;
}

/** The means of the series that are shown: panel after panel, series after series. */
export function meansOf(frame: ChartFrame, hidden: ReadonlySet<number>): Place[] {
  return frame.head.panels.flatMap(({ lines }, panel) =>
    lines
      .filter((line) => !hidden.has(line.series))
      .flatMap((line) => Array.from(frame.array(line.y), (_, row) => ({ panel, line, row }))),
  );
}

export function withUnit(value: number, unit: string): string {
  const text = number(value, 4);
  return unit && text !== "–" ? `${text} ${unit}` : text;
}

/** A mean in words: "12.3 Mbit/s, interval 11.9 to 12.7 Mbit/s, n = 10". */
export function meanText(frame: ChartFrame, { line, row }: Place): string {
  const { unit } = frame.head.y;
  const parts = [withUnit(valueOf(frame, line.y, row), unit)];
  const [lo, hi] = [valueOf(frame, line.lo, row), valueOf(frame, line.hi, row)];
  if (Number.isFinite(lo) && Number.isFinite(hi)) parts.push(`interval ${number(lo)} to ${withUnit(hi, unit)}`);
  const n = valueOf(frame, line.n, row);
  if (Number.isFinite(n)) parts.push(`n = ${number(n)}`);
  return parts.join(", ");
}

/** The name of a series; a number alone says nothing: "Pairs 8". */
export function seriesText({ heading, series }: ChartFrame["head"], number: number): string {
  const name = series[number] ?? "";
  return heading && /^[\d.]/.test(name) ? `${heading} ${name}` : name;
}

export function levelText(frame: ChartFrame, { line, row }: Place): string {
  return frame.head.levels[valueOf(frame, line.levels, row)] ?? "";
}

export function valueOf(frame: ChartFrame, array: string | undefined, row: number): number {
  return array === undefined ? Number.NaN : (frame.array(array)[row] ?? Number.NaN);
}

/** The percent of all values up to `at`, or above it. */
export function percentAt(frame: ChartFrame, line: LineHead, at: number): number {
  const x = frame.array(line.x);
  const row = lastAtMost(x, at);
  if (row < 0) return frame.head.rises ? 0 : 100;
  return valueOf(frame, line.y, row);
}

/** The least value of a line that `percent` of all do not exceed. */
export function quantile(frame: ChartFrame, line: LineHead, percent: number): number {
  const [x, y] = [frame.array(line.x), frame.array(line.y)];
  for (let row = 0; row < y.length; row++) {
    const up = frame.head.rises ? (y[row] as number) : 100 - (y[row] as number);
    // Shares are of 32 bits.
    if (up >= percent - 1e-5) return x[row] as number;
  }
  return Number.NaN;
}
