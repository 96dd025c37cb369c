// What a line says at a time.

import { firstAfter } from "../canvas/range";
import type { Numbers } from "../frame";
import type { Line } from "./chart";

/** The last index whose x is at most `at`; -1 if there is none. The array rises. */
export function lastAtMost(x: ArrayLike<number>, at: number): number {
  return firstAfter(x, at) - 1;
}

type Valued = Pick<Line, "x" | "y" | "step" | "until">;

/** The value of a line at a time: of a step the last one, of others the nearest. NaN where there is none, and after its end. */
export function valueAt({ x, y, step, until }: Valued, at: number): number {
  const before = lastAtMost(x, at);
  if (before < 0 || at > until) return Number.NaN;
  if (step) return y[before] as number;
  const after = Math.min(before + 1, x.length - 1);
  const nearest = (x[after] as number) - at < at - (x[before] as number) ? after : before;
  return y[nearest] as number;
}

/** The greatest finite number; 0 of none. */
export function greatest(y: Numbers): number {
  let top = 0;
  for (let k = 0; k < y.length; k++) {
    const value = y[k] as number;
    if (value > top && value !== Infinity) top = value;
  }
  return top;
}
