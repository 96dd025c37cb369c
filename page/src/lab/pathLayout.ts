// Where nodes and links of a path are in its picture: data goes from left to right.

import type { Path, PathLink, PathNode } from "./types";

export interface PlacedNode {
  readonly name: string;
  readonly kind: PathNode["kind"];
  /** Hosts that are one in the picture. */
  readonly count: number;
  readonly x: number;
  readonly y: number;
  /** Its name stands above it: below it are others. */
  readonly isAbove: boolean;
}

/** The two directions of a link, or several such links between hosts that are one in the picture. */
export interface PlacedLink {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  /** The direction that data goes, first. */
  readonly links: readonly PathLink[];
}

export interface Layout {
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly PlacedLink[];
  readonly columns: number;
  readonly rows: number;
}

/** Hosts of one router that are drawn each; more are one. */
const MOST_HOSTS = 3;

interface Spot {
  readonly names: string[];
  readonly kind: PathNode["kind"];
  x: number;
  y: number;
  isAbove: boolean;
}

export function layoutOf(path: Path): Layout {
  const forward = new Set(path.flows.flatMap((flow) => flow.by));
  const spots = spotsOf(path, forward);
  const of = new Map(spots.flatMap((spot) => spot.names.map((name) => [name, spot] as const)));
  const nodes = new Map(
    spots.map((spot) => [spot, { name: spot.names[0]!, kind: spot.kind, count: spot.names.length, x: spot.x, y: spot.y, isAbove: spot.isAbove }]),
  );
  const pairs = new Map<string, { ends: [Spot, Spot]; links: PathLink[] }>();
  for (const link of path.links) {
    const [one, other] = [of.get(link.from), of.get(link.to)];
    if (!one || !other) continue;
    const ends: [Spot, Spot] = one.x < other.x || (one.x === other.x && one.y <= other.y) ? [one, other] : [other, one];
    const key = ends.map((each) => spots.indexOf(each)).join(" ");
    const pair = pairs.get(key) ?? { ends, links: [] };
    pair.links.push(link);
    pairs.set(key, pair);
  }
  const links = [...pairs.values()].map(({ ends, links: its }) => ({
    from: nodes.get(ends[0])!,
    to: nodes.get(ends[1])!,
    links: its.sort((a, b) => Number(b.bottleneck) - Number(a.bottleneck) || Number(forward.has(b.name)) - Number(forward.has(a.name))),
  }));
  const placed = [...nodes.values()];
  const columns = 1 + Math.max(0, ...placed.map((each) => each.x));
  const rows = 1 + Math.max(0, ...placed.map((each) => each.y));
  return { nodes: placed, links, columns, rows };
}

/** Nodes in columns: those which data comes to later are farther to the right. */
function spotsOf(path: Path, forward: ReadonlySet<string>): Spot[] {
  const spots = gathered(path);
  const of = new Map(spots.flatMap((spot) => spot.names.map((name) => [name, spot] as const)));
  const steps = stepsOf(path, forward, of);
  // Flows may go in a circle: then the rounds end the pushing.
  for (let round = 0; round < spots.length; round++) {
    let isMoved = false;
    for (const [from, to] of steps) {
      if (from.kind === "host" || to.kind === "host") continue;
      if (to.x >= from.x + 1 || from.x >= spots.length) continue;
      to.x = from.x + 1;
      isMoved = true;
    }
    if (!isMoved) break;
  }
  beside(spots, steps);
  stacked(spots);
  return spots;
}

type Step = readonly [from: Spot, to: Spot];

/** From where to where data goes. Of a link that no flow is told of: its first direction, and as the hosts beside it do. */
function stepsOf(path: Path, forward: ReadonlySet<string>, of: ReadonlyMap<string, Spot>): Step[] {
  const part = partsOf(path);
  const isKnown = new Set<string>();
  const steps: Step[] = [];
  for (const isForward of [true, false]) {
    for (const link of path.links) {
      const [from, to] = [of.get(link.from), of.get(link.to)];
      const pair = [link.from, link.to].sort().join("\n");
      if (!from || !to || from === to || forward.has(link.name) !== isForward) continue;
      if (!isForward && isKnown.has(pair)) continue;
      isKnown.add(pair);
      const host = from.kind === "host" ? link.from : to.kind === "host" ? link.to : null;
      const receives = host !== null && part.get(host) === "receives";
      const isTurned = !isForward && host !== null && receives === (from.kind === "host");
      steps.push(isTurned ? [to, from] : [from, to]);
    }
  }
  return steps;
}

