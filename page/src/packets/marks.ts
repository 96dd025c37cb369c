// From what packets do to what is drawn: bars on the lanes, bars in the queues. Bars closer than a pixel are one.

import type { Journeys, Scene } from "./journeys";
import type { Lane } from "./layout";

/** How a packet looks. Those that differ are never drawn as one. */
export interface Look {
  readonly flow: number;
  /** An ACK or another packet without data: thinner. */
  readonly thin: boolean;
  readonly again: boolean;
  readonly marked: boolean;
}

/** A bar along a lane, pixels from its beginning. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly look: Look;
  /** The packet that came first, of the `packets` that it stands for. */
  readonly row: number;
  readonly packets: number;
}

export interface Picture {
  /** By link. */
  readonly wire: readonly (readonly Bar[])[];
  readonly queue: readonly Queue[];
  /** Packets that move, and bars for them. */
  readonly moving: number;
  readonly bars: number;
}

export interface Queue {
  readonly waiting: number;
  readonly bars: readonly Bar[];
  /** Packets in a bar. */
  readonly scale: number;
  /** Where the limit is, pixels from the beginning of the lane; undefined if it is not near. */
  readonly limit: number | undefined;
}

/** Least length of a bar on the wire. One that is longer ends a little earlier, so that packets back to back are seen. */
const LEAST = 3;
const GAP = 1;
/** Bars that are less than about a pixel apart are one. */
const NEAR = 0.9;
/** A bar in a queue with the gap after it, at least and at most. */
const CELL = { least: 3, most: 8 };
/** A queue that never holds more than so much of its limit is drawn without it. */
const NEAR_LIMIT = 0.25;

/** How many packets a queue is drawn for, and its limit if it is near. `most` ever wait; `limit` null: none. */
export function capacityOf(
  most: number,
  limit: number | null,
): { readonly packets: number; readonly limit: number | null } {
  // A limit in bytes is only about so many packets: one that is exceeded says nothing.
  const isNear = limit !== null && most <= limit && most >= NEAR_LIMIT * limit && most > 0;
  return { packets: isNear ? limit : most, limit: isNear ? limit : null };
}

/** How long a queue is drawn at most, pixels. */
export const queueLength = (most: number, limit: number | null): number => capacityOf(most, limit).packets * CELL.most;

export function lookOf(journeys: Journeys, row: number): Look {
  const { rows } = journeys;
  const kind = rows.kind(row);
  return {
    flow: rows.flow[row]!,
    thin: kind !== "data" && kind !== "datagram",
    again: rows.sentAgain[row] === 1,
    marked: rows.marked[row] === 1,
  };
}

const keyOf = (look: Look): number =>
  look.flow * 8 + (look.thin ? 4 : 0) + (look.again ? 2 : 0) + (look.marked ? 1 : 0);

/** Joins bars of one look that are less than a pixel apart. The rarer looks come last, so that they lie above. */
export function bundled(bars: readonly Bar[]): Bar[] {
  const groups = new Map<number, Bar[]>();
  for (const bar of bars) {
    const key = keyOf(bar.look);
    const group = groups.get(key);
    if (group) group.push(bar);
    else groups.set(key, [bar]);
  }
  const rank = (look: Look) => (look.again ? 2 : 0) + (look.marked ? 1 : 0);
  return [...groups.values()]
    .sort((a, b) => rank(a[0]!.look) - rank(b[0]!.look))
    .flatMap((group) => joined(group.sort((a, b) => a.from - b.from)));
}

function joined(bars: readonly Bar[]): Bar[] {
  const found: Bar[] = [];
  for (const bar of bars) {
    const last = found.at(-1);
    if (last && bar.from < last.to + NEAR) {
      found[found.length - 1] = {
        ...last,
        to: Math.max(last.to, bar.to),
        row: Math.min(last.row, bar.row),
        packets: last.packets + bar.packets,
      };
    } else {
      found.push(bar);
    }
  }
  return found;
}

/** The bar of a packet that is being sent or under way. */
export function barOf(journeys: Journeys, lane: Lane, row: number, time: number): Bar {
  const [tail, head] = journeys.alongAt(row, time);
  const wire = lane.length - lane.queue;
  const to = lane.queue + head * wire;
  const last = lane.queue + tail * wire;
  const from = Math.max(lane.queue, Math.min(to - last > LEAST + GAP ? last + GAP : last, to - LEAST));
  return { from, to, look: lookOf(journeys, row), row, packets: 1 };
}

