// A sweep has factors, each with levels: a select chooses a level, and so a point.

import { useComputed } from "@preact/signals";
import { idOf } from "../widgets/ids";
import { shortName } from "./names";
import { changeRun, check, hold, lab } from "./session";
import type { Check } from "./types";

/** The point where factor `at` has `level`, and the others stay as they are as far as there is such a point. */
export function pointWith(points: Check["points"], now: number, at: number, level: number): number {
  const levels = points.find((each) => each.number === now)?.levels ?? [];
  const same = (other: readonly number[]) => other.filter((each, k) => k !== at && each === levels[k]).length;
  const fitting = points.filter((each) => each.levels[at] === level).sort((one, other) => same(other.levels) - same(one.levels));
  return fitting[0]?.number ?? now;
}

export function Points() {
  const point = useComputed(() => lab.value?.run.point ?? 0);
  const found = check.value;
  if (!found || found.factors.length === 0) return null;
  const levels = found.points.find((each) => each.number === point.value)?.levels ?? [];
  return (
    <fieldset class="points">
      <legend>Point {point.value} of the sweep</legend>
      {found.factors.map((factor, k) => (
        <div key={factor.name} class="field choice">
          <label for={idOf(`factor-${k}`)} title={factor.name}>{shortName(factor.name)}</label>
          <select
            id={idOf(`factor-${k}`)}
            value={String(levels[k] ?? 0)}
            onChange={(event) => {
              const level = Number(event.currentTarget.value);
              // Another point may have other links and flows.
              hold();
              changeRun((run) => ({ point: pointWith(found.points, run.point, k, level) }));
            }}
          >
            {factor.levels.map((level, number) => (
              <option key={number} value={String(number)}>{level}</option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}
