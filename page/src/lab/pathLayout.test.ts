import assert from "node:assert/strict";
import { test } from "node:test";
import { layoutOf } from "./pathLayout";
import type { Path, PathLink, PathNode } from "./types";

function link(from: string, to: string, bottleneck = false): PathLink {
  const name = `${from} -> ${to}`;
  return { name, from, to, rate: "", delay: "", queue: "", notes: [], bottleneck, rate_bit_s: 1, delay_s: 0, limit_packets: null };
}

function both(...names: readonly string[]): PathLink[] {
  return names.slice(1).flatMap((to, k) => [link(to, names[k]!), link(names[k]!, to)]);
}

function flow(...by: readonly string[]): Path["flows"][number] {
  const names = by.slice(1).map((to, k) => `${by[k]} -> ${to}`);
  return { name: "f", group: null, from: by[0]!, to: by.at(-1)!, by: names, flavor: "", workload: "", count: 1 };
}

function path(links: PathLink[], flows: Path["flows"]): Path {
  const names = [...new Set(links.flatMap((each) => [each.from, each.to]))];
  const nodes = names.map((name): PathNode => ({ name, kind: /^[rS]\d$/.test(name) ? "router" : "host" }));
  return { nodes, links, flows, hidden_links: 0 };
}

function places(of: Path): Record<string, number> {
  return Object.fromEntries(layoutOf(of).nodes.map((each) => [each.name, each.x]));
}

test("data goes from left to right", () => {
  const found = places(path(both("s1", "r1", "r2", "c1"), [flow("s1", "r1", "r2", "c1")]));
  assert.deepEqual(found, { r1: 1, r2: 2, s1: 0, c1: 3 });
});

test("the two directions of a link are one stroke, that of the data first", () => {
  const found = layoutOf(path(both("s1", "r1", "r2", "c1"), [flow("s1", "r1", "r2", "c1")]));
  assert.deepEqual(found.links.map((each) => each.links.map((one) => one.name)), [
    ["s1 -> r1", "r1 -> s1"],
    ["r1 -> r2", "r2 -> r1"],
    ["r2 -> c1", "c1 -> r2"],
  ]);
});

test("hosts that no flow is told of stand with those at their router; many are one", () => {
  const links = [...both("s1", "r1", "r2", "c1"), ...["c2", "c3", "c4"].flatMap((each) => both(each, "r2"))];
  const found = layoutOf(path(links, [flow("s1", "r1", "r2", "c1")]));
  const clients = found.nodes.find((each) => each.name === "c1");
  assert.deepEqual([clients?.x, clients?.count], [3, 4]);
});

test("hosts between routers are above and below them", () => {
  const links = [...both("s1", "r1", "r2", "r3", "c1"), ...both("s2", "r2"), ...both("c2", "r2")];
  const found = layoutOf(path(links, [flow("s1", "r1", "r2", "r3", "c1"), flow("s2", "r2", "r3", "c1"), flow("s1", "r1", "r2", "c2")]));
  const at = (name: string) => found.nodes.find((each) => each.name === name)!;
  assert.deepEqual([at("s2").x, at("c2").x], [1.5, 2.5]);
  assert.notEqual(at("s2").y, at("r2").y);
});

test("a path without flows is drawn, too", () => {
  const found = layoutOf(path([...both("a", "S1", "S2"), ...both("b", "S2")], []));
  assert.deepEqual(found.nodes.map((each) => each.name).sort(), ["S1", "S2", "a", "b"]);
  assert.ok(found.nodes.every((each) => Number.isFinite(each.x) && each.y >= 0));
});

test("flows in a circle end", () => {
  const links = both("r1", "r2", "r3", "r1");
  assert.equal(layoutOf(path(links, [flow("r1", "r2", "r3", "r1")])).nodes.length, 3);
});
