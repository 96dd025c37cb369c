// Why a segment was sent, and what became of it, as far as the rows tell.

import { firstAfter, firstFrom } from "../canvas/range";
import { counted, decimalsOfInstants, digits, instant, ordinal } from "../words";
import type { Story } from "../canvas/ReadOut";
import { quantity } from "../units";
import { ACK, DATA, SACK, type Segments } from "./segments";

/** What is known of a row: data or an ACK. */
export function story(rows: Segments, row: number): Story {
  return rows.kind[row] === DATA ? ofData(rows, row) : ofAck(rows, row);
}

function ofData(rows: Segments, row: number): Story {
  const again = rows.sentAgain[row] === 1;
  return {
    title: `${again ? "Data sent again" : "Data"} ${span(rows, row)}`,
    facts: [
      { name: "Sent", text: sent(rows, row) },
      { name: "Size", text: `${counted(rows.high[row]! - rows.low[row]!, "byte")} of data` },
      { name: "Why", text: why(rows, row) },
      { name: "Then", text: fate(rows, row) },
      { name: "Flight", text: `${counted(outstanding(rows, row), "byte")} outstanding with it` },
    ],
  };
}

/** What was sent up to `row` and not yet acknowledged. */
function outstanding(rows: Segments, row: number): number {
  const acked = rows.acknowledged[firstFrom(rows.acks, row) - 1] ?? 0;
  return Math.max(rows.high[row]!, highestSent(rows, row)) - acked;
}

function ofAck(rows: Segments, row: number): Story {
  const ranges = sackRanges(rows, row);
  const released = releasedBy(rows, row);
  return {
    title: `ACK ${digits(rows.high[row]!)}`,
    facts: [
      { name: "Came", text: at(rows, row) },
      { name: "Says", text: `${says(rows, row)}${ranges.length > 0 ? `; by SACK: ${ranges.join(", ")}` : ""}` },
      {
        name: "Then",
        text: released > 0 ? `it released ${counted(released, "segment")}` : "it released nothing at once",
      },
    ],
  };
}

/** When it was, with as many decimals as tell it from what was before and after it. */
function at(rows: Segments, row: number): string {
  const { time } = rows;
  const its = time[row]!;
  const [before, after] = [time[firstFrom(time, its) - 1] ?? its, time[firstAfter(time, its)] ?? its];
  return instant(its, decimalsOfInstants([before, its, after]));
}

const span = (rows: Segments, row: number): string => `${digits(rows.low[row]!)} to ${digits(rows.high[row]!)}`;

/** The rows of data that share a byte with that of `row`, itself among them. */
export function sendings(rows: Segments, row: number): number[] {
  const found = [];
  for (let each = 0; each < rows.count; each += 1) {
    if (rows.kind[each] === DATA && rows.low[each]! < rows.high[row]! && rows.high[each]! > rows.low[row]!)
      found.push(each);
  }
  return found;
}

function sent(rows: Segments, row: number): string {
  const earlier = sendings(rows, row).filter((each) => each < row);
  const now = at(rows, row);
  if (rows.sentAgain[row] !== 1) return `${now}, for the first time`;
  if (earlier.length === 0) return `${now}; first sent before what is shown`;
  return `${now}, for the ${ordinal(earlier.length + 1)} time; before at ${at(rows, earlier.at(-1)!)}`;
}

/** Why it was sent: the probe's reason, and the ACK that came at the same instant, if one did. */
export function why(rows: Segments, row: number): string {
  const reason = rows.reason(row);
  const ack = ackAtOnce(rows, row);
  const trigger = ack < 0 ? "" : `ACK ${digits(rows.high[ack]!)} came at this instant: ${says(rows, ack)}`;
  if (reason) return trigger ? `${reason}; ${trigger}` : reason;
  if (trigger) return trigger;
  const last = rows.acks[firstFrom(rows.acks, row) - 1];
  const quiet =
    last === undefined
      ? "no ACK came before"
      : `the last ACK came ${quantity(rows.time[row]! - rows.time[last]!, "s")} before`;
  if (rows.sentAgain[row] === 1) return `${quiet}: a timer, or the pacer`;
  const before = lastData(rows, row);
  if (before < 0) return rows.low[row] === 0 ? "the application's first data" : "the pacer, a timer or the application";
  if (sameInstant(rows, before, row) && rows.reason(before) === "") return "together with the segment before it";
  const acked = rows.acknowledged[firstFrom(rows.acks, row) - 1] ?? 0;
  if (acked >= rows.high[before]!) return "all before it was acknowledged: the application wrote more";
  return `${quiet}: the pacer let it go, or the application wrote more`;
}

