import assert from "node:assert/strict";
import test from "node:test";
import type { Slider } from "../lab/types";
import type { RunState } from "../state";
import { apart, comparedText, notAPair, realTime, suggested, valuesOf } from "./asked";
import { fingerprint, remember, remembered } from "./remembered";

const run = (part: Partial<RunState>): RunState => ({ scenario: "red", source: null, sets: [], point: 0, replication: 0, ...part });

test("what differs is told apart from what both have", () => {
  assert.deepEqual(apart(["seed=2", "tcp.flavor=reno"], ["tcp.flavor=cubic", "seed=2"]), {
    a: ["tcp.flavor=reno"],
    b: ["tcp.flavor=cubic"],
    both: ["seed=2"],
  });
  assert.equal(comparedText([], ["tcp.flavor=cubic"]), "A: as the scenario has it. B: tcp.flavor=cubic.");
  assert.equal(comparedText(["x=1", "y=2"], ["x=1"]), "A: y=2. B: as the scenario has it. Both: x=1.");
});

test("a pair is of one scenario, one point and two settings", () => {
  assert.equal(notAPair(run({}), run({ sets: ["tcp.flavor=cubic"] })), null);
  assert.match(notAPair(run({}), run({ scenario: "lte" })) ?? "", /two scenarios/);
  assert.match(notAPair(run({}), run({ point: 1, sets: ["a=1"] })) ?? "", /two points/);
  assert.match(notAPair(run({ sets: ["a=1", "b=2"] }), run({ sets: ["b=2", "a=1"], replication: 3 })) ?? "", /the same/);
});

test("values are written with commas or a line each, and share the last unit", () => {
  assert.deepEqual(valuesOf("5, 10,20 ms"), ["5 ms", "10 ms", "20 ms"]);
  assert.deepEqual(valuesOf("10 Mbit/s\n100 kbit/s\n"), ["10 Mbit/s", "100 kbit/s"]);
  assert.deepEqual(valuesOf("reno, cubic; reno"), ["reno", "cubic"]);
  assert.deepEqual(valuesOf("1, 2, 3"), ["1", "2", "3"]);
  assert.deepEqual(valuesOf(" ,; "), []);
});

test("runs share the processors, and one run has one", () => {
  assert.equal(realTime(2, 10, 4), 2 + 5);
  assert.equal(realTime(2, 1, 4), 2 + 2);
});

test("the job of what is seen is found again; the oldest are forgotten", () => {
  const stored = new Map<string, string>();
  Object.assign(globalThis, { localStorage: { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, text: string) => void stored.set(key, text) } });
  for (let k = 0; k < 60; k++) remember(["state", k], `job-${k}`);
  remember(["state", 59], "job-again");
  assert.equal(remembered(["state", 59]), "job-again");
  assert.equal(remembered(["state", 30]), "job-30");
  assert.equal(remembered(["state", 0]), null);
  stored.set("ackclock-jobs", "{no json");
  assert.equal(remembered(["state", 59]), null);
  assert.notEqual(fingerprint("ab"), fingerprint("ba"));
});

test("what is suggested for a sweep lies around what is set now, inside of the slider", () => {
  const slider: Slider = { key: "k", label: "K", kind: "quantity", unit: "ms", low: 1, high: 30, value: 10, help: "" };
  assert.equal(suggested(slider, 10), "2.5, 5, 10, 20 ms");
  assert.deepEqual(valuesOf(suggested(slider, 10)), ["2.5 ms", "5 ms", "10 ms", "20 ms"]);
  assert.equal(suggested({ ...slider, kind: "number", unit: null, low: 1, high: 100 }, 2), "1, 2, 4, 8");
  assert.equal(suggested({ ...slider, kind: "choice", choices: [{ value: "reno", label: "Reno" }, { value: "cubic", label: "CUBIC" }] }, null), "reno, cubic");
  assert.equal(suggested(slider, null), "");
});
