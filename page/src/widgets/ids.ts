// Ids of elements. A notebook has a copy of the page for each view, and a report several figures.

import { useMemo } from "preact/hooks";

let copy = "";
let count = 0;

/** This is one copy of several on a page. */
export function isCopy(): void {
  copy = `copy-${Math.random().toString(36).slice(2, 10)}-`;
}

/** The id of an element that this copy has once. */
export function idOf(name: string): string {
  return copy + name;
}

/** Another id at each call. */
export function nextId(): string {
  return idOf(`id-${++count}`);
}

/** An id that nothing else on the page has. Preact's own ids begin anew in each copy, and in each figure. */
export function useOwnId(): string {
  return useMemo(nextId, []);
}
