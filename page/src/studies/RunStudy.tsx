// A study as a job: which parts, how many runs of each point, about how long it takes.

import { useSignal } from "@preact/signals";
import { realTime } from "../jobs/asked";
import { countOf, JobForm, TextField, useProcessors } from "../jobs/forms";
import { JobActions, JobProgress } from "../jobs/JobProgress";
import { jobs } from "../jobs/store";
import { isUnderWay } from "../jobs/types";
import { Command } from "../widgets/Command";
import { counted, lasting } from "../words";
import type { Study } from "./types";

export function RunStudy({ study }: { study: Study }) {
  const isOpen = useSignal(false);
  const last = jobs.value?.find((each) => each.study === study.name);
  const isGoing = last !== undefined && isUnderWay(last);
  return (
    <section class="sheet run-study" aria-label="Run this study">
      {last && (isGoing || last.state !== "done") && (
        <>
          <h2><a href={`#/jobs/${last.id}`}>Its job</a></h2>
          <JobProgress counts={last} label={`Study ${study.name}`} />
          <JobActions id={last.id} counts={last} command={last.command} isShort />
        </>
      )}
      {!isGoing && (
        <>
          <button type="button" class="fold-head" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
            {study.ran === null ? "Run this study" : "Run this study again"}
          </button>
          {isOpen.value && <Form study={study} onBegun={() => (isOpen.value = false)} />}
        </>
      )}
    </section>
  );
}

function Form({ study, onBegun }: { study: Study; onBegun: () => void }) {
  const count = useSignal("5");
  const left = useSignal<ReadonlySet<string>>(new Set());
  const processors = useProcessors();
  const hasParts = study.parts.length > 1;
  const chosen = study.parts.filter((each) => !left.value.has(each.name));
  const replications = countOf(count.value, 5);
  const runs = chosen.reduce((sum, each) => sum + each.points, 0) * replications;
  const seconds = chosen.reduce((sum, each) => sum + each.estimate_s, 0) * replications;
  const parts = left.value.size ? chosen.map((each) => each.name) : [];
  const set = (name: string, isIn: boolean) => {
    const next = new Set(left.value);
    if (isIn) next.delete(name);
    else next.add(name);
    left.value = next;
  };
  return (
    <div class="fold-body">
      <JobForm
        label="Run this study"
        action="Run this study"
        isReady={chosen.length > 0}
        onBegun={onBegun}
        body={() => ({ kind: "reproduce", study: study.name, replications, parts })}
      >
        {hasParts && (
          <fieldset class="choices parts">
            <legend>Parts</legend>
            {study.parts.map((each) => (
              <label key={each.name}>
                <input type="checkbox" checked={!left.value.has(each.name)} onChange={(event) => set(each.name, event.currentTarget.checked)} />
                {each.name} <span class="hint">{counted(each.points, "point")}</span>
              </label>
            ))}
          </fieldset>
        )}
        <TextField id="study-count" label="Runs of each point" value={count.value} isNumber onValue={(next) => (count.value = next)} />
        <span class="hint estimate">{counted(runs, "run")}, about {lasting(realTime(seconds / Math.max(1, runs), runs, processors))}</span>
      </JobForm>
      <p class="hint">Or in a terminal:</p>
      <Command text={`${study.command} --replications ${replications}${parts.length ? ` --parts ${parts.join(",")}` : ""}`} />
    </div>
  );
}
