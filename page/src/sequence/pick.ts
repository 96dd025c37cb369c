// Which row is meant: by a point of the picture, or by a step from another one.

import { toX, toY, type Sight } from "./strokes";
import { ACK, DATA, type Segments } from "./segments";
import { firstAfter, firstFrom } from "../canvas/range";

/** The row under a point of the picture, or next to it within `reach` pixels: data before ACKs; -1 if there is none. */
export function rowAt(rows: Segments, sight: Sight, x: number, y: number, reach: number): number {
  const timeOf = (column: number) => sight.time[0] + (column / sight.width) * (sight.time[1] - sight.time[0]);
  const [from, to] = [firstFrom(rows.time, timeOf(x - reach)), firstAfter(rows.time, timeOf(x + reach))];
  let [best, least] = [-1, reach * reach];
  for (let row = from; row < to; row += 1) {
    const kind = rows.kind[row];
    if (kind !== DATA && kind !== ACK) continue;
    const [top, bottom] = [toY(sight, rows.high[row]!), toY(sight, rows.low[row]!)];
    const [right, down] = [toX(sight, rows.time[row]!) - x, Math.max(top - y, 0, y - bottom)];
    // An ACK lies on the line of ACKs, which data may cross: it must be nearer.
    const distance = (right * right + down * down) * (kind === ACK ? 2 : 1);
    if (distance < least) [best, least] = [row, distance];
  }
  return best;
}

/** Whether a segment was sent again or lost: what one looks for. */
export const isTrouble = (rows: Segments, row: number): boolean => rows.sentAgain[row] === 1 || rows.lost[row] === 1;

/** The next row of data in a direction that `wanted` accepts; `row` itself if there is none. */
export function stepped(
  rows: Segments,
  row: number,
  by: 1 | -1,
  wanted: (row: number) => boolean = () => true,
): number {
  for (let each = row + by; each >= 0 && each < rows.count; each += by) {
    if (rows.kind[each] === DATA && wanted(each)) return each;
  }
  return row;
}

/** The row of data that was sent at or next after a time, or the last one; -1 if there are no data. */
export function dataFrom(rows: Segments, time: number): number {
  const row = stepped(rows, firstFrom(rows.time, time) - 1, 1);
  if (rows.kind[row] === DATA) return row;
  const before = stepped(rows, rows.count, -1);
  return before < rows.count ? before : -1;
}
