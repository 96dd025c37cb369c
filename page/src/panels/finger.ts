// Fingers over a plot: uPlot follows a mouse only.

import type uPlot from "uplot";
import { followPinch, type Pinched } from "../canvas/pinch";

const LEAST_DRAG_PX = 6;

/** What two fingers zoom and move; the plot knows where its axis is. */
export type PinchedPlot = Omit<Pinched, "share">;

/** A finger points at a time, and chooses a part by a drag, as a mouse does. Two fingers zoom and move. */
export function followFingers(plot: uPlot, point: (left: number | null) => void, its: PinchedPlot, signal: AbortSignal): void {
  const { over } = plot;
  let start: number | null = null;
  const leftOf = (event: PointerEvent) => {
    const box = over.getBoundingClientRect();
    return Math.min(box.width, Math.max(0, event.clientX - box.left));
  };
  const select = (left: number, width: number, isChosen: boolean) => {
    plot.setSelect({ left, width, top: 0, height: width > 0 ? over.clientHeight : 0 }, isChosen);
  };
  const share = (x: number) => x / over.clientWidth;
  const giveUp = () => {
    start = null;
    select(0, 0, false);
  };
  const pinch = followPinch(over, { ...its, share }, () => (giveUp(), point(null)), signal);
  over.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" || pinch.isOn()) return;
    start = leftOf(event);
    over.setPointerCapture(event.pointerId);
    point(start);
  });
  over.addEventListener("pointermove", (event) => {
    if (start === null || event.pointerType === "mouse") return;
    const left = leftOf(event);
    point(left);
    const width = Math.abs(left - start);
    select(Math.min(start, left), width < LEAST_DRAG_PX ? 0 : width, false);
  });
  over.addEventListener("pointerup", () => {
    if (start === null) return;
    start = null;
    const { left, width } = plot.select;
    if (width > 0) select(left, width, true);
  });
  // It went up or down: the page scrolls.
  over.addEventListener("pointercancel", giveUp);
}