/** What became of it. */
export function fate(rows: Segments, row: number): string {
  const later = sendings(rows, row).find((each) => each > row);
  const repeated = later === undefined ? "" : `sent again at ${at(rows, later)}`;
  const [acked, sacked] = [acknowledgedBy(rows, row), sackedBy(rows, row)];
  const parts = [];
  if (rows.lost[row]) parts.push("lost in the network");
  // An ACK after it was sent again may be for either of the two; the network knows that the first one arrived.
  else if (repeated && (acked < 0 || acked > later!))
    parts.push(sacked >= 0 && sacked < later! ? "it arrived" : "it was not lost, but no ACK said so in time");
  if (sacked >= 0 && (acked < 0 || sacked < acked) && !rows.lost[row]) parts.push(`SACKed ${after(rows, row, sacked)}`);
  if (rows.lost[row] && repeated) parts.push(repeated);
  if (acked >= 0) parts.push(`${rows.lost[row] ? "its bytes " : ""}acknowledged ${after(rows, row, acked)}`);
  else parts.push("not acknowledged in what is shown");
  if (!rows.lost[row] && repeated) parts.push(`${repeated}, which was not needed`);
  return parts.join("; ");
}

const after = (rows: Segments, row: number, then: number): string =>
  `at ${at(rows, then)}, ${quantity(rows.time[then]! - rows.time[row]!, "s")} after it was sent`;

/** The row of the first ACK after `row` that acknowledges all of it; -1 if none does. */
export function acknowledgedBy(rows: Segments, row: number): number {
  const later = firstFrom(rows.acks, row);
  const enough = firstFrom(rows.acknowledged, rows.high[row]!);
  return rows.acks[Math.max(later, enough)] ?? -1;
}

/** The row of the first SACK range after `row` that has all of it; -1 if none has before it is acknowledged. */
export function sackedBy(rows: Segments, row: number): number {
  const acked = acknowledgedBy(rows, row);
  const end = acked < 0 ? rows.count : acked;
  for (let each = row + 1; each < end; each += 1) {
    if (rows.kind[each] === SACK && rows.low[each]! <= rows.low[row]! && rows.high[each]! >= rows.high[row]!)
      return each;
  }
  return -1;
}

/** The row of the last ACK that came at the very instant at which `row` was sent; -1 if none did. */
export function ackAtOnce(rows: Segments, row: number): number {
  for (let each = row - 1; each >= 0 && sameInstant(rows, each, row); each -= 1) {
    if (rows.kind[each] === ACK) return each;
  }
  return -1;
}

const sameInstant = (rows: Segments, one: number, other: number): boolean => rows.time[one] === rows.time[other];

/** What an ACK acknowledges: so many bytes more, or which duplicate it is. */
export function says(rows: Segments, row: number): string {
  const at = firstFrom(rows.acks, row);
  const before = rows.acknowledged[at - 1];
  const number = rows.high[row]!;
  if (before === undefined) return number === 0 ? "it opens the connection" : "the first one that is shown";
  if (number > before) return `it acknowledges ${counted(number - before, "byte")}`;
  if (number < before) return "it is older than the one before it";
  let same = at;
  while (same > 0 && rows.high[rows.acks[same - 1]!]! === number) same -= 1;
  if (highestSent(rows, row) <= number) return "it acknowledges nothing new";
  // Of those before what is shown nobody knows how many there were.
  return same > 0 || number === 0 ? `it is the ${ordinal(at - same)} duplicate` : "it is a duplicate";
}

/** Segments that were sent at the instant of an ACK, after it and before the next one. */
function releasedBy(rows: Segments, row: number): number {
  let released = 0;
  for (let each = row + 1; each < rows.count && sameInstant(rows, each, row) && rows.kind[each] !== ACK; each += 1) {
    if (rows.kind[each] === DATA) released += 1;
  }
  return released;
}

function sackRanges(rows: Segments, row: number): string[] {
  const ranges = [];
  for (let each = row + 1; rows.kind[each] === SACK && sameInstant(rows, each, row); each += 1)
    ranges.push(span(rows, each));
  return ranges;
}

function lastData(rows: Segments, row: number): number {
  for (let each = row - 1; each >= 0; each -= 1) if (rows.kind[each] === DATA) return each;
  return -1;
}

/** The end of what was sent before `row`; data sent for the first time go upward. */
function highestSent(rows: Segments, row: number): number {
  for (let each = row - 1; each >= 0; each -= 1)
    if (rows.kind[each] === DATA && !rows.sentAgain[each]) return rows.high[each]!;
  return 0;
}
