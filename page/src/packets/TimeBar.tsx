// The time of the animation, as a slider over what happens.

import { signal, type Signal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { useGestures, type Gestures } from "../canvas/gestures";
import { NO_SIZE, usePainting, useSize, type Size } from "../canvas/surface";
import { palette } from "../theme";
import { onKey } from "./keys";
import type { Player } from "./player";
import { ASIDE, paintBar, paintHand } from "./draw-time-bar";

export function TimeBar({ player, cursor }: { readonly player: Player; readonly cursor: Signal<number | null> }) {
  const box = useRef<HTMLDivElement>(null);
  const [under, over] = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)];
  const size = useMemo(() => signal<Size>(NO_SIZE), []);
  useSize(box, size);
  usePainting(under, size, (pen, now) => paintBar(pen, palette.value, player, now));
  usePainting(over, size, (pen, now) => paintHand(pen, palette.value, player, cursor.value, now));
  useGestures(
    box,
    useMemo(() => gesturesOf(player, cursor, size), [player, cursor, size]),
  );
  const [from, to] = player.window.value;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (onKey(player, event.key, event.shiftKey)) event.preventDefault();
  };
  return (
    <div
      ref={box}
      class="time-bar"
      tabIndex={0}
      role="slider"
      aria-label="Time of the animation"
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={player.time.value}
      aria-valuetext={player.clock.value}
      onKeyDown={onKeyDown}
    >
      <canvas ref={under} aria-hidden="true" />
      <canvas ref={over} aria-hidden="true" />
    </div>
  );
}

function gesturesOf(player: Player, cursor: Signal<number | null>, size: Signal<Size>): Gestures {
  const timeAt = (x: number) => {
    const [from, to] = player.window.peek();
    const share = (x - ASIDE) / Math.max(1, size.peek().width - 2 * ASIDE);
    return from + Math.min(1, Math.max(0, share)) * (to - from);
  };
  let pointed = 0;
  return {
    point: (x) => {
      pointed = x;
      cursor.value = timeAt(x);
    },
    leave: () => (cursor.value = null),
    click: () => player.go(timeAt(pointed)),
    drag: (_, to) => player.go(timeAt(to)),
    dropped: () => undefined,
  };
}
