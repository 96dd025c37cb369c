// Below the panels of the lab: what needs many runs, and so a job.

import { useSignal } from "@preact/signals";
import { check, lab, sliders } from "../lab/session";
import { numberOf, setOf } from "../lab/sets";
import type { Slider } from "../lab/types";
import { counted, lasting } from "../words";
import { realTime, suggested, valuesOf } from "./asked";
import { countOf, JobForm, TextField, useProcessors } from "./forms";
import { JobActions, JobProgress } from "./JobProgress";
import { jobs, useProgress } from "./store";

export function ManyRuns() {
  const begun = useSignal<string | null>(null);
  const onBegun = (id: string) => (begun.value = id);
  if (!lab.value) return null;
  return (
    <div class="many">
      <p class="hint">Many runs make a job. It goes on in a process of its own when this page is closed, and its runs are a campaign in your folder.</p>
      <div class="many-forms">
        <SweepOfKey onBegun={onBegun} />
        <SweepOfScenario onBegun={onBegun} />
        <SizeOfBuffer onBegun={onBegun} />
      </div>
      {begun.value !== null && <Begun key={begun.value} id={begun.value} />}
    </div>
  );
}

interface Props {
  readonly onBegun: (id: string) => void;
}

/** About how long so many runs take; null: the server has not said what one takes. */
function useEstimate(): (runs: number) => string | null {
  const processors = useProcessors();
  const cost = check.value?.cost.estimate_s;
  return (runs) => (cost === undefined ? null : `${counted(runs, "run")}, about ${lasting(realTime(cost, runs, processors))}`);
}

/** The key that was changed last; else the first that has a number. */
function usualKey(): string {
  const sets = lab.value?.run.sets ?? [];
  const last = sets[sets.length - 1];
  if (last) return last.slice(0, last.indexOf("="));
  return (sliders.value.find((each) => each.kind === "quantity") ?? sliders.value[0])?.key ?? "";
}

/** The number of a slider now, in its unit. */
function numberNow(slider: Slider): number | null {
  const text = setOf(lab.value?.run.sets ?? [], slider.key);
  if (text !== null) return numberOf(slider, text);
  const found = check.value?.values[slider.key]?.value ?? slider.value;
  return typeof found === "number" ? found : null;
}

function valuesFor(key: string): string {
  const slider = sliders.value.find((each) => each.key === key);
  return slider ? suggested(slider, numberNow(slider)) : "";
}

function SweepOfKey({ onBegun }: Props) {
  const chosen = useSignal<string | null>(null);
  const written = useSignal<string | null>(null);
  const count = useSignal("5");
  const estimate = useEstimate();
  const key = chosen.value ?? usualKey();
  const text = written.value ?? valuesFor(key);
  const values = valuesOf(text);
  const replications = countOf(count.value, 5);
  const keys = [...new Set([...sliders.value.map((each) => each.key), ...(check.value?.keys ?? []).map((each) => each.key)])];
  return (
    <section aria-labelledby="sweep-title">
      <h3 id="sweep-title">Sweep a key</h3>
      <JobForm
        label="Sweep a key"
        action="Sweep this key"
        isReady={key !== "" && values.length > 0}
        onBegun={onBegun}
        body={() => ({ ...lab.value!.run, replication: 0, kind: "sweep", key, values, replications })}
      >
        <span class="job-field wide">
          <label for="sweep-key">Key</label>
          <input
            id="sweep-key"
            type="text"
            list="sweep-keys"
            value={key}
            // At each letter: what arrives from the server meanwhile would else take a half-written key away.
            onInput={(event) => {
              chosen.value = event.currentTarget.value.trim();
              written.value = null;
            }}
          />
          <datalist id="sweep-keys">{keys.map((each) => <option key={each} value={each} />)}</datalist>
        </span>
        <TextField id="sweep-values" label="Values" wide value={text} hint="With commas; the last one's unit is that of all." onValue={(next) => (written.value = next)} />
        <TextField id="sweep-count" label="Runs of each" value={count.value} isNumber onValue={(next) => (count.value = next)} />
        <span class="hint estimate">{values.length > 0 && estimate(values.length * replications)}</span>
      </JobForm>
    </section>
  );
}

/** The sweep that the scenario has of its own. */
function SweepOfScenario({ onBegun }: Props) {
  const count = useSignal("5");
  const estimate = useEstimate();
  const found = check.value;
  if (!found || found.factors.length === 0) return null;
  const replications = countOf(count.value, 5);
  return (
    <section aria-labelledby="own-sweep-title">
      <h3 id="own-sweep-title">Run the scenario's sweep</h3>
      <p class="hint">{found.factors.map((each) => `${each.name}: ${each.levels.length} levels`).join("; ")}.</p>
      <JobForm
        label="Run the scenario's sweep"
        action={`Run all ${found.points.length} points`}
        onBegun={onBegun}
        body={() => ({ ...lab.value!.run, replication: 0, kind: "sweep", replications })}
      >
        <TextField id="own-sweep-count" label="Runs of each" value={count.value} isNumber onValue={(next) => (count.value = next)} />
        <span class="hint estimate">{estimate(found.points.length * replications)}</span>
      </JobForm>
    </section>
  );
}

function SizeOfBuffer({ onBegun }: Props) {
  const target = useSignal("utilisation >= 98 %");
  return (
    <section aria-labelledby="size-title">
      <h3 id="size-title">Size the buffer</h3>
      <p class="hint">The smallest buffer of the bottleneck with which this holds is searched for.</p>
      <JobForm
        label="Size the buffer"
        action="Search"
        isReady={target.value.trim() !== ""}
        onBegun={onBegun}
        body={() => ({ ...lab.value!.run, replication: 0, kind: "size-buffer", target: target.value.trim() })}
      >
        <TextField id="size-target" label="Target" wide value={target.value} hint="A metric, a sign and a value." onValue={(next) => (target.value = next)} />
      </JobForm>
    </section>
  );
}

/** The job that was begun here last. */
function Begun({ id }: { id: string }) {
  const { progress } = useProgress(id);
  const job = jobs.value?.find((each) => each.id === id);
  const counts = progress.value ?? job;
  if (!counts || !job) return null;
  return (
    <div class="begun">
      <h3><a href={`#/jobs/${id}`}>{job.title}</a></h3>
      <JobProgress counts={counts} label={job.title} />
      <JobActions id={id} counts={counts} command={job.command} isShort />
      <p><a href={`#/jobs/${id}`}>{counts.state === "done" ? "See the result" : "See the result so far"}</a></p>
    </div>
  );
}
