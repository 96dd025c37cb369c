// How far the reader has come, as this browser keeps it.

import { signal } from "@preact/signals";
import { keep, kept } from "../kept";

const KEY = "ackclock-lessons";

/** The numbers of the steps that are done, from 0, by lesson. */
export type Progress = Readonly<Record<string, readonly number[]>>;

export const progress = signal<Progress>(read(kept(KEY)));

/** What was kept; nothing of what is none. */
export function read(text: string | null): Progress {
  let found: unknown;
  try {
    found = JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) return {};
  const lessons = Object.entries(found).filter((entry): entry is [string, number[]] => isSteps(entry[1]));
  return Object.fromEntries(lessons);
}

function isSteps(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => Number.isInteger(each) && each >= 0);
}

export function markDone(lesson: string, step: number): void {
  const before = progress.peek()[lesson] ?? [];
  if (before.includes(step)) return;
  progress.value = { ...progress.peek(), [lesson]: [...before, step] };
  keep(KEY, JSON.stringify(progress.value));
}

export function forget(): void {
  progress.value = {};
  keep(KEY, "{}");
}

/** Which of a lesson's steps are done. */
export function doneOf(all: Progress, lesson: string, steps: number): number[] {
  return (all[lesson] ?? []).filter((each) => each < steps);
}

/** The step to go on with: the first that is not done; the first of all if all are. */
export function nextOf(all: Progress, lesson: string, steps: number): number {
  const done = doneOf(all, lesson, steps);
  const open = Array.from({ length: steps }, (_, k) => k).find((each) => !done.includes(each));
  return open ?? 0;
}
