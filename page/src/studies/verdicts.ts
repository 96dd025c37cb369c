// A printed number beside one's own: whether one of our runs may give it, and if not how far away ours is.

import { number } from "../units";
import type { Cell, Claim } from "./types";

export type Place = "inside" | "above" | "below";

/** Where our mean is if the printed number, which is of one run, is not where one of ours may be; null: not known. */
export function placeOf({ published, ours, one_run }: Cell): Place | null {
  if (published === null || !ours || ours.mean === null || !one_run) return null;
  if (published >= one_run[0] && published <= one_run[1]) return "inside";
  return ours.mean > published ? "above" : "below";
}

/** Below this share of the printed number nobody speaks of a factor. */
const FAR = 1;

/** "3 % above", "× 2.4", "inside"; of a printed 0 only "above"; "" where a number is missing. */
export function placeText(cell: Cell): string {
  const { published, ours } = cell;
  if (published === null || !ours || ours.mean === null) return "";
  if (placeOf(cell) === "inside") return "inside";
  const place = ours.mean > published ? "above" : "below";
  const share = (ours.mean - published) / Math.abs(published);
  if (!Number.isFinite(share)) return place;
  if (share > FAR) return `× ${number(1 + share, 2)}`;
  const percent = Math.abs(share) * 100;
  return `${percent < 1 ? "< 1" : number(percent, 2)} % ${place}`;
}

export interface Counted {
  readonly inside: number;
  readonly of: number;
}

/** How many printed numbers lie where one of our runs may, of those that can be compared. */
export function insideOf(cells: readonly (Cell | null)[]): Counted {
  const places = cells.map((each) => (each ? placeOf(each) : null)).filter((each) => each !== null);
  return { inside: places.filter((each) => each === "inside").length, of: places.length };
}

export const VERDICTS = ["holds", "does not hold", "undecided", "exploratory", "not run"] as const;
export type Verdict = (typeof VERDICTS)[number];

export function verdictOf({ verdict }: Claim): Verdict {
  return VERDICTS.find((each) => each === verdict) ?? "not run";
}
