// Jobs as the server tells them. The names are the server's.

import type { Interval, MeansRow, MetricName } from "../campaigns/types";

export type Kind = "pair" | "sweep" | "size-buffer" | "reproduce";
export type JobState = "waiting" | "running" | "done" | "stopped" | "failed";

export interface Counts {
  readonly state: JobState;
  readonly done: number;
  /** Null: only the end shows how many there are. */
  readonly of: number | null;
  readonly failed: number;
  readonly left_s: number | null;
  readonly message: string;
}

export interface Job extends Counts {
  readonly id: string;
  readonly kind: Kind;
  readonly title: string;
  readonly study: string | null;
  readonly target: string | null;
  readonly key: string | null;
  /** Sets of A and of B. */
  readonly a: readonly string[] | null;
  readonly b: readonly string[] | null;
  readonly replications: number | null;
  readonly when: string;
  readonly campaign: string | null;
  /** Makes it, or goes on with it, in the user's folder. */
  readonly command: string;
}

/** A metric of A and of B. */
export interface PairRow extends MetricName {
  readonly a: Interval;
  readonly b: Interval;
  readonly n: number;
  readonly pairs: number;
  readonly difference: Interval;
  readonly ratio: Interval | null;
  readonly p: number | null;
  readonly sentence: string;
}

/** A buffer that was looked at; what is not known before the end is left out. */
export interface BufferRow {
  readonly buffer: string;
  readonly number: number;
  readonly n: number;
  readonly mean: number | null;
  readonly lo?: number | null;
  readonly hi?: number | null;
  readonly verdict?: string;
  readonly text: string;
}

/** What a buffer is searched for. */
export interface Limit extends MetricName {
  readonly value: number;
}

export interface Progress extends Counts {
  readonly limit: Limit | null;
  readonly rows: readonly (PairRow | MeansRow | BufferRow)[];
}

export function isUnderWay({ state }: Pick<Counts, "state">): boolean {
  return state === "waiting" || state === "running";
}
