// The state of the animation: its time, its speed, what is picked, and how keys and buttons change them.

import { computed, signal, type Signal } from "@preact/signals";
import { firstAfter } from "../canvas/range";
import { NO_SIZE, type Size } from "../canvas/surface";
import type { Frame } from "../frame";
import type { Range } from "../view";
import { decimalsOfInstants, instant } from "../words";
import { Journeys } from "./journeys";
import { lanes, layout, onLane } from "./layout";
import { linkAtPoint, picture, queueLength, rowAtPoint } from "./marks";
import type { FlowHead, HostEvents, PacketsHead, PathFacts } from "./types";

/** The least and the greatest speed, simulated s per s. */
export const SPEEDS = [1e-5, 10] as const;
/** A round trip takes about so long at first, s. */
const ROUND_TRIP_S = 4;
/** What has happened is seen for so long: a packet that falls, a time-out, s. */
const FALL_S = 1;
export const SIGN_S = 2;
const REACH = 9;

export class Player {
  readonly frame = signal<Frame<PacketsHead> | null>(null);
  readonly path = signal<PathFacts | null>(null);
  readonly events = signal<readonly HostEvents[]>([]);
  /** The times to play; null: those of the frame. */
  readonly range = signal<Range | null>(null);
  /** Flows that other panels draw, in the order of their colours. */
  readonly drawn = signal<readonly number[]>([]);
  readonly size = signal<Size>(NO_SIZE);
  readonly playing = signal(false);
  /** Simulated s per s, if it was chosen. */
  readonly #chosen = signal<number | null>(null);
  /** The number of the packet that is followed. */
  readonly picked = signal<number | null>(null);
  /** The row under the pointer; -1 if there is none. */
  readonly hovered = signal(-1);

  /** The link under the pointer; -1 if there is none. */
  readonly overLink = signal(-1);

  constructor(readonly now: Signal<number | null>) {}

