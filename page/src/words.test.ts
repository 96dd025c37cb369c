import assert from "node:assert/strict";
import test from "node:test";
import { counted, enumerated, inside, lasting } from "./words";

test("one has a form of its own", () => {
  assert.equal(counted(1, "run"), "1 run");
  assert.equal(counted(0, "run"), "0 runs");
  assert.equal(counted(12_000, "pair"), "12,000 pairs");
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
