// The rows of a time-sequence diagram, as its sender sees them.

import { firstAfter, firstFrom } from "../canvas/range";
import type { Frame } from "../frame";
import type { Range } from "../view";
import type { SegmentsHead } from "./types";

/** What a row is about: the sender sends data; an ACK comes; it reports a range by SACK; the receive window ends elsewhere. */
export const DATA = 0;
export const ACK = 1;
export const SACK = 2;
export const WINDOW = 3;
const KINDS = ["data", "ack", "sack", "window"];

/** The columns, in order of time. Bytes of the stream count from 0; of an ACK and of a window both are its end. */
export class Segments {
  readonly count: number;
  readonly kind: Uint8Array;
  /** The rows of ACKs and of windows. */
  readonly acks: Int32Array;
  readonly windows: Int32Array;
  /** For each row of `acks`, the highest ACK so far. */
  readonly acknowledged: Float64Array;

  constructor(
    readonly time: ArrayLike<number>,
    kinds: readonly string[] | { readonly numbers: ArrayLike<number>; readonly words: readonly string[] },
    readonly low: ArrayLike<number>,
    readonly high: ArrayLike<number>,
    readonly sentAgain: ArrayLike<number>,
    readonly lost: ArrayLike<number>,
    readonly reason: (row: number) => string = () => "",
  ) {
    this.count = time.length;
    this.kind = numbered(kinds);
    this.acks = rowsOf(this.kind, ACK);
    this.windows = rowsOf(this.kind, WINDOW);
    let highest = 0;
    this.acknowledged = Float64Array.from(this.acks, (row) => (highest = Math.max(highest, high[row]!)));
  }

  static of(frame: Frame<SegmentsHead>): Segments {
    const reasons = frame.names.includes("reason") ? frame.array("reason") : undefined;
    const words = reasons ? frame.words("reason") : [];
    return new Segments(
      frame.array("time_s"),
      { numbers: frame.array("kind"), words: frame.words("kind") },
      frame.array("low"),
      frame.array("high"),
      frame.array("sent_again"),
      frame.array("lost"),
      (row) => words[reasons?.[row] ?? -1] ?? "",
    );
  }

  /** The rows in a range of time: the first one, and the one after the last. */
  rows(range: Range): Range {
    return [firstFrom(this.time, range[0]), firstAfter(this.time, range[1])];
  }

  /** The last of some ascending rows that is before `row`; -1 if there is none. */
  lastBefore(rows: Int32Array, row: number): number {
    return rows[firstFrom(rows, row) - 1] ?? -1;
  }
}

function numbered(
  kinds: readonly string[] | { readonly numbers: ArrayLike<number>; readonly words: readonly string[] },
): Uint8Array {
  if (!("numbers" in kinds)) return Uint8Array.from(kinds, (word) => KINDS.indexOf(word));
  const known = kinds.words.map((word) => KINDS.indexOf(word));
  return Uint8Array.from(kinds.numbers, (number) => known[number] ?? 255);
}

function rowsOf(kinds: Uint8Array, kind: number): Int32Array {
  const rows = new Int32Array(kinds.reduce((count, each) => count + (each === kind ? 1 : 0), 0));
  let at = 0;
  kinds.forEach((each, row) => {
    if (each === kind) rows[at++] = row;
  });
  return rows;
}
