// What a line says at a time.

import type { Numbers } from "../frame";

/** The last index whose x is at most `at`; -1 if there is none. The array rises. */
export function lastAtMost(x: ArrayLike<number>, at: number): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((x[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value of a line at a time: of a step the last one, of others the nearest. NaN where there is none. */
export function valueAt(x: Numbers, y: Numbers, step: boolean, at: number): number {
  const before = lastAtMost(x, at);
  if (step || before < 0) return before < 0 ? Number.NaN : (y[before] as number);
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
