// How the part in sight and the cursor move: by drag, by button, by key.

import type { Range } from "../view";
import type { Scope } from "./scope";

const MOST_BEFORE = 50;

/** See another part; `back` brings this one back. */
export function look({ before, window, zoom }: Scope, next: Range | null): void {
  before.value = [...before.value.slice(-MOST_BEFORE), window.value];
  zoom(next);
}

export function back({ before, zoom }: Scope): void {
  const last = before.value.at(-1) ?? null;
  before.value = before.value.slice(0, -1);
  zoom(last);
}

/** Nearer (factor below 1) or farther, around the cursor or the middle. */
export function scaled(scope: Scope, factor: number): void {
  const [from, to] = scope.range.value;
  const at = scope.cursor.value ?? (from + to) / 2;
  const next: Range = [at - (at - from) * factor, at + (to - at) * factor];
  look(scope, next[1] - next[0] >= scope.duration.value ? null : next);
}

/** Along the time axis, by a share of what is in sight. */
export function moved({ range, duration, window, zoom }: Scope, share: number): void {
  const [from, to] = range.value;
  const by = Math.max(-from, Math.min(duration.value - to, (to - from) * share));
  if (window.value) zoom([from + by, to + by]);
}

/** The cursor, by a share of what is in sight. */
export function pointed({ range, cursor }: Scope, share: number): void {
  const [from, to] = range.value;
  cursor.value = Math.min(to, Math.max(from, (cursor.value ?? from) + (to - from) * share));
}
