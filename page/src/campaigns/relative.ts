// An axis for ratios with intervals: in percent of a change, or in multiples where that is far.

import { number, ticks } from "../units";
import type { Interval } from "./types";

export interface RelativeAxis {
  /** 0 to 1 for a ratio; beyond the ends it is cut. */
  readonly at: (ratio: number) => number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

/** From a third to three times, changes read as percent. */
const FAR = 3;
const LEAST = 0.01;
const MULTIPLES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** An axis on which all ratios and their intervals are, with 1 on it. */
export function relativeAxis(ratios: readonly (Interval | null)[]): RelativeAxis {
  const ends = ratios
    .flatMap((each) => (each ? [each.mean, each.lo, each.hi] : []))
    .filter((each): each is number => each !== null && Number.isFinite(each));
  const low = Math.min(1, ...ends);
  const high = Math.max(1, ...ends);
  return low > 1 / FAR && high < FAR ? ofPercent(low, high) : ofMultiples(low, high);
}

function ofPercent(low: number, high: number): RelativeAxis {
  const air = Math.max((high - low) * 0.08, LEAST / 2);
  const [from, to] = [low < 1 ? low - air : low - air / 2, high > 1 ? high + air : high + air / 2];
  const at = (ratio: number) => clipped((ratio - from) / (to - from));
  const places = ticks((from - 1) * 100, (to - 1) * 100, 4);
  return { at, ticks: places.map((each) => ({ at: at(1 + each / 100), text: percent(each) })) };
}

function ofMultiples(low: number, high: number): RelativeAxis {
  const [from, to] = [Math.log(Math.max(low, LEAST) / 1.15), Math.log(Math.min(high, 1 / LEAST) * 1.15)];
  const at = (ratio: number) => clipped(ratio > 0 ? (Math.log(ratio) - from) / (to - from) : 0);
  const inside = MULTIPLES.filter((each) => Math.log(each) >= from && Math.log(each) <= to);
  const kept = inside.length > 5 ? inside.filter((each) => Number.isInteger(Math.log10(each))) : inside;
  return { at, ticks: kept.map((each) => ({ at: at(each), text: each === 1 ? "equal" : `× ${number(each)}` })) };
}

function clipped(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function percent(value: number): string {
  if (value === 0) return "equal";
  return `${value > 0 ? "+" : "−"}${number(Math.abs(value))} %`;
}
