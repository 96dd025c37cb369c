import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { journeysOf, type Row } from "./byhand.test";
import type { Place } from "./journeys";

test("a packet waits for the one before it, is sent, and is under way", () => {
  const its = journeysOf([
    { offered: 0, left: 1, arrived: 3 },
    { offered: 0.5, left: 2, arrived: 4 },
  ]);
  assert.deepEqual([...its.start], [0, 1]);
  const places: [number, Place, Place][] = [
    [0, "sending", "before"],
    [0.5, "sending", "waiting"],
    [1, "on the wire", "sending"],
    [2, "on the wire", "on the wire"],
    [3, "past", "on the wire"],
    [4, "past", "past"],
  ];
  for (const [time, first, second] of places)
    assert.deepEqual([its.placeAt(0, time), its.placeAt(1, time)], [first, second], `at ${time} s`);
  assert.deepEqual(its.alongAt(0, 0.5), [0, 0.25]);
  assert.deepEqual(its.alongAt(0, 1.5), [0.25, 0.75]);
  assert.deepEqual(its.alongAt(0, 2.5), [0.75, 1]);
  assert.deepEqual(its.mostWaiting, [1]);
});

test("a packet that a discipline drops waits until then", () => {
  const its = journeysOf([{ offered: 1, dropped: 4, lost: "early drop" }]);
  assert.deepEqual(
    [1, 3.9, 4].map((time) => its.placeAt(0, time)),
    ["waiting", "waiting", "lost"],
  );
  assert.deepEqual([its.mostWaiting, its.waited], [[1], [3]]);
  assert.equal(its.nextLoss(1, 1), 4);
});

test("a packet is lost when it comes to a full queue, or half way along the wire", () => {
  const its = journeysOf([
    { offered: 1, lost: "queue full" },
    { offered: 2, left: 3, lost: "on the wire" },
  ]);
  assert.deepEqual([...its.gone], [1, 4]);
  assert.equal(its.placeAt(0, 1), "lost");
  assert.equal(its.placeAt(1, 3.9), "on the wire");
  assert.equal(its.placeAt(1, 4), "lost");
  assert.deepEqual(its.at(4.5, 1).falling, [1]);
  assert.deepEqual(its.at(5.5, 1).falling, []);
  assert.deepEqual(
    [its.nextLoss(0, 1), its.nextLoss(1, 1), its.nextLoss(4, 1), its.nextLoss(4, -1)],
    [1, 4, undefined, 1],
  );
});

test("a link that has become slower sends all the time; one that pauses does not", () => {
  const slower = journeysOf(
    [0, 0, 0, 0].map((offered, at) => ({ offered, left: at === 0 ? 1 : 1 + 4 * at, arrived: 100 })),
  );
  assert.deepEqual([...slower.start], [0, 4, 5, 9]);
  const pause = journeysOf([0, 0, 0].map((offered, at) => ({ offered, left: [1, 9, 10][at]!, arrived: 100 })));
  assert.deepEqual([...pause.start], [0, 8, 9]);
});

test("a rounding error is no wait", () => {
  const its = journeysOf([{ offered: 1, left: 2.0000000000000004, arrived: 4 }]);
  assert.deepEqual([its.start[0], its.mostWaiting[0]], [1, 0]);
});

test("those that wait are in the order in which they will be sent", () => {
  const its = journeysOf([
    { offered: 0, left: 1, arrived: 3 },
    { offered: 0.1, left: 3, arrived: 5 },
    { offered: 0.2, left: 2, arrived: 4 },
    // It is still there when the run ends.
    { offered: 0.3 },
  ]);
  assert.deepEqual(its.at(0.5, 0), { waiting: [[2, 1, 3]], moving: [[0]], falling: [] });
});

test("steps go to the next instant at which something happens", () => {
  const its = journeysOf([
    { offered: 0, left: 1, arrived: 3 },
    { offered: 0.5, left: 2, arrived: 4 },
  ]);
  const seen = [0];
  for (let time = its.nextEvent(0, 1); time !== undefined; time = its.nextEvent(time, 1)) seen.push(time);
  assert.deepEqual(seen, [0, 0.5, 1, 2, 3, 4]);
  assert.equal(its.nextEvent(3, -1), 2);
  assert.equal(
    its.nextEvent(0.5, 1, (row) => row === 1),
    2,
  );
});