  readonly journeys = computed(() => (this.frame.value ? Journeys.of(this.frame.value) : null));
  /** The times that are played. */
  readonly window = computed<Range>(() => {
    const [known, range] = [this.frame.value?.head.window ?? ([0, 1] as const), this.range.value];
    if (!range || range[1] <= known[0] || range[0] >= known[1]) return known;
    return [Math.max(range[0], known[0]), Math.min(range[1], known[1])];
  });
  readonly time = computed(() => this.#within(this.now.value ?? this.window.value[0]));
  /** The links that the data of each flow cross. */
  readonly ways = computed(() => (this.journeys.value ? waysOf(this.journeys.value) : []));
  /** The same of the path's flows and of those that send something: what tells left from right. */
  readonly #known = computed(() => {
    const places = new Map(this.frame.value?.head.links.map((link, place) => [link.name, place]));
    const ofPath = (this.path.value?.flows ?? []).map(({ by }) => by.flatMap((name) => places.get(name) ?? []));
    return [...ofPath, ...this.ways.value];
  });
  readonly layout = computed(() => layout(this.frame.value?.head.links ?? [], this.#known.value));
  readonly speed = computed(() => this.#chosen.value ?? this.#usual());
  readonly lanes = computed(() => {
    const most = this.journeys.value?.mostWaiting ?? [];
    return lanes(this.layout.value, this.size.value, this.frame.value?.head.links ?? [], (link) =>
      queueLength(most[link] ?? 0, this.limits.value[link] ?? null),
    );
  });
  /** Limits of the queues by link, packets. */
  readonly limits = computed(() => {
    const known = new Map(this.path.value?.links.map((link) => [link.name, link.limit_packets]));
    return (this.frame.value?.head.links ?? []).map((link) => known.get(link.name) ?? null);
  });
  /** The flows of the frame in the order of their colours. */
  readonly flows = computed(() => {
    const place = (flow: FlowHead) => this.drawn.value.indexOf(flow.number) + 1 || Infinity;
    return [...(this.frame.value?.head.flows ?? [])].sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
  });
  readonly scene = computed(() => this.journeys.value?.at(this.time.value, this.speed.value * FALL_S) ?? null);
  readonly picture = computed(() => {
    const [journeys, scene] = [this.journeys.value, this.scene.value];
    if (!journeys || !scene || this.size.value.width === 0) return null;
    return picture(journeys, scene, this.lanes.value, this.limits.value, this.time.value);
  });
  /** The row to tell of: under the pointer, or where the packet that is followed is now; -1 if there is none. */
  readonly told = computed(() => (this.hovered.value >= 0 ? this.hovered.value : this.rowOf(this.picked.value)));

  /** The time as text: while it stands still, with as many decimals as tell it from what is before and after it. */
  readonly clock = computed(() => {
    const [journeys, time] = [this.journeys.value, this.time.value];
    if (!journeys || this.playing.value) return instant(time);
    const near = [journeys.nextEvent(time, -1) ?? time, time, journeys.nextEvent(time, 1) ?? time];
    return instant(time, decimalsOfInstants(near));
  });

  /** How far a packet has fallen, from 0 to 1. */
  fallen(row: number): number {
    const age = this.time.value - this.journeys.value!.gone[row]!;
    return Math.min(1, Math.max(0, age / (this.speed.value * FALL_S)));
  }

  go(time: number): void {
    this.now.value = this.#within(time);
  }

  /** So much real time goes by. */
  advance(seconds: number): void {
    this.go(this.time.peek() + seconds * this.speed.peek());
    if (this.time.peek() >= this.window.peek()[1]) this.playing.value = false;
  }

  play(on: boolean): void {
    if (on && this.time.peek() >= this.window.peek()[1]) this.go(this.window.peek()[0]);
    this.playing.value = on;
  }

  /** To the next instant at which something happens: to any packet, or to the one that is followed. */
  step(by: 1 | -1, ofPicked = false): void {
    const [journeys, picked] = [this.journeys.peek(), this.picked.peek()];
    if (!journeys) return;
    const isWanted = ofPicked && picked !== null ? (row: number) => journeys.rows.packet[row] === picked : undefined;
    this.#to(journeys.nextEvent(this.time.peek(), by, isWanted));
  }

  /** To the next packet that is lost. */
  toLoss(by: 1 | -1): void {
    this.#to(this.lossAt(by));
  }

  lossAt(by: 1 | -1): number | undefined {
    return this.journeys.value?.nextLoss(this.time.value, by);
  }

  toTimeOut(by: 1 | -1): void {
    this.#to(this.timeOutAt(by));
  }

  timeOutAt(by: 1 | -1): number | undefined {
    const [from, to] = this.window.value;
    const times = this.events.value.filter((each) => each.kind === "timeout").flatMap((each) => Array.from(each.times));
    const left = times.filter((at) => at >= from && at <= to && (by > 0 ? at > this.time.value : at < this.time.value));
    return left.length > 0 ? (by > 0 ? Math.min(...left) : Math.max(...left)) : undefined;
  }

  /** What happened at hosts not longer ago than `ago`. */
  signs(ago: number): { readonly kind: string; readonly flow: number | null; readonly age: number }[] {
    const time = this.time.value;
    return this.events.value.flatMap(({ kind, flow, times }) => {
      const at = times[firstAfter(times, time) - 1];
      return at !== undefined && at >= time - ago ? [{ kind, flow, age: time - at }] : [];
    });
  }

  choose(speed: number): void {
    this.#chosen.value = Math.min(SPEEDS[1], Math.max(SPEEDS[0], speed));
  }

  point(x: number, y: number): void {
    const its = this.picture.peek();
    this.hovered.value = its ? rowAtPoint(its, this.lanes.peek(), x, y, REACH) : -1;
    this.overLink.value = linkAtPoint(this.lanes.peek(), x, y, REACH);
  }

  leave(): void {
    this.hovered.value = -1;
    this.overLink.value = -1;
  }

  /** Follows the packet under the pointer, or none. */
  pick(): void {
    const row = this.hovered.peek();
    this.picked.value = row < 0 ? null : this.journeys.peek()!.rows.packet[row]!;
  }

  /** The row of a packet that says where it is now; -1 if it is not in the frame. */
  rowOf(packet: number | null): number {
    const journeys = this.journeys.value;
    if (!journeys || packet === null) return -1;
    let found = -1;
    for (let row = 0; row < journeys.count; row += 1) {
      if (journeys.rows.packet[row] === packet && (found < 0 || journeys.rows.offered[row]! <= this.time.value))
        found = row;
    }
    return found;
  }

  /** A point of the picture for a place along a link. */
  pointOf(link: number, along: number): readonly [number, number] {
    return onLane(this.lanes.value[link]!, along, 0);
  }

  /** The host that sends a flow's data. */
  senderOf(flow: number | null): string | undefined {
    const links = this.frame.value?.head.links ?? [];
    const place = this.frame.value?.head.flows.findIndex((each) => each.number === flow) ?? -1;
    const way = this.ways.value[place] ?? [];
    const entered = new Set(way.map((link) => links[link]!.to));
    return way.map((link) => links[link]!.from).find((name) => !entered.has(name));
  }

  #to(time: number | undefined): void {
    this.playing.value = false;
    this.leave();
    if (time !== undefined) this.go(time);
  }

  #within(time: number): number {
    return Math.min(this.window.value[1], Math.max(this.window.value[0], time));
  }

  #usual(): number {
    const links = this.frame.value?.head.links ?? [];
    const trips = this.#known.value.map((way) => 2 * way.reduce((sum, link) => sum + (links[link]!.delay_s ?? 0), 0));
    return rounded(Math.max(...trips, 1e-3) / ROUND_TRIP_S);
  }
}

/** The next lower 1, 2 or 5 times a power of ten. */
function rounded(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (value < 2 * power ? 1 : value < 5 * power ? 2 : 5);
}

/** The links that carry data of each flow of the head. */
export function waysOf(journeys: Journeys): number[][] {
  const { rows, head } = journeys;
  const sets = new Map(head.flows.map((flow) => [flow.number, new Set<number>()]));
  for (let row = 0; row < journeys.count; row += 1) {
    const kind = rows.kind(row);
    if (kind === "data" || kind === "datagram") sets.get(rows.flow[row]!)?.add(rows.link[row]!);
  }
  return head.flows.map((flow) => [...sets.get(flow.number)!]);
}
