// The state of a time-sequence diagram: what is in sight, what is picked, and how keys and the mouse change it.

import { computed, signal, type Signal } from "@preact/signals";
import { LEAST_S, moved, shows, within, zoomed } from "../canvas/range";
import { NO_SIZE, type Size } from "../canvas/surface";
import type { Frame } from "../frame";
import type { Range } from "../view";
import { guttersOf } from "../panels/layout";
import { MARGIN } from "./draw";
import { dataFrom, rowAt, stepped } from "./pick";
import { Segments } from "./segments";
import { bytesInSight, drawing, type Sight } from "./strokes";
import type { SegmentsHead } from "./types";

/** How near the pointer must come to a segment, pixels of the page. */
const REACH = 12;

/** Turns of the wheel that follow each other so closely are one change. */
const GESTURE_MS = 600;
/** Left and right of the rows, as a share. */
const FIT_ROOM = 0.03;

/** A row that is found again in another frame. */
interface Place {
  readonly time: number;
  readonly kind: number;
  readonly low: number;
}

/** See another part; null: all. `goesOn` says that it is one change with the last one. */
export type OnWindow = (window: Range | null, goesOn: boolean) => void;

export class Diagram {
  readonly frame = signal<Frame<SegmentsHead> | null>(null);
  /** The end of what is shown if no window is chosen, s; null: that of the run. */
  readonly until = signal<number | null>(null);
  readonly size = signal<Size>(NO_SIZE);
  readonly drag = signal<Range | null>(null);
  /** The row under the pointer; -1 if there is none. */
  readonly hovered = signal(-1);
  readonly #picked = signal<Place | null>(null);
  /** Set at each rendering. */
  onWindow: OnWindow = () => undefined;
  onBack: (() => void) | null = null;
  #turned = -Infinity;

  constructor(
    readonly window: Signal<Range | null>,
    readonly cursor: Signal<number | null>,
  ) {}

  readonly rows = computed(() => (this.frame.value ? Segments.of(this.frame.value) : null));
  readonly whole = computed<Range>(() => [0, this.until.value ?? this.frame.value?.head.duration_s ?? 1]);
  readonly shown = computed<Range>(() => this.window.value ?? this.whole.value);
  /** Left and right of the diagram in its box, pixels of the page. */
  readonly gutters = computed(() => guttersOf(this.size.value.width));
  readonly sight = computed<Sight | null>(() => {
    const { width, height, dot } = this.size.value;
    if (!this.rows.value || width === 0 || height === 0) return null;
    return {
      time: this.shown.value,
      bytes: bytesInSight(this.rows.value, this.shown.value),
      width: Math.max(1, Math.round((width - this.gutters.value.left - this.gutters.value.right) * dot)),
      height: Math.max(1, Math.round((height - MARGIN.top - MARGIN.bottom) * dot)),
      dot,
    };
  });
  readonly drawing = computed(() =>
    this.rows.value && this.sight.value ? drawing(this.rows.value, this.sight.value) : null,
  );
  /** The row that was picked by a key or a click; -1 if there is none. */
  readonly picked = computed(() =>
    this.rows.value && this.#picked.value ? found(this.rows.value, this.#picked.value) : -1,
  );
  /** The row that the read-out tells of. */
  readonly told = computed(() => (this.hovered.value >= 0 ? this.hovered.value : this.picked.value));

  show(range: Range, goesOn = false): void {
    const whole = this.whole.peek();
    this.onWindow(range[0] <= whole[0] && range[1] >= whole[1] ? null : range, goesOn);
  }

  all(): void {
    this.onWindow(null, false);
  }

  /** Shows from the first to the last row. */
  fit(): void {
    const time = this.rows.peek()?.time;
    if (!time || time.length === 0) return;
    const [from, to] = [time[0]!, time[time.length - 1]!];
    const room = Math.max(to - from, LEAST_S) * FIT_ROOM;
    this.show(within([from - room, to + room], this.whole.peek()));
  }

  zoom(factor: number, around: number, goesOn = false): void {
    this.show(zoomed(this.shown.peek(), factor, around, this.whole.peek(), LEAST_S), goesOn);
  }

  /** Zooms by the wheel: what follows closely is one change. */
  turn(factor: number, around: number, at: number): void {
    this.zoom(factor, around, at - this.#turned < GESTURE_MS);
    this.#turned = at;
  }

  move(share: number): void {
    this.show(moved(this.shown.peek(), share, this.whole.peek()));
  }

  /** The share of the time axis at an x of the box, pixels of the page; beside the axis below 0 or above 1. */
  shareAt(x: number): number {
    const { left, right } = this.gutters.peek();
    const width = Math.max(1, this.size.peek().width - left - right);
    return (x - left) / width;
  }

  /** The time there, or at the near end of the axis. */
  timeAt(x: number): number {
    const [from, to] = this.shown.peek();
    return from + Math.min(1, Math.max(0, this.shareAt(x))) * (to - from);
  }

  point(x: number, y: number): void {
    const [rows, sight] = [this.rows.peek(), this.sight.peek()];
    if (!rows || !sight) return;
    this.cursor.value = this.timeAt(x);
    const { dot } = sight;
    this.hovered.value = rowAt(rows, sight, (x - this.gutters.peek().left) * dot, (y - MARGIN.top) * dot, REACH * dot);
  }

  leave(): void {
    this.cursor.value = null;
    this.hovered.value = -1;
  }

  pick(row: number): void {
    const rows = this.rows.peek();
    if (!rows || row < 0 || row >= rows.count) return;
    const time = rows.time[row]!;
    this.#picked.value = { time, kind: rows.kind[row]!, low: rows.low[row]! };
    this.hovered.value = -1;
    this.cursor.value = time;
    const [shown, whole] = [this.shown.peek(), this.whole.peek()];
    const next = shows(shown, time, whole);
    if (next !== shown) this.show(next);
  }

  unpick(): void {
    this.#picked.value = null;
  }

  /** Picks the next segment in a direction; the first in sight, or at the cursor, if none is picked. */
  step(by: 1 | -1, wanted?: (rows: Segments, row: number) => boolean): void {
    const rows = this.rows.peek();
    if (!rows) return;
    const from = this.shown.peek()[0];
    const picked = this.picked.peek();
    const start = picked >= 0 ? picked : dataFrom(rows, Math.max(from, this.cursor.peek() ?? from));
    if (start < 0) return;
    const isHere = picked < 0 && (wanted === undefined || wanted(rows, start));
    this.pick(isHere ? start : stepped(rows, start, by, (row) => wanted === undefined || wanted(rows, row)));
  }

  /** Picks the first or the last segment. */
  end(last: boolean): void {
    const rows = this.rows.peek();
    if (rows) this.pick(last ? stepped(rows, rows.count, -1) : stepped(rows, -1, 1));
  }
}

function found(rows: Segments, place: Place): number {
  const [from, to] = rows.rows([place.time, place.time]);
  for (let row = from; row < to; row += 1) {
    if (rows.kind[row] === place.kind && rows.low[row] === place.low) return row;
  }
  return -1;
}
