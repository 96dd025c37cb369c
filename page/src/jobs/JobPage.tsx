// One job: how far it is, and what its runs have given so far.

import { useEffect } from "preact/hooks";
import { MeansView, useMeans } from "../campaigns/MeansView";
import { when } from "../words";
import { Problems } from "../widgets/Problems";
import { BufferResult } from "./BufferResult";
import { KINDS } from "./JobList";
import { JobActions, JobProgress } from "./JobProgress";
import { PairTable } from "./PairTable";
import { jobs, loadJobs, useProgress } from "./store";
import type { BufferRow, Job, PairRow, Progress } from "./types";
import "../campaigns/campaigns.css";
import "./jobs.css";

/** Means are computed anew after so many runs more, at most. */
const BATCHES = 10;

export function JobPage({ id }: { id: string }) {
  const { progress, problems } = useProgress(id);
  const job = jobs.value?.find((each) => each.id === id);
  useEffect(() => void loadJobs(), [id]);
  useEffect(() => void (document.title = `${job?.title ?? "Job"} – ackclock lab`), [job?.title]);
  const counts = progress.value ?? job;
  if (problems.value.length) return <main class="sheets"><Problems problems={problems.value} /><p class="state-line"><a href="#/jobs">All jobs</a></p></main>;
  if (!job || !counts) return <main class="sheets"><p class="hint state-line" role="status">The job is read …</p></main>;
  return (
    <main class="sheets">
      <p class="trail"><a href="#/jobs">Jobs</a></p>
      <h1>{job.title}</h1>
      <p class="facts">
        {KINDS[job.kind]} · {when(job.when)}
        {job.replications !== null && job.kind !== "size-buffer" && ` · n = ${job.replications}`}
        {job.campaign && counts.done > 0 && <> · <a href={`#/campaigns/${job.campaign}`}>its campaign</a></>}
      </p>
      <section class="sheet" aria-label="Progress">
        <JobProgress counts={counts} label={job.title} />
        <JobActions id={id} counts={counts} command={job.command} />
      </section>
      <Result job={job} progress={progress.value} />
    </main>
  );
}

function Result({ job, progress }: { job: Job; progress: Progress | null }) {
  if (job.kind === "reproduce") {
    return (
      <p class="state-line">
        The tables and claims are at the study: <a href={`#/studies/${job.study}`}>{job.study}</a>. They are there when the job is done.
      </p>
    );
  }
  if (!progress) return null;
  if (job.kind === "pair") {
    return <section class="sheet" aria-label="A and B"><PairTable rows={progress.rows as readonly PairRow[]} a={job.a ?? []} b={job.b ?? []} /></section>;
  }
  if (progress.limit) {
    return <BufferResult rows={progress.rows as readonly BufferRow[]} target={job.target ?? ""} limit={progress.limit} isDone={progress.state === "done"} />;
  }
  if (job.campaign === null || progress.rows.length === 0) return <p class="hint state-line">The first means come when a run has ended.</p>;
  const batch = Math.ceil((progress.of ?? BATCHES) / BATCHES);
  return <MeansSoFar id={job.campaign} version={progress.state === "running" ? Math.floor(progress.done / batch) : progress.state} />;
}

function MeansSoFar({ id, version }: { id: string; version: unknown }) {
  return <MeansView id={id} all={useMeans(id, version)} version={version} />;
}
