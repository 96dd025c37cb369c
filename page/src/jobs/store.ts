// The jobs of the user's folder, as far as this page knows them.

import { computed, effect, signal, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, events, getJson, postJson, Refused, server, type Problem } from "../client";
import { isUnderWay, type Job, type Progress } from "./types";

/** The newest first; null until the server told. */
export const jobs = signal<readonly Job[] | null>(null);
/** Why they are not told. */
export const problems = signal<readonly Problem[]>([]);
export const underWay = computed(() => (jobs.value ?? []).filter(isUnderWay).length);

const BETWEEN_MS = 2000;
/** The first pictures come first: jobs take the server a moment to read. */
const FIRST_MS = 1500;

/** Follow the jobs as long as one is under way; the function ends it. */
export function followJobs(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = effect(() => {
    const isThere = server.value === "there";
    const hasSome = underWay.value > 0;
    const isFirst = jobs.value === null;
    clearTimeout(timer);
    if (isThere && (hasSome || isFirst)) timer = setTimeout(() => void loadJobs(), isFirst ? FIRST_MS : BETWEEN_MS);
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}

export async function loadJobs(): Promise<void> {
  try {
    jobs.value = await getJson<Job[]>("/api/jobs");
    problems.value = [];
  } catch (error) {
    if (error instanceof Refused) problems.value = error.problems;
  }
}

/** Begin a job; its id. */
export async function begin(body: unknown): Promise<string> {
  const { id } = await postJson<{ id: string }>("/api/jobs", body);
  await loadJobs();
  return id;
}

export async function stop(id: string): Promise<void> {
  await ask("DELETE", pathOf(id));
  await loadJobs();
}

export async function goOn(id: string): Promise<void> {
  await ask("POST", pathOf(id));
  await loadJobs();
}

type Told = Omit<Progress, "rows"> & { readonly rows: Progress["rows"] | null };

function pathOf(id: string): string {
  return `/api/jobs/${encodeURIComponent(id)}`;
}

/** How far a job is, as the server tells it once a second until its end; null before its first word. */
export function useProgress(id: string | null): { progress: ReadonlySignal<Progress | null>; problems: ReadonlySignal<readonly Problem[]> } {
  const progress = useSignal<Progress | null>(null);
  const problems = useSignal<readonly Problem[]>([]);
  const isThere = server.value === "there";
  // A job that was stopped and goes on is told anew.
  const state = jobs.value?.find((each) => each.id === id);
  const isGoing = state === undefined || isUnderWay(state);
  useEffect(() => {
    if (id === null || !isThere) return;
    const abort = new AbortController();
    problems.value = [];
    // An event that comes while the rows are computed has none.
    const take = (event: Told) => (progress.value = { ...event, rows: event.rows ?? progress.peek()?.rows ?? [] });
    events<Told>(`${pathOf(id)}/events`, take, abort.signal).then(
      () => void loadJobs(),
      (error: unknown) => {
        if (!abort.signal.aborted && error instanceof Refused) problems.value = error.problems;
      },
    );
    return () => abort.abort();
  }, [id, isThere, isGoing]);
  return { progress, problems };
}
