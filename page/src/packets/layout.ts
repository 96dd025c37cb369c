// Where nodes and links lie in the picture: data go from left to right.

export interface Link {
  readonly from: string;
  readonly to: string;
}

/** A node's place in columns from the left and rows from the middle. */
export interface Spot {
  readonly column: number;
  readonly row: number;
  /** Whether it has one neighbour: hosts hang on what the data of others cross. */
  readonly isEnd: boolean;
}

export interface Layout {
  readonly spots: ReadonlyMap<string, Spot>;
  /** From the first to the last column. */
  readonly columns: number;
  /** Whether hosts hang below inner routers. */
  readonly hangs: boolean;
  /** The uppermost and the lowest row. */
  readonly rows: readonly [number, number];
}

/** How far from its router a host lies, in columns: at the ends, and aside of it where it hangs below. */
const HOST = 0.65;
const ASIDE = 0.3;

/**
 * Places the nodes. `ways` has the links that the data of each flow cross; the first flow goes from left to right, and
 * one that goes against it is drawn from right to left.
 */
export function layout(links: readonly Link[], ways: readonly (readonly number[])[]): Layout {
  const next = oriented(links, ways);
  const neighbours = new Map<string, Set<string>>();
  for (const { from, to } of links) {
    addTo(neighbours, from, to);
    addTo(neighbours, to, from);
  }
  const inner = [...neighbours.keys()].filter((name) => neighbours.get(name)!.size > 1);
  const spine = inner.length > 0 ? inner : [...neighbours.keys()];
  const depths = depthsOf(spine, next);
  const last = Math.max(0, ...depths.values());
  const spots = new Map<string, Spot>();
  const left: string[] = [];
  const right: string[] = [];
  const below: string[] = [];
  for (const name of neighbours.keys()) {
    if (depths.has(name)) continue;
    const [router] = neighbours.get(name)!;
    const depth = depths.get(router!)!;
    const isKnown = next.get(name)?.has(router!) || next.get(router!)?.has(name);
    // A host that has not sent or got anything yet is where others of its router are.
    const sends = isKnown ? next.get(name)?.has(router!) === true : depth === 0 && last > 0;
    (sends && depth === 0 ? left : !sends && depth === last ? right : below).push(name);
  }
  const first = left.length > 0 ? HOST : 0;
  byDepth(depths, last).forEach((names, depth) =>
    centred(names).forEach(([name, row]) => spots.set(name, { column: first + depth, row, isEnd: inner.length === 0 })),
  );
  for (const [names, column] of [
    [left, 0],
    [right, first + last + HOST],
  ] as const) {
    centred(names).forEach(([name, row]) => spots.set(name, { column, row, isEnd: true }));
  }
  const under = new Map<string, number>();
  for (const name of below) {
    const [router] = neighbours.get(name)!;
    const at = spots.get(router!)!;
    const aside = next.get(name)?.has(router!) ? -ASIDE : ASIDE;
    const place = `${router} ${aside}`;
    const deep = (under.get(place) ?? 0) + 1;
    under.set(place, deep);
    spots.set(name, { column: at.column + aside, row: at.row + deep, isEnd: true });
  }
  const rows = [...spots.values()].map((spot) => spot.row);
  return {
    spots,
    columns: first + last + (right.length > 0 ? HOST : 0),
    hangs: below.length > 0,
    rows: [Math.min(0, ...rows), Math.max(0, ...rows)],
  };
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const its = sets.get(key) ?? new Set();
  sets.set(key, its.add(value));
}

/** The nodes to the right of each node. A flow that would make a circle is turned around. */
function oriented(links: readonly Link[], ways: readonly (readonly number[])[]): Map<string, Set<string>> {
  const next = new Map<string, Set<string>>();
  const reaches = (from: string, to: string): boolean =>
    from === to || [...(next.get(from) ?? [])].some((each) => reaches(each, to));
  for (const way of ways) {
    const its = way.map((link) => links[link]!);
    const turned = its.some(({ from, to }) => reaches(to, from));
    for (const { from, to } of its) {
      const [one, other] = turned ? [to, from] : [from, to];
      if (!reaches(other, one)) addTo(next, one, other);
    }
  }
  const ends = new Map<string, Set<string>>();
  for (const { from, to } of links) {
    addTo(ends, from, to);
    addTo(ends, to, from);
  }
  const isInner = (name: string) => ends.get(name)!.size > 1;
  for (const { from, to } of links) {
    if (isInner(from) === isInner(to) && !reaches(to, from) && !reaches(from, to)) addTo(next, from, to);
  }
  return next;
}

