// Canvases that fill their box at the resolution of the screen.

import { useSignalEffect, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RefObject } from "preact";

/** Of a box, pixels of the page, and pixels of the screen in each of them. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly dot: number;
}

export const NO_SIZE: Size = { width: 0, height: 0, dot: 1 };

/** Keeps `size` that of a box: the layout changes it, the browser's zoom, and another screen. */
export function useSize(box: RefObject<HTMLElement | null>, size: Signal<Size>): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => {
      const next = { width: element.clientWidth, height: element.clientHeight, dot: devicePixelRatio || 1 };
      const now = size.peek();
      if (next.width !== now.width || next.height !== now.height || next.dot !== now.dot) size.value = next;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    addEventListener("resize", measure);
    measure();
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, [box, size]);
}

export type Paint = (pen: CanvasRenderingContext2D, size: Size, canvas: HTMLCanvasElement) => void;

/** Paints a canvas whenever its size or a signal that `paint` reads has changed. */
export function usePainting(canvas: RefObject<HTMLCanvasElement | null>, size: Signal<Size>, paint: Paint): void {
  useSignalEffect(() => {
    const now = size.value;
    const [element, pen] = [canvas.current, canvas.current?.getContext("2d")];
    if (!element || !pen || now.width === 0 || now.height === 0) return;
    const [width, height] = [Math.round(now.width * now.dot), Math.round(now.height * now.dot)];
    if (element.width !== width) element.width = width;
    if (element.height !== height) element.height = height;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    paint(pen, now, element);
  });
}
