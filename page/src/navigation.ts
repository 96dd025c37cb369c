// Where the page is: the route, and the entries of the browser's history.

import { signal } from "@preact/signals";
import { takeToken } from "./client";
import { address, parse, type LabState, type Route } from "./state";

/** Null until the first address is read. */
export const route = signal<Route | null>(null);

/** Browsers refuse more than some entries a second. */
const REST_MS = 250;

let isDetached = false;
let lastGesture: string | undefined;
/** The fragment that the route is of; null: none was read yet. */
let written: string | null = null;
let asked = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let writing = Promise.resolve();

/** Called once: reads the address, and follows it from then on. */
export async function startNavigation(): Promise<void> {
  addEventListener("hashchange", () => void follow());
  addEventListener("popstate", () => void follow());
  addEventListener("pagehide", flush);
  await follow();
}

async function follow(): Promise<void> {
  const fragment = takeToken(location.hash);
  if (fragment !== location.hash) history.replaceState(null, "", fragment);
  if (fragment === written) return;
  const number = ++asked;
  const found = await parse(fragment);
  if (number !== asked) return;
  written = fragment;
  lastGesture = undefined;
  clearTimeout(timer);
  route.value = found;
}

/**
 * Show a route. A gesture is one entry of the history, however many states it passes through.
 *
 * @param gesture name of the gesture that leads here; without one, an entry of its own
 */
export function go(next: Route, gesture?: string): void {
  const isSame = gesture !== undefined && gesture === lastGesture;
  lastGesture = gesture;
  asked++;
  route.value = next;
  clearTimeout(timer);
  if (isSame) timer = setTimeout(flush, REST_MS);
  else write("push");
}

/** Correct the state without an entry. */
export function amend(next: Route): void {
  asked++;
  route.value = next;
  write("replace");
}

/** What the lab's parts show on another page, such as a lesson; it is not in the address. */
export const guest = signal<LabState | null>(null);

/** Change what the lab's parts show; nothing where the page shows something else. */
export function change(edit: (lab: LabState) => LabState, gesture?: string): void {
  const now = route.value;
  if (now?.page === "lab") go({ page: "lab", lab: edit(now.lab) }, gesture);
  else if (guest.value) guest.value = edit(guest.value);
}

/** The whole address of what is shown now. */
export async function link(): Promise<string> {
  flush();
  await writing;
  return location.href;
}

function flush(): void {
  clearTimeout(timer);
  write("replace");
}

/** Leave the address alone: in a notebook it belongs to another page. */
export function detach(): void {
  isDetached = true;
}

function write(how: "push" | "replace"): void {
  const now = route.value;
  if (!now || isDetached) return;
  // One after the other: an address with a text in it is not ready at once.
  writing = writing.then(async () => {
    const fragment = `#${await address(now)}`;
    if (fragment === written) return;
    written = fragment;
    if (how === "push") history.pushState(null, "", fragment);
    else history.replaceState(null, "", fragment);
  });
}
