// How full a queue is over time, for the time bar.

import { firstAfter, firstFrom } from "../canvas/range";
import type { Range } from "../view";
import type { Journeys } from "./journeys";

/** The most packets that wait for a link in each of `columns` equal parts of a range of time. */
export function occupancy(journeys: Journeys, link: number, [from, to]: Range, columns: number): number[] {
  const { rows, start, gone } = journeys;
  const most = new Array<number>(columns).fill(0);
  const came: number[] = [];
  const went: number[] = [];
  for (let row = 0; row < journeys.count; row += 1) {
    if (rows.link[row] !== link || !(start[row]! > rows.offered[row]!) || !(gone[row]! > rows.offered[row]!)) continue;
    came.push(rows.offered[row]!);
    went.push(start[row]!);
  }
  went.sort((a, b) => a - b);
  let in_ = firstFrom(came, from);
  let out = firstAfter(went, from);
  for (let column = 0; column < columns; column += 1) {
    const end = from + ((column + 1) / columns) * (to - from);
    most[column] = in_ - out;
    while (in_ < came.length && came[in_]! < end) {
      while (out < went.length && went[out]! <= came[in_]!) out += 1;
      in_ += 1;
      most[column] = Math.max(most[column]!, in_ - out);
    }
    while (out < went.length && went[out]! <= end) out += 1;
  }
  return most;
}
