// Scales of axes: from a value to its share of the axis, and where numbers stand.

import { number, ticks as roundValues } from "../units";
import type { AxisHead } from "./types";

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** What is below the threshold of "symlog" is as long as so many decades, as in the printed figure. */
const BELOW = 10 / 9;

/** How a value is moved along the axis before it is drawn evenly. */
function along(axis: AxisHead, value: number): number {
  if (axis.scale === "log") return Math.log(value);
  if (axis.scale !== "symlog") return value;
  const from = axis.linear_below;
  const size = Math.abs(value);
  return Math.sign(value) * (size <= from ? (BELOW * size) / from : BELOW + Math.log10(size / from));
}

/** The place of a value: 0 at the beginning of the axis, 1 at its end. */
export function shareOf(axis: AxisHead, value: number): number {
  const low = along(axis, axis.low);
  return (along(axis, value) - low) / (along(axis, axis.high) - low);
}

/** The value at a place. */
export function valueAt(axis: AxisHead, share: number): number {
  const low = along(axis, axis.low);
  const at = low + share * (along(axis, axis.high) - low);
  if (axis.scale === "log") return Math.exp(at);
  if (axis.scale !== "symlog") return at;
  const size = Math.abs(at);
  return Math.sign(at) * axis.linear_below * (size <= BELOW ? size / BELOW : 10 ** (size - BELOW));
}

/** Numbers along an axis that has room for about `most` of them. */
export function ticksOf(axis: AxisHead, words: readonly string[], most: number): Tick[] {
  if (axis.scale === "words") return words.map((text, at) => ({ at, text }));
  const values = axis.ticks.length ? axis.ticks : found(axis, most);
  const seen = values.filter((each) => shareOf(axis, each) > -0.001 && shareOf(axis, each) < 1.001);
  return seen.map((at) => ({ at, text: number(at, 6) }));
}

/** Those of the ticks, from left to right, whose texts do not touch: `room` is what a text needs, `place` where a value is. */
export function spaced(all: readonly Tick[], room: (tick: Tick) => number, place: (at: number) => number): Tick[] {
  let end = -Infinity;
  return all.filter((tick) => {
    const half = room(tick) / 2;
    const middle = place(tick.at);
    if (middle - half < end) return false;
    end = middle + half;
    return true;
  });
}

function found(axis: AxisHead, most: number): number[] {
  if (axis.scale === "linear") return roundValues(axis.low, axis.high, most);
  const low = axis.scale === "log" ? axis.low : axis.linear_below;
  const tens = [];
  for (let k = Math.floor(Math.log10(low)); 10 ** k <= axis.high * 1.000_001; k++) tens.push(k);
  const decades = Math.log10(axis.high / low);
  // 1, 2 and 5 of each decade where there are few, else as many powers of ten as fit.
  const steps = decades * 3 <= most ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(tens.length / most));
  const values = tens.filter((k) => k % every === 0).flatMap((k) => steps.map((step) => Number((step * 10 ** k).toPrecision(3))));
  // Less than a decade may have none of these.
  if (values.filter((each) => each >= axis.low && each <= axis.high).length < 2) return roundValues(axis.low, axis.high, most);
  return axis.scale === "symlog" ? [0, ...values.filter((each) => each >= low)] : values;
}
