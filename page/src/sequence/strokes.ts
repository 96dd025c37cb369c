// From rows to what is drawn: strokes that touch in a column of pixels are one, and lines keep what a column can show.

import { firstFrom } from "../canvas/range";
import type { Range } from "../view";
import { ACK, DATA, SACK, WINDOW, type Segments } from "./segments";

/** The part of the diagram that is in sight, and the size of the picture in pixels of the screen. */
export interface Sight {
  readonly time: Range;
  readonly bytes: Range;
  readonly width: number;
  readonly height: number;
  /** Pixels of the screen in one of the page's. */
  readonly dot: number;
}

/** Vertical strokes: the column of each, its ends from above, and how many rows it stands for. */
export interface Strokes {
  readonly column: number[];
  readonly top: number[];
  readonly bottom: number[];
  readonly rows: number[];
}

/** Corners of a line: x, y, x, y ... */
export type Line = number[];

export interface Drawing {
  readonly data: Strokes;
  readonly again: Strokes;
  readonly lost: Strokes;
  readonly sack: Strokes;
  /** ACKs that acknowledge nothing new. */
  readonly duplicate: Strokes;
  readonly ack: Line;
  readonly window: Line;
  /** Rows in sight. */
  readonly rows: number;
}

/** Least heights, in pixels of the page. One segment that was sent again must be seen in a picture of megabytes. */
const LEAST = { data: 1, again: 7, sack: 1.5, lost: 7, duplicate: 2 };
/** Of so few rows, each segment is to be seen too. */
const FEW = { rows: 1500, least: 3 };

export const toX = (sight: Sight, time: number): number =>
  ((time - sight.time[0]) / (sight.time[1] - sight.time[0])) * sight.width;
export const toY = (sight: Sight, bytes: number): number =>
  ((sight.bytes[1] - bytes) / (sight.bytes[1] - sight.bytes[0])) * sight.height;

/** Collects strokes in order of their columns. */
export class Merger {
  readonly strokes: Strokes = { column: [], top: [], bottom: [], rows: [] };
  #column = -1;
  #open: [top: number, bottom: number, rows: number][] = [];

