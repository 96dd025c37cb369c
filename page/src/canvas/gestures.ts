// The mouse, the pen and fingers on a picture with a time axis.

import { useEffect } from "preact/hooks";
import type { RefObject } from "preact";
import { followPinch, type Pinched } from "./pinch";

/** What a picture does; x and y are pixels of the page from the corner of its box. */
export interface Gestures {
  point(x: number, y: number): void;
  leave(): void;
  click(): void;
  /** From x to x while a button is down; `done` when it goes up. */
  drag(from: number, to: number, done: boolean): void;
  /** The drag was no drag, or was given up. */
  dropped(): void;
  /** By the wheel; without it the wheel scrolls the page. */
  zoom?(factor: number, x: number): void;
  move?(share: number): void;
  /** What two fingers zoom and move. */
  readonly pinched?: Pinched;
}

/** Less than this is a click, pixels. */
const LEAST_DRAG = 5;
const WHEEL_PER_DOUBLE = 240;

/** Listens on a box as long as it is there. */
export function useGestures(box: RefObject<HTMLElement | null>, its: Gestures): void {
  useEffect(() => {
    const element = box.current;
    return element ? listen(element, its) : undefined;
  }, [box, its]);
}

function listen(element: HTMLElement, its: Gestures): () => void {
  let from: number | undefined;
  const off = new AbortController();
  const place = (event: PointerEvent | WheelEvent): readonly [number, number] => {
    const { left, top } = element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const isFar = (x: number) => from !== undefined && Math.abs(x - from) >= LEAST_DRAG;
  const on = <Name extends keyof HTMLElementEventMap>(name: Name, does: (event: HTMLElementEventMap[Name]) => void) =>
    element.addEventListener(name, does, { signal: off.signal, passive: false });
  const giveUp = () => {
    from = undefined;
    its.dropped();
  };
  const noMore = () => (giveUp(), its.leave());
  const pinch = its.pinched && followPinch(element, its.pinched, noMore, off.signal);
  on("pointerdown", (event) => {
    if (event.button !== 0 || pinch?.isOn()) return;
    [from] = place(event);
    element.setPointerCapture(event.pointerId);
    its.point(...place(event));
  });
  on("pointermove", (event) => {
    if (pinch?.isOn()) return;
    const [x, y] = place(event);
    its.point(x, y);
    if (isFar(x)) its.drag(from!, x, false);
  });
  on("pointerup", (event) => {
    const [x] = place(event);
    if (isFar(x)) its.drag(from!, x, true);
    else if (from !== undefined) its.click();
    its.dropped();
    from = undefined;
  });
  on("pointercancel", giveUp);
  on("pointerleave", () => {
    if (from === undefined) its.leave();
  });
  on("wheel", (event) => {
    // The page scrolls, unless the picture has the focus or Ctrl says that it is meant.
    if (!its.zoom || (!event.ctrlKey && !event.metaKey && document.activeElement !== element)) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) its.move?.(event.deltaX / element.clientWidth);
    else its.zoom(2 ** (event.deltaY / WHEEL_PER_DOUBLE), place(event)[0]);
  });
  return () => off.abort();
}
