// What a stack of panels shows and follows. The lab page has one; a report has one for each run that it shows.

import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PanelId, RunFrame } from "../lab/types";
import type { Range } from "../view";
import type { Chart } from "./chart";
import { stripsOf, type Strip } from "./stateStrips";

/** A run as it is seen. */
export interface Seen {
  readonly frame: ReadonlySignal<RunFrame | null>;
  /** The picture belongs to an earlier state. */
  readonly stale: ReadonlySignal<boolean>;
  readonly problems: ReadonlySignal<readonly unknown[]>;
}

/** People take for immediate what takes no longer. */
const LATE_MS = 150;

export interface Sources {
  /** Tells these panels from others on the page. */
  readonly name?: string;
  readonly live: Seen;
  /** Run A, with which the live one is compared. */
  readonly pinned: Seen;
  readonly duration: ReadonlySignal<number>;
  /** The part in sight; null: all. */
  readonly window: ReadonlySignal<Range | null>;
  readonly cursor: Signal<number | null>;
  /** See another part; null: all. What has one name of a gesture is one change. */
  readonly zoom: (range: Range | null, gesture?: string) => void;
  /** Told how many pixels the time axis has, in steps of 100. */
  readonly columns: Signal<number>;
}

export interface Scope extends Sources {
  /** The live picture is that of an earlier state, and none has come for a while: what comes at once changes no looks. */
  readonly late: ReadonlySignal<boolean>;
  readonly range: ReadonlySignal<Range>;
  readonly strips: ReadonlySignal<readonly Strip[]>;
  /** What was in sight before, the last one at the end. */
  readonly before: Signal<readonly (Range | null)[]>;
  /** The panels' charts, for a picture of them. */
  readonly charts: Map<PanelId, Chart>;
  /** Units of their axes. */
  readonly units: Signal<Readonly<Partial<Record<PanelId, string>>>>;
}

export function scopeOf(sources: Sources): Scope {
  const { live, pinned, window, duration } = sources;
  return {
    ...sources,
    late: lateOf(live),
    range: computed<Range>(() => window.value ?? [0, duration.value]),
    strips: computed(() => {
      const other = pinned.frame.value;
      return [...stripsOf(live.frame.value, other ? "B " : ""), ...stripsOf(other, "A ")];
    }),
    before: signal([]),
    charts: new Map(),
    units: signal({}),
  };
}

/** True while the picture is that of an earlier state and no newer one has come for a while. */
function lateOf({ stale, frame }: Seen): ReadonlySignal<boolean> {
  const late = signal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    void frame.value;
    clearTimeout(timer);
    late.value = false;
    if (stale.value) timer = setTimeout(() => (late.value = true), LATE_MS);
  });
  return late;
}

/** The name of a part of the page: "Panels over time, point 2". */
export function labelOf(part: string, { name }: Scope): string {
  return name ? `${part}, ${name}` : part;
}

export const ScopeContext = createContext<Scope | null>(null);

export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (!scope) throw new Error("panels are shown in a ScopeContext");
  return scope;
}