  add(column: number, top: number, bottom: number): void {
    if (column !== this.#column) this.flush();
    this.#column = column;
    const last = this.#open[this.#open.length - 1];
    if (last && top <= last[1] + 1 && bottom >= last[0] - 1) {
      last[0] = Math.min(last[0], top);
      last[1] = Math.max(last[1], bottom);
      last[2] += 1;
    } else {
      this.#open.push([top, bottom, 1]);
    }
  }

  /** Writes the strokes of the column. */
  flush(): void {
    if (this.#open.length > 1) this.#open.sort((a, b) => a[0] - b[0]);
    let under: [number, number, number] | undefined;
    for (const stroke of this.#open) {
      if (under && stroke[0] <= under[1] + 1) {
        under[1] = Math.max(under[1], stroke[1]);
        under[2] += stroke[2];
      } else {
        if (under) this.#write(under);
        under = stroke;
      }
    }
    if (under) this.#write(under);
    this.#open = [];
  }

  #write([top, bottom, rows]: readonly [number, number, number]): void {
    const { strokes } = this;
    strokes.column.push(this.#column);
    strokes.top.push(top);
    strokes.bottom.push(bottom);
    strokes.rows.push(rows);
  }
}

/** Collects a line of steps, with at most the first, least, greatest and last value of a column. */
export class Steps {
  readonly line: Line = [];
  #column = NaN;
  #values: [first: number, least: number, greatest: number, last: number] | undefined;

  add(column: number, y: number): void {
    if (column !== this.#column) {
      this.#flush();
      this.#column = column;
      const before = this.line.at(-1) ?? y;
      this.line.push(column, before);
      this.#values = [before, y, y, y];
    } else if (this.#values) {
      this.#values[1] = Math.min(this.#values[1], y);
      this.#values[2] = Math.max(this.#values[2], y);
      this.#values[3] = y;
    }
  }

  /** Ends at a column, with the last value. */
  end(column: number): Line {
    this.#flush();
    if (this.line.length > 0 && column > this.line.at(-2)!) this.line.push(column, this.line.at(-1)!);
    return this.line;
  }

  #flush(): void {
    if (!this.#values) return;
    const [first, least, greatest, last] = this.#values;
    if (least < Math.min(first, last)) this.line.push(this.#column, least);
    if (greatest > Math.max(first, last)) this.line.push(this.#column, greatest);
    if (this.line.at(-1) !== last) this.line.push(this.#column, last);
    this.#values = undefined;
  }
}

/** What of the rows is drawn. */
export function drawing(rows: Segments, sight: Sight): Drawing {
  const [from, to] = rows.rows(sight.time);
  const [data, again, lost, sack, duplicate] = Array.from({ length: 5 }, () => new Merger()) as [
    Merger,
    Merger,
    Merger,
    Merger,
    Merger,
  ];
  const [ack, window] = [new Steps(), new Steps()];
  let highest = begin(rows, rows.acks, from, sight, ack);
  begin(rows, rows.windows, from, sight, window);
  const { dot } = sight;
  const least = to - from < FEW.rows ? FEW.least : LEAST.data;
  for (let row = from; row < to; row += 1) {
    const column = Math.floor(toX(sight, rows.time[row]!));
    const [top, bottom] = [toY(sight, rows.high[row]!), toY(sight, rows.low[row]!)];
    switch (rows.kind[row]) {
      case DATA:
        if (rows.sentAgain[row]) stretched(again, column, top, bottom, LEAST.again * dot);
        else stretched(data, column, top, bottom, least * dot);
        if (rows.lost[row]) stretched(lost, column, (top + bottom) / 2, (top + bottom) / 2, LEAST.lost * dot);
        break;
      case ACK:
        if (rows.high[row]! <= highest) stretched(duplicate, column, top, top, LEAST.duplicate * dot);
        highest = Math.max(highest, rows.high[row]!);
        ack.add(column, toY(sight, highest));
        break;
      case SACK:
        stretched(sack, column, top, bottom, LEAST.sack * dot);
        break;
      case WINDOW:
        window.add(column, top);
        break;
    }
  }
  for (const each of [data, again, lost, sack, duplicate]) each.flush();
  const end = Math.min(sight.width, Math.ceil(toX(sight, rows.time[rows.count - 1] ?? sight.time[1])));
  return {
    data: data.strokes,
    again: again.strokes,
    lost: lost.strokes,
    sack: sack.strokes,
    duplicate: duplicate.strokes,
    ack: ack.end(end),
    window: window.end(end),
    rows: to - from,
  };
}

/** The value with which a line comes in from the left, if it has one. */
function begin(rows: Segments, of: Int32Array, from: number, sight: Sight, line: Steps): number {
  const row = rows.lastBefore(of, from);
  if (row < 0) return -1;
  line.add(0, toY(sight, rows.high[row]!));
  return rows.high[row]!;
}

/** A stroke at least so high, about the same middle. */
function stretched(merger: Merger, column: number, top: number, bottom: number, least: number): void {
  const more = Math.max(0, least - (bottom - top)) / 2;
  merger.add(column, top - more, bottom + more);
}

/** Strokes and corners: how much a drawing draws. */
export function drawn(drawing: Drawing): number {
  const strokes = [drawing.data, drawing.again, drawing.lost, drawing.sack, drawing.duplicate];
  return strokes.reduce((sum, each) => sum + each.column.length, 0) + (drawing.ack.length + drawing.window.length) / 2;
}

/** The receive window is in sight if it ends at most so much of the data's height above them. */
const WINDOW_ROOM = 0.4;
const ROOM = 0.05;

/** The bytes to show for a range of time: from the ACK to the highest segment, and the receive window if it is near. */
export function bytesInSight(rows: Segments, time: Range): Range {
  const [from, to] = rows.rows(time);
  const acked = rows.lastBefore(rows.acks, from);
  let [low, high] = [Infinity, -Infinity];
  if (acked >= 0) low = high = rows.acknowledged[firstFrom(rows.acks, acked)]!;
  for (let row = from; row < to; row += 1) {
    if (rows.kind[row] === WINDOW) continue;
    low = Math.min(low, rows.low[row]!);
    high = Math.max(high, rows.high[row]!);
  }
  if (!(high > low)) [low, high] = Number.isFinite(low) ? [low - 1, high + 1] : [0, 1];
  const window = rows.lastBefore(rows.windows, to);
  const end = window < 0 ? high : rows.high[window]!;
  const room = ROOM * (high - low);
  const top = end > high && end <= high + WINDOW_ROOM * (high - low) ? end : high;
  return [low - room, top + room];
}
