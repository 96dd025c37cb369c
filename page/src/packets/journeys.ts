// Where each packet is at each time: waiting in front of a link, being sent, under way on it, or lost.

import { firstAfter, firstFrom } from "../canvas/range";
import type { Frame } from "../frame";
import type { PacketsHead } from "./types";

export type Column = ArrayLike<number>;

/** Columns of the table `packets`, in the order in which the packets come to their links. A row is a packet at a link. */
export interface PacketRows {
  readonly link: Column;
  readonly flow: Column;
  readonly packet: Column;
  readonly offered: Column;
  readonly left: Column;
  readonly arrived: Column;
  readonly dropped: Column;
  readonly low: Column;
  readonly high: Column;
  readonly bytes: Column;
  readonly sentAgain: Column;
  readonly marked: Column;
  readonly kind: (row: number) => string;
  /** Why it was lost; empty if it was not. */
  readonly lost: (row: number) => string;
}

/** Less than this is no wait: times are rounded. */
const ROUNDING_S = 1e-9;
/** Two packets take as long for a byte if they differ by so much at most, as a share. */
const STEADY = 0.01;

/** Where a packet is with regard to a link. */
export type Place = "before" | "waiting" | "sending" | "on the wire" | "lost" | "past";

/** Rows by what they are doing; those of a link that wait are in the order in which they will be sent. */
export interface Scene {
  readonly waiting: readonly number[][];
  /** Being sent or under way, in the order in which they came. */
  readonly moving: readonly number[][];
  /** Lost not long ago. */
  readonly falling: readonly number[];
}

export class Journeys {
  readonly count: number;
  /** When its first bit is sent; infinity if it never is. */
  readonly start: Float64Array;
  /** When it is no longer at the link: it has arrived, or it is lost. */
  readonly gone: Float64Array;
  /** The most packets that ever wait for each link. */
  readonly mostWaiting: readonly number[];
  /** How long packets wait for each link, together, s. */
  readonly waited: readonly number[];
  /** When packets are lost, ascending. */
  readonly #losses: Float64Array;
  /** No packet is at a link for longer, s. */
  readonly #longest: number;

