import assert from "node:assert/strict";
import test from "node:test";
import { counted, decimalsOfInstants, enumerated, inside, instant, lasting, ordinal } from "./words";

test("one has a form of its own", () => {
  assert.equal(counted(1, "run"), "1 run");
  assert.equal(counted(0, "run"), "0 runs");
  assert.equal(counted(12_000, "pair"), "12,000 pairs");
  assert.equal(counted(1448, "byte"), "1,448 bytes");
});

test("lengths of time are coarse, and never nothing", () => {
  assert.deepEqual([0.2, 8.4, 99, 130, 3600, 9000, 90_000].map(lasting), ["1 s", "8.4 s", "99 s", "2.2 min", "60 min", "2.5 h", "25 h"]);
});

test("a label in a sentence begins small, but for abbreviations", () => {
  assert.deepEqual(["Queue limit", "TCP flavor", "RTT"].map(inside), ["queue limit", "TCP flavor", "RTT"]);
});

test("an enumeration has one 'and'", () => {
  assert.equal(enumerated([]), "");
  assert.equal(enumerated(["a"]), "a");
  assert.equal(enumerated(["a", "b", "c"]), "a, b and c");
});

test("instants have microseconds, and nanoseconds where these tell them apart", () => {
  assert.equal(instant(3.0213450004), "3.021345 s");
  assert.equal(decimalsOfInstants([]), 6);
  assert.equal(decimalsOfInstants([1, 1, 1.5]), 6);
  const near = [1.25, 1.250000032, 1.5];
  assert.equal(decimalsOfInstants(near), 8);
  assert.deepEqual(near.map((each) => instant(each, 8)), ["1.25000000 s", "1.25000003 s", "1.50000000 s"]);
  assert.equal(decimalsOfInstants([1, 1 + 1e-11]), 9);
});

test("places in an order", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"]);
});
