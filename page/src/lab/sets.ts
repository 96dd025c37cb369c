// The list of `key=value` that changes a scenario.

import type { Slider } from "./types";

/** The text of a key that is set; null if it is not. The last one counts, as with --set. */
export function setOf(sets: readonly string[], key: string): string | null {
  const found = [...sets].reverse().find((each) => each.startsWith(`${key}=`));
  return found === undefined ? null : found.slice(key.length + 1);
}

/** The list with a key set; null takes it out. A key keeps its place. */
export function withSet(sets: readonly string[], key: string, text: string | null): string[] {
  const others = sets.filter((each) => !each.startsWith(`${key}=`));
  if (text === null) return others;
  const at = sets.findIndex((each) => each.startsWith(`${key}=`));
  const set = `${key}=${text}`;
  return at < 0 ? [...others, set] : [...others.slice(0, at), set, ...others.slice(at)];
}

/** How a slider writes a number: with its unit. */
export function textOf(slider: Slider, value: number): string {
  return slider.unit ? `${value} ${slider.unit}` : String(value);
}

/** The number of a text in the unit of a slider; null where it is another unit, or no number. */
export function numberOf(slider: Slider, text: string): number | null {
  const found = /^\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*(.*?)\s*$/i.exec(text);
  if (!found || found[2] !== (slider.unit ?? "")) return null;
  const value = Number(found[1]);
  return Number.isFinite(value) ? value : null;
}
