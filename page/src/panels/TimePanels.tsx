// The panels of a run: one time axis, one cursor, one zoom.

import { computed, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { PanelId } from "../lab/types";
import { number, time } from "../units";
import { useWidth, windowHeight } from "../widgets/size";
import { Flows } from "./Flows";
import { guttersOf } from "./layout";
import { back, look, moved, pointed, scaled } from "./moves";
import { labelOf, useScope, type Scope } from "./scope";
import { StripLegend, Strips } from "./Strips";
import { TimePanel } from "./TimePanel";
import "./panels.css";

/** Shares of the height, in pixels of a window that is 900 pixels high. */
const HEIGHTS: Readonly<Record<PanelId, number>> = { cwnd: 180, rtt: 108, queue: 108, goodput: 108 };
/** What else is above the last panel, pixels. */
const ELSE_PX = 390;
const SCALES = { least: 0.9, most: 1.5 };
const ZOOM = 2;
/** A step of the arrow keys, as a share of what is in sight. */
const STEP = 0.01;

/** In a higher window the panels are higher: all are in sight. */
const scale = computed(() => {
  const all = Object.values(HEIGHTS).reduce((sum, each) => sum + each);
  return Math.min(SCALES.most, Math.max(SCALES.least, (windowHeight.value - ELSE_PX) / all));
});

function onKey(event: KeyboardEvent, scope: Scope): void {
  // Keys of a button or a table inside are theirs.
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => (event.shiftKey ? moved(scope, -0.25) : pointed(scope, -STEP)),
    ArrowRight: () => (event.shiftKey ? moved(scope, 0.25) : pointed(scope, STEP)),
    "+": () => scaled(scope, 1 / ZOOM),
    "=": () => scaled(scope, 1 / ZOOM),
    "-": () => scaled(scope, ZOOM),
    "0": () => look(scope, null),
    Backspace: () => back(scope),
    Escape: () => (scope.cursor.value = null),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** The panels; `tools` stand beside the names of the flows. */
export function TimePanels({ tools }: { tools?: ComponentChildren }) {
  const scope = useScope();
  const { live, pinned, columns } = scope;
  const { host, width } = useWidth();
  // They stay while frames come.
  const ids = useComputed(() =>
    ((live.frame.value ?? pinned.frame.value)?.head.panels ?? [])
      .filter((each) => each.series.length > 0)
      .map((each) => each.id)
      .join(" "),
  );
  const looks = useComputed(() => (scope.late.value ? "panel-stack is-late" : "panel-stack"));
  useEffect(() => {
    if (width.value === 0) return;
    const { left, right } = guttersOf(width.value);
    // In steps, so that a scroll bar that comes or goes asks for no other run.
    columns.value = Math.max(1, Math.ceil((width.value - left - right) / 100)) * 100;
  }, [width.value]);
  const shown = ids.value.split(" ").filter(Boolean) as PanelId[];
  return (
    <section class="panels" aria-label={labelOf("Panels over time", scope)}>
      <ZoomBar tools={tools} />
      <div
        ref={host}
        class={looks}
        role="group"
        tabIndex={0}
        aria-label="Panels over time. Arrow keys move the cursor, plus and minus zoom, Backspace goes back. Two fingers zoom and move."
        aria-busy={live.stale}
        onKeyDown={(event) => onKey(event, scope)}
      >
        {shown.length > 0 && width.value > 0 && (
          <>
            <Strips width={width.value} />
            <StripLegend />
            {shown.map((id, k) => (
              <TimePanel key={id} id={id} width={width.value} height={Math.round(HEIGHTS[id] * scale.value)} hasTimes={k === shown.length - 1} />
            ))}
          </>
        )}
        <Spoken />
      </div>
      <Said />
    </section>
  );
}

function ZoomBar({ tools }: { tools: ComponentChildren }) {
  const scope = useScope();
  const { range, before } = scope;
  const isAll = scope.window.value === null;
  return (
    <div class="zoom-bar">
      <Flows />
      {tools}
      <span class="spring" />
      <Progress />
      <div class="zoom">
        <span class="zoom-range">{number(range.value[0], 12)} to {number(range.value[1], 12)} s</span>
        <div class="buttons" role="group" aria-label="Zoom">
          <button type="button" onClick={() => scaled(scope, 1 / ZOOM)} aria-label="Zoom in">+</button>
          <button type="button" onClick={() => scaled(scope, ZOOM)} aria-label="Zoom out" disabled={isAll}>−</button>
          <button type="button" onClick={() => back(scope)} disabled={isAll && before.value.length === 0}>Back</button>
          <button type="button" onClick={() => look(scope, null)} disabled={isAll}>All</button>
        </div>
      </div>
    </div>
  );
}

/** How far the run has come, while it is under way. */
function Progress() {
  const { live, late } = useScope();
  const text = useComputed(() => {
    const head = live.frame.value?.head;
    if (late.value) return head ? "earlier picture" : "";
    return !head || head.done >= 1 ? "" : `${number(head.simulated_s, 3)} of ${number(head.duration_s)} s`;
  });
  return <span class="progress">{text}</span>;
}

/** The time under the cursor, for those who do not see it. */
function Spoken() {
  const { cursor, range } = useScope();
  const text = useComputed(() => {
    const at = cursor.value;
    const [from, to] = range.value;
    return at === null ? "" : `cursor at ${time(at, to - from)}`;
  });
  return <p class="unseen" aria-live="polite">{text}</p>;
}

/** What was run, and what is not drawn of it. */
function Said() {
  const { live } = useScope();
  const head = useComputed(() => {
    const found = live.frame.value?.head;
    return found ? JSON.stringify(found.notes) : "[]";
  });
  const notes = JSON.parse(head.value) as string[];
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
