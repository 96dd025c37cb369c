// A printed number beside one's own: whether it lies in the interval, and if not how far away ours is.

import { number } from "../units";
import type { Cell, Claim } from "./types";

export type Place = "inside" | "above" | "below";

/** Where our mean is if the printed number is not in our interval; null where one of them is missing. */
export function placeOf({ published, ours }: Cell): Place | null {
  if (published === null || !ours || ours.mean === null || ours.lo === null || ours.hi === null) return null;
  if (published >= ours.lo && published <= ours.hi) return "inside";
  return ours.mean > published ? "above" : "below";
}

/** Below this share of the printed number nobody speaks of a factor. */
const FAR = 1;

/** "3 % above", "× 2.4", "inside"; of a printed 0 only "above". */
export function placeText(cell: Cell): string {
  const place = placeOf(cell);
  if (place === null || place === "inside") return place ?? "";
  const { published, ours } = cell;
  const share = ((ours?.mean ?? 0) - published!) / Math.abs(published!);
  if (!Number.isFinite(share)) return place;
  if (share > FAR) return `× ${number(1 + share, 2)}`;
  const percent = Math.abs(share) * 100;
  return `${percent < 1 ? "< 1" : number(percent, 2)} % ${place}`;
}

export interface Counted {
  readonly inside: number;
  readonly of: number;
}

/** How many printed numbers lie in our intervals, of those that can be compared. */
export function insideOf(cells: readonly (Cell | null)[]): Counted {
  const places = cells.map((each) => (each ? placeOf(each) : null)).filter((each) => each !== null);
  return { inside: places.filter((each) => each === "inside").length, of: places.length };
}

export type Verdict = "holds" | "does not hold" | "not decided";

export function verdictOf({ verdict }: Claim): Verdict {
  return verdict === "holds" || verdict === "does not hold" ? verdict : "not decided";
}
