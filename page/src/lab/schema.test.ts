import assert from "node:assert/strict";
import { test } from "node:test";
import { keysOf, type Schema } from "./schema";

const quantity: Schema = { type: "string", examples: ["100 ms"] };
const schema: Schema = {
  type: "object",
  properties: {
    duration: { description: "Simulated time.", anyOf: [quantity, { type: "string" }] },
    topology: { anyOf: [{ $ref: "#/$defs/Dumbbell" }, { $ref: "#/$defs/Graph" }] },
    tcp: { $ref: "#/$defs/Tcp" },
    flows: { type: "array", items: { properties: { name: {}, tcp: { $ref: "#/$defs/Tcp" } } } },
  },
  $defs: {
    Dumbbell: { properties: { kind: { anyOf: [{ enum: ["dumbbell"] }] }, rate: { description: "Rate." } } },
    Graph: { properties: { kind: { enum: ["graph"] }, links: { description: "Links." } } },
    Tcp: { properties: { flavor: { description: "Flavor.", enum: ["reno", "cubic"] }, ecn: { type: "boolean" } } },
  },
};

test("keys have meaning, value, and what they may be", () => {
  const rows = keysOf(schema, new Map([["topology.kind", "dumbbell"], ["tcp.flavor", "reno"], ["duration", "30 s"]]));
  const keys = rows.map((each) => each.key);
  assert.deepEqual(keys, ["duration", "topology.kind", "topology.rate", "tcp.flavor", "tcp.ecn"]);
  const flavor = rows.find((each) => each.key === "tcp.flavor");
  assert.deepEqual(flavor, { key: "tcp.flavor", meaning: "Flavor.", now: "reno", choices: ["reno", "cubic"], example: "" });
  assert.deepEqual(rows.find((each) => each.key === "tcp.ecn")?.choices, ["true", "false"]);
  assert.equal(rows[0]?.example, "100 ms");
});

test("keys of lists are found where they have a value", () => {
  const rows = keysOf(schema, new Map([["flows[1].tcp.flavor", "cubic"], ["unknown.key", "1"]]));
  assert.equal(rows.find((each) => each.key === "flows[1].tcp.flavor")?.meaning, "Flavor.");
  assert.equal(rows.find((each) => each.key === "unknown.key")?.meaning, "");
});
