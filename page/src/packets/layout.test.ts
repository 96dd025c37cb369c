import assert from "node:assert/strict";
import { test } from "node:test";
import { centre, lanes, layout, onLane, roomFor } from "./layout";

const both = (...pairs: (readonly [string, string])[]) =>
  pairs.flatMap(([from, to]) => [
    { from, to },
    { from: to, to: from },
  ]);
const wayOf = (links: readonly { from: string; to: string }[], ...nodes: string[]) =>
  nodes.slice(1).map((to, at) => links.findIndex((link) => link.from === nodes[at] && link.to === to));

test("a dumbbell goes from the senders to the receivers", () => {
  const links = both(["r1", "r2"], ["c1", "r2"], ["c2", "r2"], ["s1", "r1"], ["s2", "r1"]);
  const its = layout(links, [wayOf(links, "s1", "r1", "r2", "c1"), wayOf(links, "s2", "r1", "r2", "c2")]);
  const columns = Object.fromEntries([...its.spots].map(([name, spot]) => [name, spot.column]));
  assert.deepEqual(columns, { r1: 0.65, r2: 1.65, c1: 2.3, c2: 2.3, s1: 0, s2: 0 });
  assert.deepEqual([its.spots.get("s1")!.row, its.spots.get("s2")!.row], [-0.5, 0.5]);
  assert.deepEqual([its.columns, its.rows], [2.3, [-0.5, 0.5]]);
});

test("hosts of which nothing is known are beside those of their router", () => {
  const links = both(["r1", "r2"], ["c1", "r2"], ["c2", "r2"], ["s1", "r1"], ["s2", "r1"]);
  const its = layout(links, [wayOf(links, "s1", "r1", "r2", "c1")]);
  assert.equal(its.spots.get("s2")!.column, its.spots.get("s1")!.column);
  assert.equal(its.spots.get("c2")!.column, its.spots.get("c1")!.column);
});

test("a flow that goes against the first one sends from the right", () => {
  const links = both(["r1", "r2"], ["c1", "r2"], ["c2", "r2"], ["s1", "r1"], ["s2", "r1"]);
  const its = layout(links, [wayOf(links, "s1", "r1", "r2", "c1"), wayOf(links, "c2", "r2", "r1", "s2")]);
  assert.equal(its.spots.get("c2")!.column, its.columns);
  assert.equal(its.spots.get("s2")!.column, 0);
});

test("in a parking lot the hosts of the inner routers hang below them", () => {
  const links = both(["r1", "r2"], ["r2", "r3"], ["r3", "r4"], ["s1", "r1"], ["c1", "r4"], ["s2", "r2"], ["c2", "r3"]);
  const its = layout(links, [wayOf(links, "s1", "r1", "r2", "r3", "r4", "c1"), wayOf(links, "s2", "r2", "r3", "c2")]);
  assert.deepEqual(
    ["r1", "r2", "r3", "r4"].map((name) => its.spots.get(name)!.column),
    [0.65, 1.65, 2.65, 3.65],
  );
  assert.deepEqual([its.spots.get("s2")!.column, its.spots.get("s2")!.row], [1.3499999999999999, 1]);
  assert.deepEqual([its.spots.get("c2")!.column, its.spots.get("c2")!.row], [2.9499999999999997, 1]);
});

test("two hosts and a link between them are a picture too", () => {
  const its = layout(both(["servers", "clients"]), [[0]]);
  assert.deepEqual(
    [...its.spots.values()].map((spot) => spot.column),
    [0, 1],
  );
});

test("the two directions of a link are apart, and a queue is at the beginning of its own", () => {
  const links = both(["a", "b"]);
  const its = layout(links, [[0]]);
  const [there, back] = lanes(its, { width: 500, height: 200 }, links, (link) => (link === 0 ? 60 : 0)) as [
    ReturnType<typeof lanes>[0],
    ReturnType<typeof lanes>[0],
  ];
  assert.ok(there.y < back.y && there.x < back.x);
  assert.deepEqual(
    [there.along, back.along],
    [
      [1, 0],
      [-1, 0],
    ],
  );
  assert.deepEqual([there.queue, back.queue], [60, 0]);
  const [x, y] = onLane(there, 10, 5);
  assert.deepEqual([x, y], [there.x + 10, there.y - 5]);
});

test("no two nodes of six hops lie on each other, in the least room", () => {
  const routers = ["r1", "r2", "r3", "r4", "r5", "r6", "r7"];
  const pairs: [string, string][] = routers.slice(1).map((to, at) => [routers[at]!, to]);
  for (let hop = 1; hop <= 6; hop += 1) pairs.push([`s${hop}`, `r${hop}`], [`c${hop}`, `r${hop + 1}`]);
  pairs.push(["s0", "r1"], ["c0", "r7"]);
  const links = both(...pairs);
  const ways = [
    wayOf(links, "s0", ...routers, "c0"),
    ...[1, 2, 3, 4, 5, 6].map((hop) => wayOf(links, `s${hop}`, `r${hop}`, `r${hop + 1}`, `c${hop}`)),
  ];
  const its = layout(links, ways);
  const names = [...its.spots.keys()];
  assert.equal(names.length, 21);
  for (const one of names) {
    for (const other of names) {
      if (one === other) continue;
      const [a, b] = [centre(its, roomFor(its), one), centre(its, roomFor(its), other)];
      assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) > 26, `${one} and ${other}`);
    }
  }
});
