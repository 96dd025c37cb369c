// The levels of a factor beside one of them: paired differences, run by run with the same random numbers.

import { useAnswer } from "../answer";
import { ask, queryNow, textOf } from "../query";
import { number } from "../units";
import { Problems } from "../widgets/Problems";
import { ForestCell, ForestHead, isApart } from "./Forest";
import { levelsOf, usualRoles } from "./means";
import { variedFactors } from "./MeansView";
import { relativeAxis } from "./relative";
import type { Compared, Means } from "./types";

/** Nothing where there is nothing to compare: no factor with two levels. */
export function Compare({ id, means }: { id: string; means: Means | null }) {
  const query = queryNow();
  const base = `/api/campaigns/${encodeURIComponent(id)}`;
  const varied = means ? variedFactors(means).map((each) => ({ ...each, levels: levelsOf(means.rows, each.at) })) : [];
  const usual = means ? usualRoles(means.rows, means.factors.length) : null;
  const by = varied.find((each) => each.name === textOf(query, "by")) ?? varied.find((each) => each.at === usual?.lines) ?? varied[0];
  const asked = textOf(query, "baseline");
  const baseline = by?.levels.includes(asked ?? "") ? asked! : by?.levels[0];
  const pooled = textOf(query, "pooled") !== null;
  const metric = textOf(query, "metric") ?? means?.metrics[0]?.name;
  const body = by && metric ? { by: by.name, baseline: asked === null ? null : baseline, metric, pooled } : undefined;
  const found = useAnswer<Compared>(body ? `${base}/compare` : null, body);
  if (!means || !by) return null;
  const others = varied.filter((each) => each !== by);
  return (
    <section class="sheet" aria-labelledby="compare-title">
      <h2 id="compare-title">Compare</h2>
      <div class="sheet-tools">
        <span class="choose-one">
          <label for="by">levels of</label>
          <select id="by" value={by.name} onChange={(event) => ask({ by: event.currentTarget.value, baseline: null }, "by")}>
            {varied.map((each) => <option key={each.name} value={each.name}>{each.label}</option>)}
          </select>
        </span>
        <span class="choose-one">
          <label for="baseline">with</label>
          <select id="baseline" value={baseline} onChange={(event) => ask({ baseline: event.currentTarget.value }, "baseline")}>
            {by.levels.map((each) => <option key={each} value={each}>{each}</option>)}
          </select>
        </span>
        {others.length > 0 && (
          <label class="check">
            <input type="checkbox" checked={pooled} onChange={(event) => ask({ pooled: event.currentTarget.checked ? "1" : null }, "pooled")} />
            mean over the other factors
          </label>
        )}
      </div>
      <Problems problems={found.problems} />
      {found.value && <Differences its={found.value} others={pooled ? [] : others.map((each) => each.label)} isStale={found.isStale} />}
      {!found.value && found.problems.length === 0 && <p class="hint" role="status">The differences are computed …</p>}
    </section>
  );
}

function Differences({ its, others, isStale }: { its: Compared; others: readonly string[]; isStale: boolean }) {
  const axis = relativeAxis(its.rows.map((each) => each.ratio));
  const width = Math.max(0, ...its.rows.map((each) => each.levels.length));
  return (
    <div aria-busy={isStale} class="fades">
      <p class="finding">{its.sentence}</p>
      <div class="table-scroll tall" tabIndex={0} role="region" aria-label={`${its.metric.label}: differences from ${its.baseline}`}>
        <table class="numbers">
          <caption>{its.metric.label} beside {its.baseline}, 95 % intervals; p is corrected for the number of rows</caption>
          <thead>
            <tr>
              {Array.from({ length: width }, (_, k) => <th key={k} scope="col" class="word">{others[k] ?? ""}</th>)}
              <th scope="col" class="word">level</th>
              <th scope="col">mean</th>
              <th scope="col">difference</th>
              <th scope="col">relative</th>
              <ForestHead axis={axis} />
              <th scope="col">pairs</th>
              <th scope="col">p</th>
            </tr>
          </thead>
          <tbody>
            {its.rows.map((row, k) => (
              <tr key={k} class={row.difference ? "" : "baseline"}>
                {row.levels.map((each, at) => <td key={at} class="word">{each}</td>)}
                <th scope="row" class="word">{row.level}</th>
                <td>{row.mean.text}</td>
                {row.difference ? (
                  <>
                    <td class={isApart(row.difference, 0) ? "apart" : ""}>{row.difference.text}</td>
                    <td>{row.relative ?? "–"}</td>
                    <ForestCell ratio={row.ratio} axis={axis} />
                    <td>{row.pairs}</td>
                    <td>{pText(row.p)}</td>
                  </>
                ) : (
                  <td colSpan={5} class="word muted">baseline</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const LEAST_P = 0.001;

export function pText(p: number | null): string {
  if (p === null) return "–";
  return p < LEAST_P ? `< ${LEAST_P}` : number(p, 2);
}