/** The length of the longest way to each of some nodes. */
function depthsOf(names: readonly string[], next: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const depths = new Map(names.map((name) => [name, 0]));
  // As many rounds as the longest way has nodes.
  for (let changed = true; changed;) {
    changed = false;
    for (const name of names) {
      for (const after of next.get(name) ?? []) {
        if (depths.has(after) && depths.get(after)! <= depths.get(name)!) {
          depths.set(after, depths.get(name)! + 1);
          changed = true;
        }
      }
    }
  }
  return depths;
}

function byDepth(depths: ReadonlyMap<string, number>, last: number): string[][] {
  const names: string[][] = Array.from({ length: last + 1 }, () => []);
  for (const [name, depth] of depths) names[depth]!.push(name);
  return names;
}

/** Rows around the middle: -0.5 and 0.5 for two. */
const centred = (names: readonly string[]): (readonly [string, number])[] =>
  names.map((name, at) => [name, at - (names.length - 1) / 2]);

/** A link in the picture: a lane on the left of its direction, so that both directions are seen. */
export interface Lane {
  readonly x: number;
  readonly y: number;
  /** Direction, and the side that looks away from the other lane. */
  readonly along: readonly [number, number];
  readonly aside: readonly [number, number];
  readonly length: number;
  /** The part of it that is the queue, at its beginning. */
  readonly queue: number;
}

export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Pixels of the page: around the picture, half a node, half the distance of two lanes, a queue's length. */
const AROUND = { x: 44, top: 44, bottom: 40 };
export const NODE = 12;
const APART = 7;
const QUEUE = { share: 0.42, most: 150 };

/** The centre of a node in the picture. */
export function centre(layout: Layout, room: Room, name: string): readonly [number, number] {
  const spot = layout.spots.get(name)!;
  const [columns, rows] = [layout.columns, layout.rows[1] - layout.rows[0]];
  const height = room.height - AROUND.top - AROUND.bottom;
  return [
    AROUND.x + (columns > 0 ? spot.column / columns : 0.5) * (room.width - 2 * AROUND.x),
    AROUND.top + (rows > 0 ? (spot.row - layout.rows[0]) / rows : 0.5) * height,
  ];
}

/** The lane of each link. `wanted` says how long its queue would be; it has less where there is no room. */
export function lanes(layout: Layout, room: Room, links: readonly Link[], wanted: (link: number) => number): Lane[] {
  return links.map(({ from, to }, link) => {
    const [start, end] = [centre(layout, room, from), centre(layout, room, to)];
    const distance = Math.max(1, Math.hypot(end[0] - start[0], end[1] - start[1]));
    const along = [(end[0] - start[0]) / distance, (end[1] - start[1]) / distance] as const;
    const aside = [along[1], -along[0]] as const;
    const trim = NODE + 3;
    const length = Math.max(1, distance - 2 * trim);
    return {
      x: start[0] + along[0] * trim + aside[0] * APART,
      y: start[1] + along[1] * trim + aside[1] * APART,
      along,
      aside,
      length,
      queue: Math.min(QUEUE.share * length, QUEUE.most, wanted(link)),
    };
  });
}

/** A point of a lane: so far along it, and so far away from the other lane. */
export const onLane = (lane: Lane, along: number, aside: number): readonly [number, number] => [
  lane.x + lane.along[0] * along + lane.aside[0] * aside,
  lane.y + lane.along[1] * along + lane.aside[1] * aside,
];

/** A column and a row need so much room, pixels: names stand beside each other where hosts hang. */
const COLUMN = { usual: 100, hanging: 136 };
const ROW = 64;

export const roomFor = (layout: Layout): Room => ({
  width: 2 * AROUND.x + layout.columns * (layout.hangs ? COLUMN.hanging : COLUMN.usual),
  height: AROUND.top + AROUND.bottom + Math.max(0.7, layout.rows[1] - layout.rows[0]) * ROW,
});