/** Senders stand before the router that they send to, receivers behind theirs; half a column where routers go on. */
function beside(spots: readonly Spot[], steps: readonly Step[]): void {
  const inner = spots.filter((each) => each.kind !== "host");
  const [first, last] = [Math.min(...inner.map((each) => each.x)), Math.max(...inner.map((each) => each.x))];
  for (const host of spots.filter((each) => each.kind === "host")) {
    const to = steps.find(([from]) => from === host)?.[1];
    const from = steps.find(([, end]) => end === host)?.[0];
    if (to) host.x = to.kind === "host" ? 0 : to.x - (to.x === first ? 1 : 0.5);
    else if (from) host.x = from.kind === "host" ? 1 : from.x + (from.x === last ? 1 : 0.5);
  }
  const least = Math.min(0, ...spots.map((each) => each.x));
  for (const spot of spots) spot.x -= least;
}

/** Rows: routers along the middle, hosts at the ends around it, hosts between two routers above and below. */
function stacked(spots: readonly Spot[]): void {
  for (const x of new Set(spots.map((each) => each.x))) {
    const column = spots.filter((each) => each.x === x);
    const isBetween = !Number.isInteger(x - Math.min(...spots.filter((each) => each.kind !== "host").map((each) => each.x)));
    column.forEach((spot, k) => {
      const turn = Math.floor(k / 2) + 1;
      spot.y = isBetween ? (k % 2 ? turn : -turn) : k - (column.length - 1) / 2;
      spot.isAbove = isBetween && spot.y < 0;
    });
  }
  const top = Math.min(...spots.map((each) => each.y));
  for (const spot of spots) spot.y -= top;
}

/** Hosts with the same neighbours and the same part in the flows are one spot where there are many. */
function gathered(path: Path): Spot[] {
  const near = new Map<string, Set<string>>();
  for (const link of path.links) {
    for (const [node, other] of [[link.from, link.to], [link.to, link.from]] as const) {
      near.set(node, (near.get(node) ?? new Set()).add(other));
    }
  }
  const part = partsOf(path);
  const groups = new Map<string, string[]>();
  for (const node of path.nodes.filter((each) => each.kind === "host")) {
    const neighbours = [...(near.get(node.name) ?? [])].sort();
    const key = JSON.stringify([neighbours, part.get(node.name)]);
    groups.set(key, [...(groups.get(key) ?? []), node.name]);
  }
  const spots: Spot[] = path.nodes
    .filter((each) => each.kind !== "host")
    .map((each) => ({ names: [each.name], kind: each.kind, x: 0, y: 0, isAbove: false }));
  for (const names of groups.values()) {
    if (names.length > MOST_HOSTS) spots.push({ names, kind: "host", x: 0, y: 0, isAbove: false });
    else spots.push(...names.map((name): Spot => ({ names: [name], kind: "host", x: 0, y: 0, isAbove: false })));
  }
  return spots;
}

/** Which hosts send and which receive; of those that no flow is told of, what others at the same router do. */
function partsOf(path: Path): ReadonlyMap<string, "sends" | "receives"> {
  const part = new Map<string, "sends" | "receives">();
  for (const flow of path.flows) part.set(flow.from, "sends").set(flow.to, "receives");
  const told = new Set(part.keys());
  const ofRouter = new Map<string, "sends" | "receives">();
  for (const link of path.links) if (told.has(link.from)) ofRouter.set(link.to, part.get(link.from)!);
  for (const link of path.links) {
    const its = ofRouter.get(link.from);
    const isHost = path.nodes.some((each) => each.name === link.to && each.kind === "host");
    if (its && isHost && !told.has(link.to)) part.set(link.to, its);
  }
  return part;
}