/** A queue: the packet that is sent next lies at its end. `limit` in packets; null: none. */
export function queueOf(
  journeys: Journeys,
  lane: Lane,
  waiting: readonly number[],
  most: number,
  limit: number | null,
): Queue {
  const its = capacityOf(most, limit);
  const capacity = Math.max(1, its.packets);
  const slots = Math.max(1, Math.floor(lane.queue / CELL.least));
  const scale = Math.max(1, Math.ceil(capacity / slots));
  const cell = Math.min(CELL.most, lane.queue / Math.ceil(capacity / scale));
  const bars: Bar[] = [];
  for (let first = 0; first < waiting.length; first += scale) {
    const packets = waiting.slice(first, first + scale);
    const place = bars.length;
    const looks = packets.map((row) => lookOf(journeys, row));
    bars.push({
      from: Math.max(0, lane.queue - (place + 1) * cell),
      to: lane.queue - place * cell - 1,
      look: { ...looks[0]!, again: looks.some((look) => look.again), marked: looks.some((look) => look.marked) },
      row: packets[0]!,
      packets: packets.length,
    });
  }
  return {
    waiting: waiting.length,
    bars,
    scale,
    limit: its.limit === null ? undefined : lane.queue - Math.ceil(capacity / scale) * cell,
  };
}

/** All that is drawn of a scene. `limits` has each link's limit in packets. */
export function picture(
  journeys: Journeys,
  scene: Scene,
  lanes: readonly Lane[],
  limits: readonly (number | null)[],
  time: number,
): Picture {
  const wire = scene.moving.map((rows, link) => bundled(rows.map((row) => barOf(journeys, lanes[link]!, row, time))));
  return {
    wire,
    queue: scene.waiting.map((rows, link) =>
      queueOf(journeys, lanes[link]!, rows, journeys.mostWaiting[link]!, limits[link] ?? null),
    ),
    moving: scene.moving.reduce((sum, rows) => sum + rows.length, 0),
    bars: wire.reduce((sum, bars) => sum + bars.length, 0),
  };
}

/** Where the packet of a row is at a time: the middle of its bar, or undefined if it is not at the link. */
export function spotOf(
  journeys: Journeys,
  scene: Scene,
  lanes: readonly Lane[],
  its: Picture,
  row: number,
  time: number,
): number | undefined {
  const link = journeys.rows.link[row]!;
  const place = journeys.placeAt(row, time);
  if (place === "sending" || place === "on the wire") {
    const { from, to } = barOf(journeys, lanes[link]!, row, time);
    return (from + to) / 2;
  }
  if (place !== "waiting") return undefined;
  const queue = its.queue[link]!;
  const bar = queue.bars[Math.floor(scene.waiting[link]!.indexOf(row) / queue.scale)];
  return bar ? (bar.from + bar.to) / 2 : undefined;
}

/** The first packet of the bar at a point of the picture, or next to it within `reach` pixels; -1 if there is none. */
export function rowAtPoint(its: Picture, lanes: readonly Lane[], x: number, y: number, reach: number): number {
  let [best, least] = [-1, reach];
  lanes.forEach((lane, link) => {
    const [right, down] = [x - lane.x, y - lane.y];
    const along = right * lane.along[0] + down * lane.along[1];
    const aside = Math.abs(right * lane.aside[0] + down * lane.aside[1]);
    if (aside > least) return;
    for (const bar of [...its.queue[link]!.bars, ...its.wire[link]!]) {
      const distance = Math.hypot(aside, Math.max(bar.from - along, 0, along - bar.to));
      if (distance <= least) [best, least] = [bar.row, distance];
    }
  });
  return best;
}

/** The link whose lane is at a point of the picture, within `reach` pixels; -1 if there is none. */
export function linkAtPoint(lanes: readonly Lane[], x: number, y: number, reach: number): number {
  let [best, least] = [-1, reach];
  lanes.forEach((lane, link) => {
    const [right, down] = [x - lane.x, y - lane.y];
    const along = right * lane.along[0] + down * lane.along[1];
    const aside = Math.abs(right * lane.aside[0] + down * lane.aside[1]);
    if (along >= 0 && along <= lane.length && aside <= least) [best, least] = [link, aside];
  });
  return best;
}
