// Sizes of elements, as signals.

import { signal, useSignal, type ReadonlySignal } from "@preact/signals";
import { useCallback, useRef } from "preact/hooks";

/** The width of an element, in whole pixels; 0 until it is there. `host` is its ref. */
export function useWidth(): { host: (element: Element | null) => void; width: ReadonlySignal<number> } {
  const width = useSignal(0);
  const observer = useRef<ResizeObserver | null>(null);
  const host = useCallback((element: Element | null) => {
    observer.current?.disconnect();
    observer.current = null;
    if (!element) return;
    observer.current = new ResizeObserver(([entry]) => (width.value = Math.floor(entry?.contentRect.width ?? 0)));
    observer.current.observe(element);
  }, []);
  return { host, width };
}

/** The height of the window. */
export const windowHeight = signal(900);

export function followWindow(): void {
  const read = () => (windowHeight.value = innerHeight);
  addEventListener("resize", read);
  read();
}
