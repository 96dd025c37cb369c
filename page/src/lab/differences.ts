// In what two runs differ, in the words of the scenario.

import type { RunState } from "../state";
import { setOf } from "./sets";
import type { Check } from "./types";

export interface Difference {
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

const AS_IT_IS = "as the scenario has it";

/** What is different in B; levels of a sweep by their names where both are points of the scenario that is checked. */
export function differencesOf(a: RunState, b: RunState, check: Pick<Check, "factors" | "points"> | null): Difference[] {
  const isOther = a.scenario !== b.scenario || a.source !== b.source;
  if (isOther) return [{ name: "scenario", a: a.scenario ?? "own text", b: b.scenario ?? "own text" }];
  const keys = [...new Set([...a.sets, ...b.sets].map((set) => set.slice(0, set.indexOf("="))))];
  const sets = keys.map((name) => ({ name, a: setOf(a.sets, name) ?? AS_IT_IS, b: setOf(b.sets, name) ?? AS_IT_IS }));
  const runs = { name: "run", a: String(a.replication), b: String(b.replication) };
  return [...levels(a.point, b.point, check), ...sets, runs].filter((each) => each.a !== each.b);
}

function levels(a: number, b: number, check: Pick<Check, "factors" | "points"> | null): Difference[] {
  const [ofA, ofB] = [a, b].map((point) => check?.points.find((each) => each.number === point)?.levels);
  if (!check || !ofA || !ofB) return [{ name: "point", a: String(a), b: String(b) }];
  return check.factors.map(({ name, levels: its }, k) => ({ name, a: its[ofA[k] ?? 0] ?? "", b: its[ofB[k] ?? 0] ?? "" }));
}
