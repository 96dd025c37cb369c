// The strips above the panels, with their legend.

import { effect, useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { palette } from "../theme";
import { guttersOf, timeAt } from "./layout";
import { useScope } from "./scope";
import { stateKind } from "./states";
import { drawStrips, statesIn } from "./stateStrips";

export function Strips({ width }: { width: number }) {
  const { strips, range, cursor } = useScope();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(
    () =>
      effect(() => {
        if (canvas.current) drawStrips(canvas.current, width, strips.value, range.value, palette.value);
      }),
    [width],
  );
  const point = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    cursor.value = timeAt(event.clientX - box.left, range.value, width, guttersOf(width));
  };
  return (
    <canvas
      ref={canvas}
      class="strips"
      role="img"
      aria-label="States of the flows over time; the table of the congestion window has them in words"
      onPointerMove={point}
      onPointerLeave={() => (cursor.value = null)}
    />
  );
}

/** Which colour is which state. */
export function StripLegend() {
  const { live, strips } = useScope();
  const names = useComputed(() => statesIn(strips.value).join("\n"));
  const marks = useComputed(() => {
    const found = new Set(live.frame.value?.head.marks.map((each) => each.kind));
    return [...found].join("\n");
  });
  if (names.value === "" && marks.value === "") return null;
  return (
    <ul class="legend" aria-label="Signs">
      {names.value.split("\n").filter(Boolean).map((name) => (
        <li key={name} title={stateKind(name).means}>
          <span class={`state-swatch ${stateKind(name).color}`} aria-hidden="true" />
          {name}
        </li>
      ))}
      {marks.value.split("\n").filter(Boolean).map((kind) => (
        <li key={kind}>
          <MarkSign kind={kind} />
          {MARK_NAMES[kind] ?? kind}
        </li>
      ))}
    </ul>
  );
}

const MARK_NAMES: Readonly<Record<string, string>> = { timeout: "time-out", mark: "CE mark" };

function MarkSign({ kind }: { kind: string }) {
  return (
    <svg class={`mark-sign mark-${kind.replace(" ", "-")}`} viewBox="0 0 10 12" width="10" height="12" aria-hidden="true">
      {kind === "drop" || kind === "mark" ? <path d="M5 1V11" /> : <path d="M1 2H9L5 9Z" />}
    </svg>
  );
}
