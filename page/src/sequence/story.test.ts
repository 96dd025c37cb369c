import assert from "node:assert/strict";
import { test } from "node:test";
import { ACK, DATA, Segments } from "./segments";
import { acknowledgedBy, fate, says, sackedBy, story, why } from "./story";

// Four segments of 100 bytes: the second is lost, two duplicate ACKs with SACK report it, it goes out again.
const ROWS = [
  [0, "ack", 0, 0, 0, 0, ""],
  [0, "window", 1000, 1000, 0, 0, ""],
  [0, "data", 0, 100, 0, 0, ""],
  [0, "data", 100, 200, 0, 1, ""],
  [0.1, "ack", 100, 100, 0, 0, ""],
  [0.1, "window", 1100, 1100, 0, 0, ""],
  [0.1, "data", 200, 300, 0, 0, ""],
  [0.1, "data", 300, 400, 0, 0, ""],
  [0.2, "ack", 100, 100, 0, 0, ""],
  [0.2, "sack", 200, 300, 0, 0, ""],
  [0.21, "ack", 100, 100, 0, 0, ""],
  [0.21, "sack", 200, 400, 0, 0, ""],
  [0.21, "data", 100, 200, 1, 0, "fast retransmit"],
  [0.31, "ack", 400, 400, 0, 0, ""],
  [0.35, "data", 400, 500, 0, 0, ""],
  [0.36, "data", 500, 600, 0, 0, ""],
  [0.5, "data", 500, 600, 1, 0, ""],
  [0.55, "ack", 600, 600, 0, 0, ""],
] as const;
const from = (first: number): Segments => {
  const rows = ROWS.slice(first);
  return new Segments(
    rows.map((row) => row[0]),
    rows.map((row) => row[1]),
    rows.map((row) => row[2]),
    rows.map((row) => row[3]),
    rows.map((row) => row[4]),
    rows.map((row) => row[5]),
    (row) => rows[row]?.[6] ?? "",
  );
};
const SEGMENTS = from(0);
const row = (time: number, kind: string, low: number): number =>
  ROWS.findIndex((each) => each[0] === time && each[1] === kind && each[2] === low);

test("why a segment was sent", () => {
  const reasons = [
    [0, 0, "ACK 0 came at this instant: it opens the connection"],
    [0.1, 200, "ACK 100 came at this instant: it acknowledges 100 bytes"],
    [0.1, 300, "ACK 100 came at this instant: it acknowledges 100 bytes"],
    [0.21, 100, "fast retransmit; ACK 100 came at this instant: it is the 2nd duplicate"],
    [0.35, 400, "all before it was acknowledged: the application wrote more"],
    [0.36, 500, "the last ACK came 50 ms before: the pacer let it go, or the application wrote more"],
    [0.5, 500, "the last ACK came 190 ms before: a timer, or the pacer"],
  ] as const;
  for (const [time, low, expected] of reasons) assert.equal(why(SEGMENTS, row(time, "data", low)), expected);
});

test("what became of a segment", () => {
  assert.equal(fate(SEGMENTS, row(0, "data", 0)), "acknowledged at 0.100000 s, 100 ms after it was sent");
  assert.equal(
    fate(SEGMENTS, row(0, "data", 100)),
    "lost in the network; sent again at 0.210000 s; its bytes acknowledged at 0.310000 s, 310 ms after it was sent",
  );
  assert.equal(
    fate(SEGMENTS, row(0.1, "data", 200)),
    "SACKed at 0.200000 s, 100 ms after it was sent; acknowledged at 0.310000 s, 210 ms after it was sent",
  );
  assert.match(fate(SEGMENTS, row(0.36, "data", 500)), /^it was not lost, but no ACK said so in time.*not needed$/);
});

test("which ACK acknowledges, and which range reports", () => {
  assert.equal(acknowledgedBy(SEGMENTS, row(0, "data", 100)), row(0.31, "ack", 400));
  assert.equal(sackedBy(SEGMENTS, row(0.1, "data", 300)), row(0.21, "sack", 200));
  assert.equal(sackedBy(SEGMENTS, row(0, "data", 100)), -1);
  assert.equal(SEGMENTS.kind[row(0.31, "ack", 400)], ACK);
  assert.equal(SEGMENTS.kind[row(0.35, "data", 400)], DATA);
});

test("duplicates before what is shown are not counted", () => {
  const first = row(0.1, "data", 200);
  const later = from(first);
  assert.equal(says(later, row(0.2, "ack", 100) - first), "the first one that is shown");
  assert.equal(says(later, row(0.21, "ack", 100) - first), "it is a duplicate");
});

test("what an ACK says, and what it released", () => {
  assert.equal(says(SEGMENTS, row(0.2, "ack", 100)), "it is the 1st duplicate");
  assert.equal(says(SEGMENTS, row(0.31, "ack", 400)), "it acknowledges 300 bytes");
  const { title, facts } = story(SEGMENTS, row(0.21, "ack", 100));
  assert.equal(title, "ACK 100");
  assert.deepEqual(
    facts.map((fact) => fact.text),
    ["0.210000 s", "it is the 2nd duplicate; by SACK: 200 to 400", "it released 1 segment"],
  );
});
