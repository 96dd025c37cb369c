// How the part in sight and the cursor move: by drag, by button, by key.

import { LEAST_S, moved as along, zoomed } from "../canvas/range";
import type { Range } from "../view";
import type { Scope } from "./scope";

const MOST_BEFORE = 50;
let gestures = 0;

/** See another part; `back` brings this one back. `goesOn` says that it is one change with the last one. */
export function look({ before, window, zoom }: Scope, next: Range | null, goesOn = false): void {
  if (!goesOn) {
    gestures++;
    before.value = [...before.value.slice(-MOST_BEFORE), window.value];
  }
  zoom(next, `look ${gestures}`);
}

export function back({ before, zoom }: Scope): void {
  const last = before.value.at(-1) ?? null;
  before.value = before.value.slice(0, -1);
  zoom(last);
}

/** Nearer (factor below 1) or farther, around the cursor or the middle. */
export function scaled(scope: Scope, factor: number): void {
  const [from, to] = scope.range.value;
  look(scope, zoomed([from, to], factor, scope.cursor.value ?? (from + to) / 2, [0, scope.duration.value], LEAST_S));
}

/** Along the time axis, by a share of what is in sight. */
export function moved({ range, duration, window, zoom }: Scope, share: number): void {
  if (window.value) zoom(along(range.value, share, [0, duration.value]));
}

/** The cursor, by a share of what is in sight. */
export function pointed({ range, cursor }: Scope, share: number): void {
  const [from, to] = range.value;
  cursor.value = Math.min(to, Math.max(from, (cursor.value ?? from) + (to - from) * share));
}
