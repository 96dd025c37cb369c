// What a run of a campaign has recorded, in the panels of the lab.

import { computed, signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { useAnswer } from "../answer";
import { getFrame, Refused, server, type Problem } from "../client";
import { MetricGrid, MetricsHead } from "../lab/Metrics";
import type { RunFrame, RunHead } from "../lab/types";
import { ScopeContext, scopeOf, type Scope } from "../panels/scope";
import { TimePanels } from "../panels/TimePanels";
import { ask, queryNow, textOf } from "../query";
import type { Range } from "../view";
import { tidy } from "../canvas/range";
import { inside } from "../words";
import { Problems } from "../widgets/Problems";
import { OpenInLab } from "./OpenInLab";
import type { FactorName, Means, RunRow, Runs } from "./types";
import "./campaigns.css";

const NOTHING = { frame: signal(null), stale: signal(false), problems: signal([]) };

export function RunPage({ id, number }: { id: string; number: number }) {
  const base = `/api/campaigns/${encodeURIComponent(id)}`;
  const runs = useAnswer<Runs>(`${base}/runs?from=${number}`);
  const means = useAnswer<Means>(`${base}/summary`).value;
  const run = runs.value?.runs.find((each) => each.number === number);
  const { frame, problems, scope } = useTrace(id, run?.recorded ? number : null);
  const title = means?.title ?? "Campaign";
  const found = [...runs.problems, ...problems.value];
  useEffect(() => void (document.title = `${title}, run ${number} – ackclock lab`), [title]);
  return (
    <main class="sheets">
      <p class="trail"><a href="#/campaigns">Campaigns</a> › <a href={`#/campaigns/${encodeURIComponent(id)}`}>{title}</a></p>
      <div class="lab-head">
        <div>
          <h1>Run {number}</h1>
          <p class="facts">{run ? factsOf(run, means?.factors ?? []) : " "}</p>
        </div>
        <div class="actions">
          <Neighbours id={id} number={number} total={runs.value?.total ?? 0} />
          <OpenInLab path={`${base}/runs/${number}/state`} what={`run ${number}`} />
        </div>
      </div>
      <Problems problems={found} />
      {run && !run.recorded ? (
        <p class="state-line">{run.failed !== null ? `This run has failed: ${run.failed}` : "Nothing was recorded over time in this run. Open it in the lab: that makes it again, with all its panels."}</p>
      ) : (
        !frame.value && found.length === 0 && <p class="hint state-line" role="status">The traces are read …</p>
      )}
      {/* The panels measure their width before the first frame is asked for. */}
      <div class="run-body" hidden={(problems.value.length > 0 && !frame.value) || (run && !run.recorded)}>
        <h2 class="unseen">Over time</h2>
        <ScopeContext.Provider value={scope}><TimePanels /></ScopeContext.Provider>
        {frame.value && <Numbers frame={frame.value} />}
      </div>
    </main>
  );
}

/** The traces of a run for the part in sight, drawn for as many columns as there are. Of `null` nothing is asked. */
function useTrace(id: string, number: number | null) {
  const frame = useSignal<RunFrame | null>(null);
  const stale = useSignal(false);
  const problems = useSignal<readonly Problem[]>([]);
  const window = useComputed<Range | null>(() => rangeOf(textOf(queryNow(), "x")));
  const scope = useMemo(() => {
    const duration = computed(() => frame.value?.head.duration_s ?? 1);
    const live = { frame, stale, problems };
    return scopeOf({ live, pinned: NOTHING, duration, window, columns: signal(0), cursor: signal<number | null>(null), zoom: (range, gesture) => zoom(range, duration.value, gesture) });
  }, []) as Scope;
  const columns = scope.columns.value;
  const range = window.value?.join("&to=");
  const isThere = server.value === "there";
  useEffect(() => {
    if (number === null || columns === 0 || !isThere) return;
    const abort = new AbortController();
    stale.value = frame.peek() !== null;
    const part = range === undefined ? "" : `&from=${range}`;
    getFrame<RunHead>(`/api/campaigns/${encodeURIComponent(id)}/runs/${number}/trace?width=${columns}${part}`, abort.signal).then(
      (found) => {
        problems.value = [];
        stale.value = false;
        frame.value = found;
      },
      (error: unknown) => {
        if (!abort.signal.aborted && error instanceof Refused) problems.value = error.problems;
      },
    );
    return () => abort.abort();
  }, [id, number, columns, range, isThere]);
  return { frame, problems, scope };
}

function rangeOf(text: string | null): Range | null {
  const [from, to] = (text ?? "").split(",").map(Number);
  return from !== undefined && to !== undefined && from < to ? [from, to] : null;
}

function zoom(range: Range | null, end: number, gesture?: string): void {
  ask({ x: (range && tidy(range, end))?.join(",") ?? null }, gesture);
}

function factsOf(run: RunRow, factors: readonly FactorName[]): string {
  const levels = run.levels.map((each, at) => `${inside(factors[at]?.label ?? "")} ${each}`.trim());
  return [...levels, `replication ${run.replication}`, `seed ${run.seed}`, run.verdict ?? ""].filter(Boolean).join(" · ");
}

function Neighbours({ id, number, total }: { id: string; number: number; total: number }) {
  const to = (other: number) => `#/campaigns/${encodeURIComponent(id)}/runs/${other}`;
  return (
    <nav class="neighbours" aria-label="Runs">
      {number > 0 && <a href={to(number - 1)}>‹ run {number - 1}</a>}
      {number + 1 < total && <a href={to(number + 1)}>run {number + 1} ›</a>}
    </nav>
  );
}

function Numbers({ frame }: { frame: RunFrame }) {
  const isAll = useSignal(false);
  return (
    <section class="sheet" aria-label="Metrics">
      <MetricsHead title="Metrics" isAll={isAll} />
      <MetricGrid frame={frame} isAll={isAll.value} />
    </section>
  );
}
