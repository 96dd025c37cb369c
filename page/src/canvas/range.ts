// Ranges of an axis, and how keys, wheel and mouse change them.

import type { Range } from "../view";

/** The place of the first of the ascending values that is at least `value`; their number if none is. */
export function firstFrom(values: ArrayLike<number>, value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the first of the ascending values that is greater than `value`. */
export function firstAfter(values: ArrayLike<number>, value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The shortest time that a picture can show, s: short enough to separate the packets of the fastest links. */
export const LEAST_S = 1e-7;
/** So much of a run is all of it. */
const ALL = 0.999;

/** A part of a run that ends at `end`, with its ends rounded to three digits or so of its length; null: all of it. */
export function tidy(range: Range, end: number): Range | null {
  const [from, to] = within([range[0], Math.max(range[1], range[0] + LEAST_S)], [0, end]);
  if (to - from >= end * ALL) return null;
  const digits = Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(to - from))));
  return [Number(from.toFixed(digits)), Number(to.toFixed(digits))];
}

/** The range moved into `whole`, and no longer than it. */
export function within(range: Range, whole: Range): Range {
  const length = Math.min(range[1] - range[0], whole[1] - whole[0]);
  const from = Math.min(Math.max(range[0], whole[0]), whole[1] - length);
  return [from, from + length];
}

/** `factor` times as long, with `around` at the same place of the picture; not shorter than `least`. */
export function zoomed(range: Range, factor: number, around: number, whole: Range, least: number): Range {
  const length = range[1] - range[0];
  const next = Math.max(length * factor, least);
  const share = (around - range[0]) / length;
  return within([around - share * next, around + (1 - share) * next], whole);
}

/** Moved by a share of its length. */
export function moved(range: Range, share: number, whole: Range): Range {
  const by = (range[1] - range[0]) * share;
  return within([range[0] + by, range[1] + by], whole);
}

/** The same range if `value` is in it; else moved, so that it comes in from the side where it was. */
export function shows(range: Range, value: number, whole: Range): Range {
  const length = range[1] - range[0];
  if (value < range[0]) return within([value - 0.3 * length, value + 0.7 * length], whole);
  if (value > range[1]) return within([value - 0.7 * length, value + 0.3 * length], whole);
  return range;
}