test("a frame that begins later says from when on all packets are in it", () => {
  const its = journeysOf(
    [
      { offered: 10, left: 11, arrived: 13 },
      { offered: 10.5, left: 12, arrived: 14 },
    ],
    undefined,
    [10, 20],
  );
  assert.equal(its.completeFrom, 13.5);
});

/** Packets of any sizes over two links in a row, first come, first served; some are lost. */
const network = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 30 }),
      bytes: fc.integer({ min: 1, max: 20 }),
      lost: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((list) => {
    const links = [
      { name: "1", from: "a", to: "b", rate_bit_s: 800, delay_s: 0.7 },
      { name: "2", from: "b", to: "c", rate_bit_s: 400, delay_s: 0.3 },
    ];
    const rows: Row[] = [];
    const free = [0, 0];
    let now = 0;
    list.forEach(({ gap, bytes, lost }, packet) => {
      now += gap / 100;
      let offered = now;
      for (const link of [0, 1]) {
        if (lost === link) return void rows.push({ link, packet, offered, bytes, lost: "queue full" });
        const left = Math.max(offered, free[link]!) + (bytes * 8) / links[link]!.rate_bit_s;
        free[link] = left;
        if (lost === 2 + link) return void rows.push({ link, packet, offered, left, bytes, lost: "on the wire" });
        rows.push({ link, packet, offered, left, arrived: left + links[link]!.delay_s, bytes });
        offered = left + links[link]!.delay_s;
      }
    });
    rows.sort((a, b) => a.offered - b.offered);
    return { links, rows, end: free[1]! + 2 };
  });

test("each packet is at exactly one place at each time", () => {
  fc.assert(
    fc.property(
      network,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }),
      ({ links, rows, end }, shares) => {
        const its = journeysOf(rows, links, [0, end]);
        const events = rows.flatMap((row) => [row.offered, row.left ?? 0]);
        for (const time of [...shares.map((share) => share * end), ...events]) {
          const scene = its.at(time, Infinity);
          const seen = new Map<number, number>();
          const all = [...scene.waiting.flat(), ...scene.moving.flat(), ...scene.falling];
          for (const row of all) seen.set(rows[row]!.packet!, (seen.get(rows[row]!.packet!) ?? 0) + 1);
          const packets = new Set(rows.map((row) => row.packet!));
          for (const packet of packets) {
            const mine = rows.filter((row) => row.packet === packet);
            const last = mine.at(-1)!;
            const hasCome = time >= mine[0]!.offered;
            const hasArrived = last.arrived !== undefined && time >= last.arrived;
            assert.equal(seen.get(packet) ?? 0, hasCome && !hasArrived ? 1 : 0, `packet ${packet} at ${time} s`);
          }
        }
      },
    ),
  );
});

test("a link sends one packet at a time, at its rate, and one that waits sees the link busy", () => {
  fc.assert(
    fc.property(network, fc.double({ min: 0, max: 1, noNaN: true }), ({ links, rows, end }, share) => {
      const its = journeysOf(rows, links, [0, end]);
      const scene = its.at(share * end, 0);
      for (const link of [0, 1]) {
        const sending = scene.moving[link]!.filter((row) => its.placeAt(row, share * end) === "sending");
        assert.ok(sending.length <= 1);
        // Rounding may leave an instant between two packets.
        if (scene.waiting[link]!.length > 0 && sending.length === 0)
          assert.ok(scene.waiting[link]!.some((row) => its.start[row]! - share * end < 1e-9));
        assert.ok(scene.waiting[link]!.length <= its.mostWaiting[link]!);
      }
      for (let row = 0; row < its.count; row += 1) {
        const [tail, head] = its.alongAt(row, share * end);
        assert.ok(tail >= 0 && tail <= head && head <= 1);
      }
    }),
  );
});
