// What a job asks for, in words and in the body of the request: pure functions of what is seen.

import type { Slider } from "../lab/types";
import type { RunState } from "../state";
import { enumerated } from "../words";

/** The sets of A only, of B only, and of both. */
export function apart(a: readonly string[], b: readonly string[]): { a: string[]; b: string[]; both: string[] } {
  return {
    a: a.filter((each) => !b.includes(each)),
    b: b.filter((each) => !a.includes(each)),
    both: a.filter((each) => b.includes(each)),
  };
}

/** Why two runs cannot be compared with intervals; null: they can. */
export function notAPair(a: RunState, b: RunState): string | null {
  if (a.scenario !== b.scenario || a.source !== b.source) {
    return "A and B are of two scenarios. Pairs need one scenario; change a key of it instead.";
  }
  if (a.point !== b.point) return "A and B are two points of the sweep. Pairs need one point; sweep the factor below Many runs instead.";
  if (JSON.stringify([...a.sets].sort()) === JSON.stringify([...b.sets].sort())) return "A and B are the same. Change a key of B.";
  return null;
}

/** What is compared, without how it came out: "A: tcp.flavor=reno. B: as the scenario has it." */
export function comparedText(a: readonly string[], b: readonly string[]): string {
  const its = apart(a, b);
  const side = (sets: readonly string[]) => (sets.length ? enumerated(sets) : "as the scenario has it");
  return `A: ${side(its.a)}. B: ${side(its.b)}.${its.both.length ? ` Both: ${enumerated(its.both)}.` : ""}`;
}

/** The values of a list as a person writes it: "10 ms, 20 ms" or a line each. */
export function valuesOf(text: string): string[] {
  const parts = text.split(/[\n,;]+/).map((each) => each.trim()).filter(Boolean);
  return [...new Set(withUnits(parts))];
}

/** "5, 10, 20 ms": numbers without a unit have that of the last value. */
function withUnits(parts: readonly string[]): string[] {
  const unit = /^[-+]?[\d.]+(?:e[-+]?\d+)?\s*([a-zA-Zµ%].*)$/.exec(parts[parts.length - 1] ?? "")?.[1];
  if (!unit) return [...parts];
  return parts.map((each) => (/^[-+]?[\d.]+(?:e[-+]?\d+)?$/.test(each) ? `${each} ${unit}` : each));
}

/** Until a job has begun. */
const START_S = 2;

/** About how long a job takes, s: `each` of processor time a run, on so many processors. */
export function realTime(each: number, runs: number, processors: number): number {
  return START_S + (each * runs) / Math.max(1, Math.min(processors, runs));
}

/** Values worth a try for a key that a slider has: all choices, or from a quarter to four times what it is now. */
export function suggested(slider: Slider, now: number | null): string {
  if (slider.kind === "choice") return (slider.choices ?? []).map((each) => String(each.value)).join(", ");
  if (slider.kind === "switch") return "false, true";
  if (now === null || now <= 0) return "";
  const { low, high } = slider;
  const inside = [0.25, 0.5, 1, 2, 4].map((each) => Number((each * now).toPrecision(4))).filter((each) => each >= (low ?? 0) && each <= (high ?? Infinity));
  const whole = Number.isInteger(now) && !slider.unit ? [...new Set(inside.map(Math.round))] : inside;
  return whole.join(", ") + (slider.unit ? ` ${slider.unit}` : "");
}
