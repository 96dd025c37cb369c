// Means of a campaign: a chart of one metric against a factor, and the table of all points.

import { useAnswer, type Answer } from "../answer";
import { ask, queryNow, textOf } from "../query";
import { enumerated, inside } from "../words";
import { Problems } from "../widgets/Problems";
import { MeansFigure } from "./MeansFigure";
import { axisOf, levelsOf, linesOf, MOST_LINES, usualRoles, type Roles } from "./means";
import type { FactorName, Means, MetricName } from "./types";

const NONE = "none";

/** The means of all points, of the metrics that the scenario shows. `version` changes when there are more runs. */
export function useMeans(id: string | null, version: unknown = 0): Answer<Means> {
  return useAnswer<Means>(id === null ? null : pathOf(id), undefined, version);
}

function pathOf(id: string): string {
  return `/api/campaigns/${encodeURIComponent(id)}/summary`;
}

/** @param all of `useMeans` */
export function MeansView({ id, all, version = 0 }: { id: string; all: Answer<Means>; version?: unknown }) {
  const query = queryNow();
  const metric = textOf(query, "metric");
  const names = (all.value?.metrics ?? []).map((each) => each.name);
  const isOther = metric !== null && !names.includes(metric) && all.value !== null;
  const other = useAnswer<Means>(isOther ? `${pathOf(id)}?metric=${encodeURIComponent(metric)}` : null, undefined, version);
  const means = isOther ? other : all;
  if (all.problems.length || other.problems.length) return <Problems problems={[...all.problems, ...other.problems]} />;
  if (!means.value) return <p class="hint" role="status">The means are computed …</p>;
  const shown = means.value;
  const chosen = shown.metrics.find((each) => each.name === metric) ?? shown.metrics[0];
  if (!chosen) return <p class="hint">This campaign measured no metric that has a mean.</p>;
  const roles = rolesOf(shown, textOf(query, "x"), textOf(query, "lines"));
  return (
    <section class="sheet" aria-label="Means">
      <div class="sheet-tools">
        <MetricChoice metrics={shown.all_metrics} shown={all.value?.metrics ?? []} now={chosen} />
        <RoleChoice means={shown} roles={roles} />
      </div>
      <MeansChart id={id} means={shown} metric={chosen} roles={roles} version={version} isStale={means.isStale} />
      <MeansTable means={shown} />
      {shown.notes.length > 0 && <ul class="notes">{shown.notes.map((each) => <li key={each}>{each}</li>)}</ul>}
    </section>
  );
}

/** The factors that the address names, or the usual ones. */
function rolesOf(means: Means, axis: string | null, lines: string | null): Roles {
  const usual = usualRoles(means.rows, means.factors.length);
  const at = (name: string | null) => means.factors.findIndex((each) => each.name === name);
  const x = axis === null || at(axis) < 0 ? usual.axis : at(axis);
  if (lines === NONE) return { axis: x, lines: null };
  const others = means.factors.map((_, k) => k).filter((k) => k !== x);
  const wanted = at(lines);
  if (wanted >= 0 && wanted !== x) return { axis: x, lines: wanted };
  const usualLines = usual.lines !== x ? usual.lines : usual.axis !== x ? usual.axis : null;
  return { axis: x, lines: usualLines !== null && others.includes(usualLines) && levelsOf(means.rows, usualLines).length <= MOST_LINES ? usualLines : null };
}

/** Factors that have more than one level, with their places. */
export function variedFactors(means: Means): (FactorName & { readonly at: number })[] {
  return means.factors.map((each, at) => ({ ...each, at })).filter((each) => levelsOf(means.rows, each.at).length > 1);
}

function MetricChoice({ metrics, shown, now }: { metrics: readonly MetricName[]; shown: readonly MetricName[]; now: MetricName }) {
  const names = new Set(shown.map((each) => each.name));
  const others = metrics.filter((each) => !names.has(each.name));
  const option = (each: MetricName) => <option key={each.name} value={each.name}>{each.label}</option>;
  return (
    <span class="choose-one">
      <label for="metric">Metric</label>
      <select id="metric" value={now.name} title={now.name} onChange={(event) => ask({ metric: event.currentTarget.value }, "metric")}>
        <optgroup label="that the scenario shows">{shown.map(option)}</optgroup>
        {others.length > 0 && <optgroup label="others">{others.map(option)}</optgroup>}
      </select>
    </span>
  );
}

function RoleChoice({ means, roles }: { means: Means; roles: Roles }) {
  const varied = variedFactors(means);
  if (varied.length === 0) return null;
  const name = (at: number | null) => (at === null ? NONE : (means.factors[at]?.name ?? NONE));
  return (
    <>
      <span class="choose-one">
        <label for="axis">against</label>
        <select id="axis" value={name(roles.axis)} onChange={(event) => ask({ x: event.currentTarget.value, lines: null }, "axis")}>
          {varied.map((each) => <option key={each.name} value={each.name}>{each.label}</option>)}
        </select>
      </span>
      {varied.length > 1 && (
        <span class="choose-one">
          <label for="lines">a line for each</label>
          <select id="lines" value={name(roles.lines)} onChange={(event) => ask({ lines: event.currentTarget.value }, "lines")}>
            {varied.map((each) => each.at !== roles.axis && <option key={each.name} value={each.name}>{each.label}</option>)}
            <option value={NONE}>none: one line</option>
          </select>
        </span>
      )}
    </>
  );
}

