// All jobs of the user's folder, those under way first.

import { useEffect } from "preact/hooks";
import { counted, when } from "../words";
import { Problems } from "../widgets/Problems";
import { JobActions, JobProgress } from "./JobProgress";
import { jobs, loadJobs, problems } from "./store";
import { isUnderWay, type Job, type Kind } from "./types";
import "./jobs.css";

export const KINDS: Readonly<Record<Kind, string>> = {
  pair: "A and B with intervals",
  sweep: "sweep",
  "size-buffer": "size of a buffer",
  reproduce: "published study",
};

export function JobList() {
  useEffect(() => {
    document.title = "Jobs – ackclock lab";
    void loadJobs();
  }, []);
  const all = jobs.value;
  const first = (all ?? []).filter(isUnderWay);
  const others = (all ?? []).filter((each) => !isUnderWay(each));
  return (
    <main class="start">
      <div class="start-head">
        <div>
          <h1>Jobs</h1>
          <p>Runs by the hundred, each job in a process of its own. They go on when this page is closed.</p>
        </div>
      </div>
      <Problems problems={problems.value} />
      {all === null && problems.value.length === 0 && <p class="hint state-line" role="status">The jobs are read …</p>}
      {all?.length === 0 && (
        <div class="sheet">
          <h2>There is no job yet</h2>
          <p>
            Choose a <a href="#/">scenario</a>: pin a run as A, change a key, and press <strong>Compare with intervals</strong>; or open{" "}
            <strong>Many runs</strong> below the panels to sweep a key or to size a buffer. A <a href="#/studies">published study</a> is a job, too.
          </p>
        </div>
      )}
      {first.length > 0 && <Group title="Under way" its={first} />}
      {others.length > 0 && <Group title={first.length ? "Ended" : counted(others.length, "job")} its={others} />}
    </main>
  );
}

function Group({ title, its }: { title: string; its: readonly Job[] }) {
  return (
    <section class="job-group" aria-label={title}>
      <h2>{title}</h2>
      <ul class="job-cards">{its.map((each) => <Card key={each.id} job={each} />)}</ul>
    </section>
  );
}

function Card({ job }: { job: Job }) {
  return (
    <li class="job-card">
      <div>
        <h3><a href={`#/jobs/${job.id}`}>{job.title}</a></h3>
        <p class="facts">{KINDS[job.kind]} · {when(job.when)}</p>
      </div>
      <JobProgress counts={job} label={job.title} />
      <JobActions id={job.id} counts={job} command={job.command} isShort />
    </li>
  );
}