  constructor(
    readonly head: PacketsHead,
    readonly rows: PacketRows,
  ) {
    this.count = rows.offered.length;
    this.gone = Float64Array.from({ length: this.count }, (_, row) => this.#goneAt(row));
    this.#losses = this.gone.filter((_, row) => this.isLost(row)).sort();
    const byLink: number[][] = head.links.map(() => []);
    for (let row = 0; row < this.count; row += 1) byLink[rows.link[row]!]!.push(row);
    this.start = new Float64Array(this.count).fill(Infinity);
    byLink.forEach((list, link) => this.#begin(list, head.links[link]!.rate_bit_s));
    this.mostWaiting = byLink.map((list) => this.#most(list));
    const last = head.window[1];
    this.waited = byLink.map((list) =>
      list.reduce(
        (sum, row) => sum + Math.max(0, Math.min(this.start[row]!, this.gone[row]!, last) - rows.offered[row]!),
        0,
      ),
    );
    this.#longest = this.gone.reduce((most, gone, row) => Math.max(most, Math.min(gone, last) - rows.offered[row]!), 0);
  }

  static of(frame: Frame<PacketsHead>): Journeys {
    const column = (name: string) => frame.array(name);
    const words = (name: string) => {
      const [numbers, list] = [frame.array(name), frame.words(name)];
      return (row: number) => list[numbers[row]!] ?? "";
    };
    return new Journeys(frame.head, {
      link: column("link"),
      flow: column("flow"),
      packet: column("packet"),
      offered: column("offered_s"),
      left: column("left_s"),
      arrived: column("arrived_s"),
      dropped: column("dropped_s"),
      low: column("low"),
      high: column("high"),
      bytes: column("bytes"),
      sentAgain: column("sent_again"),
      marked: column("marked"),
      kind: words("kind"),
      lost: words("lost"),
    });
  }

  isLost(row: number): boolean {
    return this.rows.lost(row) !== "";
  }

  /** Where a packet is with regard to its link. */
  placeAt(row: number, time: number): Place {
    if (time < this.rows.offered[row]!) return "before";
    if (time >= this.gone[row]!) return this.isLost(row) ? "lost" : "past";
    if (time < this.start[row]!) return "waiting";
    return time < this.rows.left[row]! ? "sending" : "on the wire";
  }

  /** How far its last and its first bit are along the link, as shares of its length. */
  alongAt(row: number, time: number): readonly [tail: number, head: number] {
    const [start, left] = [this.start[row]!, this.rows.left[row]!];
    const delay = this.#delayOf(row);
    const share = (since: number) => (delay > 0 ? Math.min(1, Math.max(0, since / delay)) : since > 0 ? 1 : 0);
    return [time >= left ? share(time - left) : 0, share(time - start)];
  }

  /** What there is to see at a time; packets that were lost up to `linger` before are still seen falling. */
  at(time: number, linger: number): Scene {
    const waiting: number[][] = this.head.links.map(() => []);
    const moving: number[][] = this.head.links.map(() => []);
    const falling: number[] = [];
    const [from, to] = [
      firstFrom(this.rows.offered, time - this.#longest - linger),
      firstAfter(this.rows.offered, time),
    ];
    for (let row = from; row < to; row += 1) {
      const place = this.placeAt(row, time);
      const link = this.rows.link[row]!;
      if (place === "waiting") waiting[link]!.push(row);
      else if (place === "sending" || place === "on the wire") moving[link]!.push(row);
      else if (place === "lost" && time - this.gone[row]! <= linger) falling.push(row);
    }
    for (const list of waiting) list.sort((a, b) => this.start[a]! - this.start[b]! || a - b);
    return { waiting, moving, falling };
  }

  /** From when on all packets are known: those that came before the frame begins are not in it. */
  get completeFrom(): number {
    const from = this.head.window[0];
    return from > 0 ? from + this.#longest : from;
  }

  /** The next time after `time` (or the last one before it) at which something happens to a packet that `wanted` accepts. */
  nextEvent(time: number, by: 1 | -1, wanted: (row: number) => boolean = () => true): number | undefined {
    let found: number | undefined;
    const consider = (at: number) => {
      if (!Number.isFinite(at) || (by > 0 ? at <= time : at >= time)) return;
      if (found === undefined || (by > 0 ? at < found : at > found)) found = at;
    };
    for (let row = 0; row < this.count; row += 1) {
      if (!wanted(row)) continue;
      consider(this.rows.offered[row]!);
      consider(this.rows.left[row]!);
      consider(this.gone[row]!);
    }
    return found;
  }

  /** The next time after `time`, or the last one before it, at which a packet is lost. */
  nextLoss(time: number, by: 1 | -1): number | undefined {
    return by > 0 ? this.#losses[firstAfter(this.#losses, time)] : this.#losses[firstFrom(this.#losses, time) - 1];
  }

  #delayOf(row: number): number {
    const arrived = this.rows.arrived[row]!;
    return Number.isNaN(arrived)
      ? (this.head.links[this.rows.link[row]!]!.delay_s ?? 0)
      : arrived - this.rows.left[row]!;
  }

  #goneAt(row: number): number {
    const [left, arrived, dropped] = [this.rows.left[row]!, this.rows.arrived[row]!, this.rows.dropped[row]!];
    if (!Number.isNaN(arrived)) return arrived;
    if (!Number.isNaN(dropped)) return dropped;
    if (Number.isNaN(left)) return Infinity;
    // Where on the wire it was lost is not known: half way. One that is still under way at the end of the run goes on.
    return left + this.#delayOf(row) * (this.isLost(row) ? 0.5 : 1);
  }

  /**
   * A link sends one packet after the other, at its rate or at the one that it has now: two packets in a row that take
   * as long for a byte tell it. Else it pauses, and the packet waits until the last moment.
   */
  #begin(list: number[], rate: number | null): void {
    const { left, offered, bytes } = this.rows;
    const sent = list.filter((row) => !Number.isNaN(left[row]!)).sort((a, b) => left[a]! - left[b]!);
    let [before, pace] = [-Infinity, NaN];
    for (const row of sent) {
      const free = Math.max(offered[row]!, before);
      const its = before >= offered[row]! ? (left[row]! - before) / bytes[row]! : NaN;
      const isSteady = Math.abs(its - pace) <= STEADY * pace;
      const takes = rate && !isSteady ? (bytes[row]! * 8) / rate : Infinity;
      const start = Math.min(left[row]!, Math.max(free, left[row]! - takes));
      this.start[row] = start - offered[row]! < ROUNDING_S ? offered[row]! : start;
      [before, pace] = [left[row]!, its];
    }
  }

  #most(list: number[]): number {
    const waits = list.filter(
      (row) => this.start[row]! > this.rows.offered[row]! && this.gone[row]! > this.rows.offered[row]!,
    );
    const ends = Float64Array.from(waits, (row) => this.start[row]!).sort();
    let [most, ended] = [0, 0];
    waits.forEach((row, came) => {
      while (ended < ends.length && ends[ended]! <= this.rows.offered[row]!) ended += 1;
      most = Math.max(most, came + 1 - ended);
    });
    return most;
  }
}