interface ChartProps {
  readonly id: string;
  readonly means: Means;
  readonly metric: MetricName;
  readonly roles: Roles;
  readonly version: unknown;
  readonly isStale: boolean;
}

/** Over the factors that are neither the axis nor lines, the server averages. */
function MeansChart({ id, means, metric, roles, version, isStale }: ChartProps) {
  const kept = [roles.axis, roles.lines].filter((each): each is number => each !== null);
  const over = variedFactors(means).filter((each) => !kept.includes(each.at));
  const by = kept.map((at) => means.factors[at]!.name).join(",");
  const path = `${pathOf(id)}?metric=${encodeURIComponent(metric.name)}&by=${encodeURIComponent(by)}`;
  const averaged = useAnswer<Means>(over.length > 0 && by !== "" ? path : null, undefined, version);
  if (roles.axis === null) return null;
  const isAveraged = over.length > 0;
  if (averaged.problems.length) return <Problems problems={averaged.problems} />;
  if (isAveraged && !averaged.value) return <p class="hint" role="status">The chart is computed …</p>;
  const source = isAveraged ? averaged.value! : means;
  const at = (role: number | null) => (role === null ? null : source.factors.findIndex((each) => each.name === means.factors[role]?.name));
  const its = { axis: at(roles.axis), lines: at(roles.lines) };
  const axis = axisOf(levelsOf(source.rows, its.axis ?? 0));
  const lines = linesOf(source.rows, metric.name, axis, its);
  const beyond = lines.length - MOST_LINES;
  return (
    <>
      <MeansFigure
        title={metric.label}
        unit={metric.unit}
        axis={axis}
        axisName={means.factors[roles.axis]!.label}
        heading={roles.lines === null ? "" : means.factors[roles.lines]!.label}
        lines={lines.slice(0, MOST_LINES)}
        isStale={isStale || averaged.isStale}
      />
      {isAveraged && <p class="hint">Means over all levels of {enumerated(over.map((each) => inside(each.label)))}.</p>}
      {beyond > 0 && <p class="hint">{beyond} more lines are in the table only; choose a factor with fewer levels for the lines.</p>}
    </>
  );
}

/** What the numbers are of. The sweep of a job stands in the table. */
function sourceText(source: string): string {
  return source.split(" · ").filter((each) => !/^(sweep|figures)=/.test(each)).join(" · ");
}

function MeansTable({ means }: { means: Means }) {
  const varied = variedFactors(means);
  const constant = means.factors.map((each, at) => ({ ...each, at })).filter((each) => !varied.some((one) => one.at === each.at));
  const first = means.rows[0]?.levels ?? [];
  const hasVerdicts = means.rows.some((each) => each.verdict);
  return (
    <div class="table-scroll tall" tabIndex={0} role="region" aria-label="Means of all points">
      <table class="numbers">
        <caption>
          {sourceText(means.source)}
          {constant.length > 0 && `; in all runs ${enumerated(constant.map((each) => `${inside(each.label)} ${first[each.at] ?? ""}`))}`}
        </caption>
        <thead>
          <tr>
            {varied.map((each) => <th key={each.name} scope="col" class="word" title={each.name}>{each.label}</th>)}
            {means.metrics.map((each) => <th key={each.name} scope="col" title={each.name}>{each.label}</th>)}
            <th scope="col">runs</th>
            {hasVerdicts && <th scope="col" class="word">verdict</th>}
          </tr>
        </thead>
        <tbody>
          {means.rows.map((row, k) => (
            <tr key={k}>
              {varied.map(({ at }, place) => (place === 0 ? <th key={at} scope="row">{row.levels[at]}</th> : <td key={at} class="word">{row.levels[at]}</td>))}
              {means.metrics.map((each) => <td key={each.name}>{row.values[each.name]?.text ?? "–"}</td>)}
              <td><RunsLink row={row} metric={means.metrics[0]!.name} /></td>
              {hasVerdicts && <td class="word">{row.verdict}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How many runs, and the way to them on a page that lists runs. */
function RunsLink({ row, metric }: { row: Means["rows"][number]; metric: string }) {
  const n = row.values[metric]?.n ?? 0;
  if (row.point === null || !document.getElementById("runs")) return <>{n}</>;
  const point = String(row.point);
  return (
    <button type="button" class="as-link" aria-label={`${n} runs of ${row.levels.join(", ") || "the point"}`} onClick={() => show(point)}>
      {n}
    </button>
  );
}

function show(point: string): void {
  ask({ point });
  document.getElementById("runs")?.scrollIntoView({ block: "start" });
  document.getElementById("runs")?.focus();
}
