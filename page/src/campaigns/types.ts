// Campaigns as the server tells them. The names are the server's.

/** A mean with its interval, in the base unit and as a text. What is not known is null. */
export interface Interval {
  readonly mean: number | null;
  readonly lo: number | null;
  readonly hi: number | null;
  readonly n?: number;
  readonly text: string;
}

export interface MetricName {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
}

export interface CampaignCard {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly folder: string;
  readonly when: string;
  readonly runs: number | null;
  readonly failed: number | null;
  readonly missing: number | null;
  readonly points: number | null;
  readonly factors: readonly string[];
  readonly metrics: readonly MetricName[];
  readonly version: string | null;
  readonly emulated: boolean;
  /** Why it cannot be read. */
  readonly problem: string | null;
}

export interface FactorName {
  readonly name: string;
  readonly label: string;
}

export interface MeansRow {
  readonly levels: readonly string[];
  /** Null: the row is of several points. */
  readonly point: number | null;
  readonly values: Readonly<Record<string, Interval>>;
  readonly verdict?: string;
}

export interface Means {
  readonly title: string;
  readonly description: string;
  readonly factors: readonly FactorName[];
  readonly metrics: readonly MetricName[];
  readonly all_metrics: readonly MetricName[];
  readonly rows: readonly MeansRow[];
  readonly source: string;
  readonly notes: readonly string[];
}

export interface RunRow {
  readonly number: number;
  readonly point: number;
  readonly levels: readonly string[];
  readonly replication: number;
  readonly seed: string;
  readonly recorded: boolean;
  readonly failed: string | null;
  readonly verdict: string | null;
}

export interface Runs {
  readonly total: number;
  readonly runs: readonly RunRow[];
}

export interface ComparedRow {
  readonly level: string;
  readonly levels: readonly string[];
  readonly mean: Interval;
  readonly n: number;
  readonly pairs: number | null;
  readonly difference: Interval | null;
  readonly ratio: Interval | null;
  readonly relative: string | null;
  readonly p: number | null;
}

export interface Compared {
  readonly metric: MetricName;
  readonly by: string;
  readonly baseline: string;
  readonly rows: readonly ComparedRow[];
  readonly sentence: string;
}
