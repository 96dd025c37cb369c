// What the run measured; and of two runs, how they differ.

import { useComputed, useSignal, type Signal } from "@preact/signals";
import { number } from "../units";
import { differencesOf } from "./differences";
import { shortName } from "./names";
import { check, lab, live, pinned, scope } from "./session";
import type { Metric, RunFrame } from "./types";

export function Metrics() {
  const isAll = useSignal(false);
  const looks = useComputed(() => (scope.late.value ? "metrics is-late" : "metrics"));
  const frame = live.complete.value;
  if (!frame?.head.metrics) return null;
  const other = pinned.complete.value;
  return (
    <section class={looks} aria-label="Metrics" aria-busy={live.stale}>
      <MetricsHead title={other ? "A and B" : "Metrics"} isAll={isAll} />
      {other && <WhatDiffers />}
      {other ? <Differences live={frame} pinned={other} isAll={isAll.value} /> : <OfOne frame={frame} isAll={isAll.value} />}
    </section>
  );
}

/** Those that the scenario asks for; all if it asks for none that there is. */
export function shownMetrics(metrics: readonly Metric[], isAll: boolean): readonly Metric[] {
  const asked = metrics.filter((each) => each.shown);
  return isAll || asked.length === 0 ? metrics : asked;
}

/** A title, and whether all metrics are shown. */
export function MetricsHead({ title, isAll }: { title: string; isAll: Signal<boolean> }) {
  return (
    <header class="part-head">
      <h2>{title}</h2>
      <label class="check">
        <input type="checkbox" checked={isAll.value} onChange={(event) => (isAll.value = event.currentTarget.checked)} />
        all
      </label>
    </header>
  );
}

/** Name and value of each metric. */
export function MetricGrid({ frame, isAll }: { frame: RunFrame; isAll: boolean }) {
  return (
    <dl class="metric-grid">
      {shownMetrics(frame.head.metrics ?? [], isAll).map((each) => (
        <div key={each.name} title={each.name}>
          <dt>{each.label}</dt>
          <dd>{each.text}</dd>
        </div>
      ))}
    </dl>
  );
}

function OfOne({ frame, isAll }: { frame: RunFrame; isAll: boolean }) {
  return (
    <>
      <MetricGrid frame={frame} isAll={isAll} />
      {(frame.head.flow_metrics ?? []).length > 1 && <OfFlows frame={frame} isAll={isAll} />}
    </>
  );
}

/** What is shown of each flow unless all is asked for. */
const OF_A_FLOW = ["goodput_bit_s", "rtt_p50_s", "queue_delay_p50_s", "segments_retransmitted", "timeouts", "fast_retransmits", "completion_s", "page_delay_s"];

function OfFlows({ frame, isAll }: { frame: RunFrame; isAll: boolean }) {
  const flows = frame.head.flow_metrics ?? [];
  // Only what at least one flow has.
  const columns = (flows[0]?.values ?? []).filter(
    ({ name }, k) => (isAll || OF_A_FLOW.includes(name)) && flows.some((each) => (each.values[k]?.value ?? null) !== null),
  );
  const name = (flow: number) => frame.head.flows.find((each) => each.number === flow)?.name ?? String(flow);
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Metrics of the drawn flows">
      <table class="numbers">
        <caption>Of the drawn flows</caption>
        <thead>
          <tr>
            <th scope="col">flow</th>
            {columns.map((each) => <th key={each.name} scope="col">{each.label}</th>)}
          </tr>
        </thead>
        <tbody>
          {flows.map((flow) => (
            <tr key={flow.flow}>
              <th scope="row">{name(flow.flow)}</th>
              {columns.map((each) => <td key={each.name}>{flow.values.find((one) => one.name === each.name)?.text ?? "–"}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What was changed between the two. */
function WhatDiffers() {
  const now = lab.value;
  if (!now?.pin) return null;
  const found = differencesOf(now.pin, now.run, check.value);
  if (found.length === 0) return <p class="hint">A and B are the same run. Change something.</p>;
  return (
    <ul class="differs" aria-label="What differs">
      {found.map(({ name, a, b }) => (
        <li key={name}>
          <span title={name}>{shortName(name)}</span>: {a} <span aria-label="in B">→</span> <strong>{b}</strong>
        </li>
      ))}
    </ul>
  );
}

/** B against A in words: a factor of the same sign, or nothing. */
export function ratioText(a: number | null, b: number | null): string {
  if (a === null || b === null || a === 0 || b / a < 0) return "–";
  const ratio = b / a;
  if (ratio >= 2 || ratio <= 0.5) return `× ${number(ratio, 3)}`;
  const percent = (ratio - 1) * 100;
  return `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${number(Math.abs(percent), 3)} %`;
}

function Differences({ live: b, pinned: a, isAll }: { live: RunFrame; pinned: RunFrame; isAll: boolean }) {
  const metrics = shownMetrics(b.head.metrics ?? [], isAll);
  const ofA = new Map(a.head.metrics?.map((each) => [each.name, each]));
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Metrics of A and B">
      <table class="numbers">
        <caption>Of these two runs; other seeds may give other differences</caption>
        <thead>
          <tr>
            <th scope="col">metric</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
            <th scope="col">B to A</th>
          </tr>
        </thead>
        <tbody>
          {metrics.map((each) => (
            <tr key={each.name}>
              <th scope="row" title={each.name}>{each.label}</th>
              <td>{ofA.get(each.name)?.text ?? "–"}</td>
              <td>{each.text}</td>
              <td>{ratioText(ofA.get(each.name)?.value ?? null, each.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
