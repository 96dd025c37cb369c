// The lesson that is open: its step, and the lab as the step wants it.

import { batch, computed, signal } from "@preact/signals";
import { getJson, Refused, type Problem } from "../client";
import * as lab from "../lab/session";
import { withSet } from "../lab/sets";
import { go, guest } from "../navigation";
import { labOf, type Route } from "../state";
import * as view from "../view";
import type { Lesson, LessonCard, Step } from "./types";

/** All lessons; null until the server told. */
export const cards = signal<readonly LessonCard[] | null>(null);
export const lesson = signal<Lesson | null>(null);
/** Number of the step, from 0. */
export const at = signal(0);
/** Why there is no lesson. */
export const problems = signal<readonly Problem[]>([]);
export const step = computed<Step | null>(() => lesson.value?.steps[at.value] ?? null);

export async function loadCards(): Promise<void> {
  try {
    cards.value = await getJson<LessonCard[]>("/api/lessons");
  } catch {
    // The banner says so; the list is asked for again when the server is there.
  }
}

/** Open a lesson at a step, counted from 0. */
export async function open(id: string, number: number): Promise<void> {
  if (lesson.peek()?.id !== id) {
    try {
      const found = await getJson<Lesson>(`/api/lessons/${encodeURIComponent(id)}`);
      batch(() => {
        problems.value = [];
        lesson.value = found;
      });
    } catch (error) {
      if (error instanceof Refused) problems.value = error.problems;
      return;
    }
  }
  const steps = lesson.peek()?.steps ?? [];
  at.value = Math.min(Math.max(0, number), steps.length - 1);
  show();
}

/** The lab as the step opens. */
function show(): void {
  const [its, now] = [lesson.peek(), step.peek()];
  if (!its || !now) return;
  batch(() => {
    lab.setting.value = { sliders: its.sliders, show: now.show, sets: now.sets };
    guest.value = { ...labOf({ source: its.source, sets: now.sets }), window: now.window };
    view.cursor.value = null;
    lab.scope.before.value = [];
  });
}

/** Set what reaches the goal. */
export function showSolution(): void {
  const sets = step.peek()?.solution ?? [];
  const change = (run: readonly string[], set: string) => {
    const equals = set.indexOf("=");
    return withSet(run, set.slice(0, equals), set.slice(equals + 1));
  };
  lab.changeRun((run) => ({ sets: sets.reduce(change, run.sets) }));
}

/** The lab with what is shown now, for more than the step asks. */
export function openInLab(): void {
  const now = guest.peek();
  if (now) go({ page: "lab", lab: now });
}

/** Nothing of a lesson is left for other pages. */
export function close(): void {
  batch(() => {
    lesson.value = guest.value = lab.setting.value = lab.check.value = null;
    problems.value = [];
  });
}

/** The step of an address, counted from 0. */
export function stepOf(route: Route): number {
  const text = route.page === "lesson" ? route.query.find(([key]) => key === "step")?.[1] : undefined;
  const number = Number(text ?? 1);
  return Number.isInteger(number) && number > 0 ? number - 1 : 0;
}
