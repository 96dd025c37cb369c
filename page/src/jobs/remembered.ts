// Which job belongs to what is seen: a browser remembers it, so that the result is there again after a reload.

import { keep, kept } from "../kept";

const KEY = "ackclock-jobs";
const MOST = 50;

/** Short for a long text; two texts with one fingerprint are all but impossible among a few. */
export function fingerprint(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let k = 0; k < text.length; k++) {
    one = Math.imul(one ^ text.charCodeAt(k), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(k), 0x85ebca6b) ^ (other >>> 13);
  }
  return `${(one >>> 0).toString(36)}-${(other >>> 0).toString(36)}`;
}

type Pairs = readonly (readonly [print: string, id: string])[];

function read(): Pairs {
  try {
    const found: unknown = JSON.parse(kept(KEY) ?? "[]");
    return Array.isArray(found) ? (found as Pairs) : [];
  } catch {
    return [];
  }
}

/** The id of the job that was begun last for this. */
export function remembered(what: unknown): string | null {
  const print = fingerprint(JSON.stringify(what));
  return read().find(([each]) => each === print)?.[1] ?? null;
}

export function remember(what: unknown, id: string): void {
  const print = fingerprint(JSON.stringify(what));
  keep(KEY, JSON.stringify([[print, id], ...read().filter(([each]) => each !== print)].slice(0, MOST)));
}
