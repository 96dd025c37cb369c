import assert from "node:assert/strict";
import { test } from "node:test";
import { labOf } from "../state";
import { differencesOf } from "./differences";

const check = {
  factors: [{ name: "load", levels: ["1", "16"] }, { name: "queue", levels: ["drop-tail", "PIE"] }],
  points: [{ number: 0, levels: [0, 0] }, { number: 1, levels: [0, 1] }],
};
const run = (more: object) => labOf({ scenario: "bufferbloat", ...more }).run;

test("levels, keys and runs that differ are told, and no others", () => {
  const found = differencesOf(run({ sets: ["a=1", "b=2"] }), run({ sets: ["a=1", "c=x=y"], point: 1, replication: 2 }), check);
  assert.deepEqual(found, [
    { name: "queue", a: "drop-tail", b: "PIE" },
    { name: "b", a: "2", b: "as the scenario has it" },
    { name: "c", a: "as the scenario has it", b: "x=y" },
    { name: "run", a: "0", b: "2" },
  ]);
  assert.deepEqual(differencesOf(run({ sets: ["a=1"] }), run({ sets: ["a=1"] }), check), []);
});

test("of another scenario, or of points that are not known, the names are told", () => {
  assert.deepEqual(differencesOf(run({}), labOf({ source: "text" }).run, check), [{ name: "scenario", a: "bufferbloat", b: "own text" }]);
  assert.deepEqual(differencesOf(run({ point: 7 }), run({}), check)[0], { name: "point", a: "7", b: "0" });
});
