// Published studies as the server tells them. The names are the server's.

import type { Interval } from "../campaigns/types";

export interface StudyCard {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  /** What it asks. */
  readonly about: string;
  readonly command: string;
  readonly parts: readonly string[];
  readonly ran: string | null;
  readonly ended: boolean;
}

export interface Cell {
  readonly published: number | null;
  readonly published_text: string;
  readonly ours: Interval | null;
  /** Where one more of our runs lies, with 95 %; null without such an interval. */
  readonly one_run: readonly [number, number] | null;
  readonly unit: string;
  /** Of the scenario behind it; null: it is of several. */
  readonly point: number | null;
  /** What there is to know of the printed number. */
  readonly note: string;
}

export interface StudyTable {
  readonly id: string;
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly { readonly label: readonly string[]; readonly cells: readonly (Cell | null)[] }[];
}

export interface Claim {
  readonly id: string;
  readonly text: string;
  readonly source: string;
  readonly verdict: string | null;
  /** "p = 0.03"; "" without a comparison. */
  readonly p: string;
  /** Share of tables of single runs that lead to the paper's conclusion, as "35 %"; "" if not asked. */
  readonly reached: string;
  readonly why: string;
}

export interface Study {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  /** What it asks. */
  readonly about: string;
  readonly command: string;
  readonly ran: string | null;
  readonly sentence: string;
  readonly parts: readonly { readonly name: string; readonly points: number; readonly estimate_s: number }[];
  readonly tables: readonly StudyTable[];
  readonly claims: readonly Claim[];
}
