// A finger over a plot: uPlot follows a mouse only.

import type uPlot from "uplot";

const LEAST_DRAG_PX = 6;

/** A finger points at a time, and chooses a part by a drag, as a mouse does. */
export function followFinger(plot: uPlot, point: (left: number) => void): void {
  const { over } = plot;
  let start: number | null = null;
  const leftOf = (event: PointerEvent) => {
    const box = over.getBoundingClientRect();
    return Math.min(box.width, Math.max(0, event.clientX - box.left));
  };
  const select = (left: number, width: number, isChosen: boolean) => {
    plot.setSelect({ left, width, top: 0, height: width > 0 ? over.clientHeight : 0 }, isChosen);
  };
  over.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
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
  over.addEventListener("pointercancel", () => {
    start = null;
    select(0, 0, false);
  });
}
