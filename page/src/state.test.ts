import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { address, labOf, pack, parse, unpack, type LabState, type Route, type RunState } from "./state";

function record<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
const id = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((text) => !text.includes("/")), {
  minLength: 1,
  maxLength: 2,
}).map((parts) => parts.join("/"));
const count = fc.nat({ max: 1000 });
const rest = { sets: fc.array(word, { maxLength: 3 }), point: count, replication: count };
const run: fc.Arbitrary<RunState> = fc.oneof(
  record({ scenario: id, source: fc.constant(null), ...rest }),
  record({ scenario: fc.constant(null), source: fc.string({ unit: "grapheme", maxLength: 200 }), ...rest }),
);
const seconds = fc.double({ min: 0, max: 1e6, noNaN: true }).map((each) => each + 0);
const range = fc
  .tuple(seconds, seconds)
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => [Math.min(from, to), Math.max(from, to)] as const);
const lab: fc.Arbitrary<LabState> = record({
  run,
  pin: fc.option(run),
  window: fc.option(range),
  time: fc.option(seconds),
  flows: fc.array(word, { maxLength: 3 }),
  link: fc.option(word),
  open: fc.array(word, { maxLength: 2 }),
});
const query = fc.array(fc.tuple(word, word), { maxLength: 3 });
const route: fc.Arbitrary<Route> = fc.oneof(
  lab.map((its) => ({ page: "lab", lab: its }) as const),
  record({ page: fc.constantFrom("lesson" as const, "study" as const), id, query }),
  record({ page: fc.constant("campaign run" as const), id, number: count, query }),
  record({ page: fc.constantFrom("start", "lessons", "campaigns", "studies", "help") }),
);

test("route to address to route is the identity", async () => {
  await fc.assert(
    fc.asyncProperty(route, async (its) => assert.deepEqual(await parse(`#${await address(its)}`), its)),
    { numRuns: 300 },
  );
});

test("address to route to address is the identity", async () => {
  const addresses = [
    "/",
    "/lab/slow_start",
    "/lab/yours/mine?set=topology.bottleneck.rate=10+Mbit/s&set=tcp.flavor=cubic&point=2&x=2.95,3.2&t=3.03&flow=1",
    "/lab/slow_start?flow=1&link=a+to+b&open=sequence&pin=/slow_start%3Fset=tcp.flavor=reno",
    "/lessons",
    "/lessons/01-slow-start?step=2",
    "/campaigns/a/runs/12?x=1,2",
    "/campaigns/a?metric=goodput&by=flavor",
    "/help",
  ];
  for (const each of addresses) assert.equal(await address(await parse(each)), each);
});

test("what cannot be read is left away", async () => {
  const read = await parse("#/lab/slow_start?x=3,1&t=soon&point=-1&rep=1.5&set=%E0%A4%A&pin=nothing");
  assert.deepEqual(read, {
    page: "lab",
    lab: { ...labOf({ scenario: "slow_start", sets: ["%E0%A4%A"] }), pin: labOf({ scenario: "nothing" }).run },
  });
  assert.deepEqual(await parse("#/lab?toml=!!!"), { page: "missing", path: "/lab" });
  assert.deepEqual(await parse("#/lab"), { page: "missing", path: "/lab" });
  assert.deepEqual(await parse("#/nowhere?x=1"), { page: "missing", path: "/nowhere" });
});

test("text is deflated", async () => {
  const text = "[topology]\nkind = \"dumbbell\"\n".repeat(200);
  const packed = await pack(text);
  assert.ok(packed.length < text.length / 10);
  assert.equal(await unpack(packed), text);
  assert.equal(await unpack("a"), null);
});

test("a key may have an equals sign in it", async () => {
  const route: Route = { page: "campaign", id: "a", query: [["=k", "v=w"]] };
  assert.deepEqual(await parse(`#${await address(route)}`), route);
});
