import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import { journeysOf, type Row } from "./byhand.test";
import { eventsFrom } from "./EventTable";
import { onKey } from "./keys";
import { occupancy } from "./occupancy";
import { Player, waysOf } from "./player";
import { happenings, nameOf, story } from "./story";

const LINKS = [
  { name: "a -> r", from: "a", to: "r", rate_bit_s: 8000, delay_s: 1 },
  { name: "r -> b", from: "r", to: "b", rate_bit_s: 8000, delay_s: 1 },
  { name: "b -> r", from: "b", to: "r", rate_bit_s: 8000, delay_s: 1 },
  { name: "r -> a", from: "r", to: "a", rate_bit_s: 8000, delay_s: 1 },
];
const ROWS: Row[] = [
  { link: 0, packet: 1, offered: 0, left: 1, arrived: 2 },
  { link: 0, packet: 2, offered: 0, left: 2, arrived: 3 },
  { link: 1, packet: 1, offered: 2, left: 3, arrived: 4 },
  { link: 1, packet: 2, offered: 3, lost: "queue full" },
  { link: 2, packet: 3, offered: 4, left: 4.1, arrived: 5.1, kind: "ack", bytes: 100 },
  { link: 3, packet: 3, offered: 5.1, left: 5.2, arrived: 6.2, kind: "ack", bytes: 100 },
];
const journeys = () => journeysOf(ROWS, LINKS, [0, 10]);

/** A player whose journeys are those above; it reads no frame. */
function player(): Player {
  const its = new Player(signal<number | null>(null));
  const frame = { head: journeys().head };
  Object.defineProperty(its, "journeys", { value: signal(journeys()) });
  its.frame.value = frame as NonNullable<typeof its.frame.value>;
  its.size.value = { width: 600, height: 200, dot: 1 };
  its.events.value = [
    { kind: "timeout", flow: 0, times: [7, 9] },
    { kind: "fast retransmit", flow: 0, times: [5] },
  ];
  return its;
}

test("the data of a flow say which way is to the right", () => {
  assert.deepEqual(waysOf(journeys()), [[0, 1]]);
  const its = player();
  assert.equal(its.senderOf(0), "a");
  assert.ok(its.layout.value.spots.get("a")!.column < its.layout.value.spots.get("b")!.column);
});

test("the path says which way is to the right where nothing is sent", () => {
  const its = player();
  Object.defineProperty(its, "ways", { value: signal([[], []]) });
  its.path.value = { nodes: [], links: [], flows: [{ by: ["b -> r", "r -> a"] }] };
  assert.ok(its.layout.value.spots.get("b")!.column < its.layout.value.spots.get("a")!.column);
  // A round trip of 4 s in 4 s.
  assert.equal(its.speed.value, 1);
});

test("keys step to events, drops and time-outs, and stay in the frame", () => {
  const its = player();
  const at = (key: string, shift = false) => (onKey(its, key, shift), its.time.value);
  assert.deepEqual(
    ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"].map((key) => at(key)),
    [1, 2, 3, 2],
  );
  assert.deepEqual([at("d"), at("d"), at("t"), at("t"), at("T", true)], [3, 3, 7, 9, 7]);
  assert.deepEqual([at("End"), at("PageDown"), at("Home"), at("PageUp")], [10, 10, 0, 0]);
});

test("a packet that is followed is told where it is, and its own events are stepped to", () => {
  const its = player();
  its.picked.value = 2;
  assert.equal(its.told.value, 1);
  onKey(its, "ArrowRight", true);
  assert.equal(its.time.value, 2);
  onKey(its, "ArrowRight", true);
  assert.deepEqual([its.time.value, its.told.value], [3, 3]);
  its.go(0);
  assert.equal(its.told.value, 1);
});

test("time goes by at the chosen speed until the end", () => {
  const its = player();
  its.choose(2);
  its.play(true);
  its.advance(1.5);
  assert.equal(its.time.value, 3);
  its.advance(10);
  assert.deepEqual([its.time.value, its.playing.value], [10, false]);
  its.play(true);
  assert.deepEqual([its.time.value, its.playing.value], [0, true]);
  onKey(its, "ArrowRight", false);
  assert.equal(its.playing.value, false);
});

