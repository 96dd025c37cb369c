// Beside the differences of two single runs: many pairs of runs, and the differences with intervals.

import { useSignal } from "@preact/signals";
import { check, lab } from "../lab/session";
import { lasting } from "../words";
import { Problems } from "../widgets/Problems";
import { notAPair, realTime } from "./asked";
import { countOf, JobForm, TextField, useProcessors } from "./forms";
import { JobActions, JobProgress } from "./JobProgress";
import { PairTable } from "./PairTable";
import { remember, remembered } from "./remembered";
import { jobs, useProgress } from "./store";
import { isUnderWay, type PairRow } from "./types";

const USUAL = 10;

export function PairOfRuns() {
  const pin = lab.value?.pin;
  const run = lab.value?.run;
  const text = useSignal(String(USUAL));
  const processors = useProcessors();
  // Reading it again when a job began finds that job.
  const known = jobs.value;
  if (!pin || !run) return null;
  const what = [pin.scenario, pin.source, pin.point, pin.sets, run.sets];
  const id = remembered(what);
  const isKnown = known === null || known.some((each) => each.id === id);
  const problem = notAPair(pin, run);
  const count = countOf(text.value, USUAL);
  const cost = check.value?.cost.estimate_s ?? null;
  const isGoing = known?.some((each) => each.id === id && isUnderWay(each)) ?? false;
  return (
    <section class="metrics pair" aria-labelledby="pair-title">
      <h2 id="pair-title">With intervals</h2>
      {problem !== null ? (
        <p class="hint">{problem}</p>
      ) : (
        <>
          {!(id !== null && isKnown) && (
            <p class="hint">Of one run each, a difference may be chance. Pairs of runs with the same random numbers tell how sure it is.</p>
          )}
          {!isGoing && (
            <JobForm
              label="Compare with intervals"
              action={id !== null && isKnown ? "Compare again" : "Compare with intervals"}
              body={() => ({ ...pin, replication: 0, kind: "pair", b: run.sets, replications: count })}
              onBegun={(begun) => {
                remember(what, begun);
                jobs.value = [...(jobs.value ?? [])];
              }}
            >
              <TextField id="pair-count" label="Pairs" value={text.value} isNumber onValue={(written) => (text.value = written)} />
              {cost !== null && <span class="hint estimate">about {lasting(realTime(cost, 2 * count, processors))}</span>}
            </JobForm>
          )}
          {id !== null && isKnown && <PairOfJob key={id} id={id} a={pin.sets} b={run.sets} />}
        </>
      )}
    </section>
  );
}

function PairOfJob({ id, a, b }: { id: string; a: readonly string[]; b: readonly string[] }) {
  const { progress, problems } = useProgress(id);
  const job = jobs.value?.find((each) => each.id === id);
  const counts = progress.value ?? job;
  if (!counts) return <Problems problems={problems.value} />;
  return (
    <>
      {(counts.state !== "done" || counts.failed > 0) && <JobProgress counts={counts} label="Pairs of runs" />}
      <PairTable rows={(progress.value?.rows ?? []) as readonly PairRow[]} a={a} b={b} />
      <JobActions id={id} counts={counts} command={job?.command ?? null} isShort />
      <p class="hint"><a href={`#/jobs/${id}`}>This job</a>{job?.campaign && <> · <a href={`#/campaigns/${job.campaign}`}>its campaign, with all metrics</a></>}</p>
    </>
  );
}
