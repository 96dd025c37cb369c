// Scales of sliders: where the thumb is, and what number that means.

import type { Slider } from "./types";

/** Places of the thumb, from 0. */
export const PLACES = 1000;

export interface Span {
  readonly low: number;
  readonly high: number;
  readonly scale: "log" | "linear";
  /** Distance of two numbers of a linear scale; 0: whatever suits. */
  readonly step: number;
}

/** The span of a slider for numbers; null for one that has none. */
export function spanOf(slider: Slider): Span | null {
  const { low, high } = slider;
  if (typeof low !== "number" || typeof high !== "number" || !(high > low)) return null;
  const scale = slider.scale === "log" && low > 0 ? "log" : "linear";
  return { low, high, scale, step: slider.step ?? 0 };
}

/** The place of a number. What lies outside is at the end. */
export function placeOf(value: number, span: Span): number {
  const { low, high } = span;
  const inside = Math.min(high, Math.max(low, value));
  const share = span.scale === "log" ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
  return Math.round(share * PLACES);
}

/** The number at a place: a round one, and the ends exactly. */
export function valueAt(place: number, span: Span): number {
  const { low, high } = span;
  if (place <= 0) return low;
  if (place >= PLACES) return high;
  const share = place / PLACES;
  if (span.scale === "log") return clamp(round(low * (high / low) ** share, 2), span);
  return snapped(low + share * (high - low), span);
}

/** The next number from here, as the arrow keys choose it; `by` is -1, 1, or more for a larger step. */
export function stepped(value: number, by: number, span: Span): number {
  const { low, high } = span;
  if (span.scale === "log") {
    // A twentieth of a decade up or down, and at least one unit of the second digit.
    const next = round(value * 10 ** (by / 20), 2);
    const unit = 10 ** (Math.floor(Math.log10(Math.max(value, Number.MIN_VALUE))) - 1);
    return clamp(next === value ? round(value + Math.sign(by) * unit, 3) : next, span);
  }
  const step = span.step || (high - low) / 100;
  return snapped(value + by * step, span);
}

function snapped(value: number, span: Span): number {
  const step = span.step || (span.high - span.low) / PLACES;
  return clamp(Number((span.low + Math.round((value - span.low) / step) * step).toPrecision(12)), span);
}

function clamp(value: number, { low, high }: Span): number {
  return Math.min(high, Math.max(low, value));
}

function round(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}
