// Lessons as the server tells them. The names are the server's.

import type { Slider } from "../lab/types";

export interface LessonCard {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly minutes: number;
  readonly steps: number;
}

/** A metric of the run, or of one of its flows. */
export interface ReadOut {
  readonly metric: string;
  readonly flow: string | null;
  /** Empty: as the server tells it. */
  readonly unit: string;
  /** How much of the metric's own unit one of this unit is. */
  readonly per_unit: number;
}

/** What the reader is to reach; the bounds are in its unit. */
export interface Goal extends ReadOut {
  readonly text: string;
  readonly at_least: number | null;
  readonly at_most: number | null;
}

export interface Step {
  readonly text: string;
  readonly sets: readonly string[];
  readonly show: readonly string[];
  readonly read: readonly ReadOut[];
  readonly window: readonly [number, number] | null;
  readonly sequence: boolean;
  readonly sliders: readonly string[];
  readonly question: string;
  readonly answers: readonly string[];
  readonly right: number | null;
  readonly goal: Goal | null;
  readonly because: string;
  readonly solution: readonly string[];
}

export interface Lesson {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly minutes: number;
  readonly source: string;
  readonly sliders: readonly Slider[];
  readonly steps: readonly Step[];
  /** Ids of scenarios that go on from here. */
  readonly more: readonly string[];
}
