// Two fingers on a picture with a time axis: what is under each of them stays under it.

import type { Range } from "../view";
import { within } from "./range";

/** Where two fingers are, as shares of the axis. */
export type Shares = readonly [one: number, other: number];

/** What a picture with a time axis shows, and can show. */
export interface Pinched {
  readonly range: () => Range;
  readonly whole: () => Range;
  /** The shortest time that can be in sight, s. */
  readonly least: number;
  /** Share of the axis at an x, pixels of the page from the left end of the element. */
  readonly share: (x: number) => number;
  /** See another part; `goesOn` says that it is one change with the last one. */
  readonly show: (range: Range, goesOn: boolean) => void;
}

/** Fingers that are nearer to each other along the axis move it, and zoom no further. */
const LEAST_SHARE = 0.05;

/** The range that was in sight when the fingers were at `then`, now that they are at `now`. */
export function pinched(range: Range, then: Shares, now: Shares, whole: Range, least: number): Range {
  const length = range[1] - range[0];
  const apart = ([one, other]: Shares) => Math.max(LEAST_SHARE, Math.abs(other - one));
  const next = Math.min(whole[1] - whole[0], Math.max(least, (length * apart(then)) / apart(now)));
  const middle = range[0] + ((then[0] + then[1]) / 2) * length;
  const from = middle - ((now[0] + now[1]) / 2) * next;
  return within([from, from + next], whole);
}

/** Two fingers that are down on an element. */
export interface Pinch {
  /** One finger does nothing meanwhile, and until all are gone. */
  readonly isOn: () => boolean;
}

/**
 * Follows two fingers; one finger is left to others, and to the page, which it scrolls.
 *
 * @param begins told when the second finger comes: what the first one began is no more
 */
export function followPinch(element: HTMLElement, its: Pinched, begins: () => void, signal: AbortSignal): Pinch {
  const fingers = new Map<number, number>();
  let start: { readonly range: Range; readonly at: Shares } | null = null;
  let isOn = false;
  let goesOn = false;
  const shares = (): Shares | null => {
    const [one, other] = [...fingers.values()].map(its.share);
    return one === undefined || other === undefined ? null : [one, other];
  };
  const listen = <Name extends keyof HTMLElementEventMap>(name: Name, does: (event: HTMLElementEventMap[Name]) => void) =>
    element.addEventListener(name, does, { signal, passive: false });
  const place = (event: PointerEvent) => fingers.set(event.pointerId, event.clientX - element.getBoundingClientRect().left);
  listen("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    place(event);
    const at = shares();
    if (fingers.size !== 2 || !at) return;
    start = { range: its.range(), at };
    isOn = true;
    goesOn = false;
    begins();
  });
  listen("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    place(event);
    const at = shares();
    if (!start || !at) return;
    its.show(pinched(start.range, start.at, at, its.whole(), its.least), goesOn);
    goesOn = true;
  });
  const gone = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    start = null;
    if (fingers.size === 0) isOn = false;
  };
  listen("pointerup", gone);
  listen("pointercancel", gone);
  // The browser would scroll with two fingers as with one.
  const keep = (event: TouchEvent) => {
    if (event.touches.length > 1 && event.cancelable) event.preventDefault();
  };
  listen("touchstart", keep);
  listen("touchmove", keep);
  return { isOn: () => isOn };
}
