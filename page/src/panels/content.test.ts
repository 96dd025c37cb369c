import assert from "node:assert/strict";
import { test } from "node:test";
import { Frame } from "../frame";
import { written } from "../frame.test.help";
import type { RunFrame, RunHead } from "../lab/types";
import { contentOf } from "./content";
import { readings } from "./Readout";
import { stateAt, statesIn, stripsOf } from "./stateStrips";

const ARRAYS = {
  t: [0, 1, 2],
  cwnd: [1000, 3000, 2000],
  ssthresh: [9000, 9000, 1500],
  late: [2],
  small: [500],
  state: { words: ["slow start", "recovery", "conservative slow start 1", "conservative slow start 2"], numbers: [0, 1, 2] },
};

function series(name: string, flow: number | null, x: string, y: string, connection = 0) {
  return { id: `${name} ${flow}`, name, flow, connection, step: true, until: 3, x, y };
}

function run(flows: readonly string[] = ["a"], more: object[] = [], until = 3): RunFrame {
  const head = {
    kind: "run",
    done: 1,
    simulated_s: 3,
    duration_s: 3,
    flows: flows.map((name, number) => ({ number, name, group: null, flavor: "reno" })),
    panels: [
      {
        id: "cwnd",
        title: "Congestion window",
        unit: "bytes",
        series: [series("cwnd", 0, "t", "cwnd"), series("ssthresh", 0, "t", "ssthresh"), ...more],
        limits: [{ name: "near", y: 4000 }, { name: "far", y: 90000 }],
      },
    ],
    strips: [{ flow: 0, connection: 0, until, x: "t", state: "state" }],
    marks: [{ kind: "timeout", flow: 0, x: "late" }, { kind: "drop", flow: 0, x: "late" }],
  };
  return new Frame<RunHead>(written(head, ARRAYS));
}

const shown = { live: run(), pinned: null, range: [0, 3] as const, palette: (name: string) => name };

test("a panel is as high as what matters in it", () => {
  const content = contentOf("cwnd", shown)!;
  assert.ok(content.top > 4000 && content.top < 6000, "a high ssthresh and a far limit do not press the lines down");
  assert.deepEqual(content.limits.map((each) => each.name), ["near"]);
  assert.deepEqual(content.marks.map((each) => each.kind), ["timeout"]);
});

test("lines are named once: by quantity for one flow, by flow for several, by run where two are compared", () => {
  const labels = (content: ReturnType<typeof contentOf>) => content?.lines.map((each) => each.label);
  assert.deepEqual(labels(contentOf("cwnd", shown)), ["cwnd", "ssthresh"]);
  const two = run(["a", "b"], [series("cwnd", 1, "late", "small"), series("cwnd", 1, "late", "small", 1)]);
  assert.deepEqual(labels(contentOf("cwnd", { ...shown, live: two })), ["a", "", "", "b"]);
  assert.deepEqual(labels(contentOf("cwnd", { ...shown, pinned: run() })), ["B", "A"]);
});

test("a flow of run A has the colour of its namesake in B, or one that B does not have", () => {
  const live = run(["x", "a"], [series("cwnd", 1, "late", "small")]);
  const pinned = run(["a", "y"], [series("cwnd", 1, "late", "small")]);
  const lines = contentOf("cwnd", { ...shown, live, pinned })!.lines;
  assert.deepEqual(lines.map((each) => [each.of, each.look.color]), [
    ["B x", "series-1"],
    ["B a", "series-2"],
    ["A a", "series-2"],
    ["A y", "series-4"],
  ]);
});

test("there is no panel that no run has", () => {
  assert.equal(contentOf("queue", shown), null);
});

test("a read-out has a row a flow and a column a quantity; with one row the quantities are rows", () => {
  const scale = { factor: 1e-3, unit: "kB" };
  const one = readings(contentOf("cwnd", shown)!.lines, 1.5, scale);
  assert.deepEqual(one.rows.map((each) => [each.name, ...each.values]), [["cwnd", "3 kB"], ["ssthresh", "9 kB"]]);
  const live = run(["a", "b"], [series("cwnd", 1, "late", "small")]);
  const { lines } = contentOf("cwnd", { ...shown, live })!;
  assert.deepEqual(readings(lines, 2.5, scale).rows.map((each) => [each.name, ...each.values]), [
    ["a", "2 kB", "1.5 kB"],
    ["b", "0.5 kB", ""],
  ]);
  assert.deepEqual(readings(lines, 2.5, scale).heads, ["cwnd", "ssthresh"]);
  assert.equal(readings(lines, -1, scale).rows.length, 0);
});

test("a strip tells the state at a time, and nothing once the last one holds no more", () => {
  const [strip] = stripsOf(shown.live);
  assert.equal(strip?.name, "state");
  assert.deepEqual([-1, 0, 1.5, 2.5].map((at) => stateAt(strip!, at)), ["", "slow start", "recovery", "conservative slow start 1"]);
  const [done] = stripsOf(run(["a"], [], 2.4));
  assert.deepEqual([2.3, 2.5].map((at) => stateAt(done!, at)), ["conservative slow start 1", ""]);
  assert.deepEqual(statesIn([strip!]), ["slow start", "recovery", "conservative slow start"]);
});