test("what happened at a host is seen for a while", () => {
  const its = player();
  its.go(7.5);
  assert.deepEqual(its.signs(1), [{ kind: "timeout", flow: 0, age: 0.5 }]);
  its.go(8.5);
  assert.deepEqual(its.signs(1), []);
});

test("the pointer finds packets and links", () => {
  const its = player();
  its.go(1.5);
  const bar = its.picture.value!.wire[0]![0]!;
  const [x, y] = its.pointOf(0, (bar.from + bar.to) / 2);
  its.point(x, y);
  assert.deepEqual([its.hovered.value, its.overLink.value], [bar.row, 0]);
  its.pick();
  assert.equal(its.picked.value, ROWS[bar.row]!.packet);
  its.point(300, 190);
  assert.deepEqual([its.hovered.value, its.overLink.value], [-1, -1]);
});

test("what is told of a packet and of an instant", () => {
  const its = journeys();
  assert.equal(nameOf(its, 4), "ACK 0 of flow 1");
  assert.deepEqual(
    story(its, 1, 0.5).facts.map((fact) => fact.text),
    [
      "1,000 bytes",
      "waits at a",
      "a -> r: came at 0.000000 s, sent at 1.000000 s after 1 s in the queue",
      "arrives at r at 3.000000 s",
    ],
  );
  assert.match(story(its, 3, 3).facts.at(-1)!.text, /as it came to r -> b: queue full/);
  assert.deepEqual(
    happenings(its, 3).map((each) => each.text),
    [
      "Data 0 to 1,000 of flow 1 is lost at r -> b: queue full.",
      "Data 0 to 1,000 of flow 1 arrives at r.",
      "Data 0 to 1,000 of flow 1 has left r.",
    ],
  );
});

test("events less than a microsecond apart have times that differ", () => {
  const its = player();
  const near = ROWS.map((row) => (row.packet === 2 && row.link === 0 ? { ...row, offered: 0.000_000_032 } : row));
  Object.defineProperty(its, "journeys", { value: signal(journeysOf(near, LINKS, [0, 10])) });
  assert.equal(its.clock.value, "0.00000000 s");
  its.step(1);
  assert.equal(its.clock.value, "0.00000003 s");
  its.step(1);
  assert.equal(its.clock.value, "1.000000 s");
});

test("the table lists what happens, in order", () => {
  const events = eventsFrom(journeys(), 2);
  assert.deepEqual(
    events.slice(0, 4).map((each) => [each.time, each.row, each.what]),
    [
      [2, 0, "arrives"],
      [2, 1, "has left"],
      [2, 2, "comes"],
      [3, 1, "arrives"],
    ],
  );
  assert.ok(events.some((each) => each.what === "lost: queue full"));
});

test("the time bar shows the most that wait in each part", () => {
  const its = journeysOf(
    [0, 0, 0, 4].map((offered, at) => ({ offered, left: [1, 2, 3, 5][at]!, arrived: 9 })),
    undefined,
    [0, 8],
  );
  assert.deepEqual(occupancy(its, 0, [0, 8], 8), [2, 1, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(occupancy(its, 0, [0.5, 4.5], 2), [2, 0]);
  assert.equal(Math.max(...occupancy(its, 0, [0, 8], 3)), its.mostWaiting[0]);
  // One goes at the instant at which the next one comes.
  const inTurn = journeysOf(
    [
      [0, 2],
      [0, 4],
      [2, 6],
    ].map(([offered, left]) => ({ offered: offered!, left: left!, arrived: 9, bytes: 2000 })),
    undefined,
    [0, 8],
  );
  assert.deepEqual([occupancy(inTurn, 0, [0, 8], 4), inTurn.mostWaiting], [[1, 1, 0, 0], [1]]);
});
