// The runs of a campaign, each with its traces and the state of the lab that gives it again.

import { useSignal } from "@preact/signals";
import { useAnswer } from "../answer";
import { ask, queryNow, textOf } from "../query";
import { counted } from "../words";
import { Problems } from "../widgets/Problems";
import { OpenInLab } from "./OpenInLab";
import type { FactorName, Runs } from "./types";

const SHOWN = 50;

export function RunsTable({ id, factors }: { id: string; factors: readonly FactorName[] }) {
  const most = useSignal(SHOWN);
  const base = `/api/campaigns/${encodeURIComponent(id)}`;
  const found = useAnswer<Runs>(`${base}/runs`);
  const point = textOf(queryNow(), "point");
  const all = found.value?.runs ?? [];
  const runs = point === null ? all : all.filter((each) => String(each.point) === point);
  return (
    <section class="sheet" id="runs" tabIndex={-1} aria-labelledby="runs-title">
      <h2 id="runs-title">Runs</h2>
      <Problems problems={found.problems} />
      {!found.value && found.problems.length === 0 && <p class="hint" role="status">The runs are read …</p>}
      {point !== null && (
        <p class="hint">
          {counted(runs.length, "run")} of {(runs[0]?.levels ?? []).join(", ") || `point ${point}`}.{" "}
          <button type="button" class="as-link" onClick={() => ask({ point: null })}>Show all {all.length}</button>
        </p>
      )}
      {runs.length > 0 && <Table id={id} factors={factors} runs={runs.slice(0, most.value)} />}
      {runs.length > most.value && (
        <button type="button" onClick={() => (most.value += 10 * SHOWN)}>Show {Math.min(10 * SHOWN, runs.length - most.value)} more of {runs.length}</button>
      )}
      {found.value && found.value.total > all.length && (
        <p class="hint">The first {all.length} of {counted(found.value.total, "run")} are listed; `ackclock show` has all.</p>
      )}
    </section>
  );
}

function Table({ id, factors, runs }: { id: string; factors: readonly FactorName[]; runs: Runs["runs"] }) {
  const hasVerdicts = runs.some((each) => each.verdict !== null);
  return (
    <div class="table-scroll tall" tabIndex={0} role="region" aria-label="Runs, one a row">
      <table class="numbers">
        <caption class="unseen">Runs</caption>
        <thead>
          <tr>
            <th scope="col">run</th>
            {(runs[0]?.levels ?? []).map((_, at) => <th key={at} scope="col" class="word">{factors[at]?.label ?? `factor ${at + 1}`}</th>)}
            <th scope="col">replication</th>
            <th scope="col">seed</th>
            {hasVerdicts && <th scope="col" class="word">verdict</th>}
            <th scope="col" class="word">recorded</th>
            <th scope="col" class="word"><span class="unseen">Open</span></th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.number}>
              <th scope="row">{run.number}</th>
              {run.levels.map((each, at) => <td key={at} class="word">{each}</td>)}
              <td>{run.replication}</td>
              <td>{run.seed}</td>
              {hasVerdicts && <td class="word">{run.verdict ?? "–"}</td>}
              <td class="word">
                {run.failed !== null ? (
                  <span class="warn">failed: {run.failed}</span>
                ) : run.recorded ? (
                  <a href={`#/campaigns/${encodeURIComponent(id)}/runs/${run.number}`} aria-label={`Traces of run ${run.number}`}>traces</a>
                ) : (
                  <span class="muted">numbers only</span>
                )}
              </td>
              <td class="word"><OpenInLab path={`/api/campaigns/${encodeURIComponent(id)}/runs/${run.number}/state`} what={`run ${run.number}`} isLink /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
