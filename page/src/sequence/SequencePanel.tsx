// The time-sequence diagram of one connection as its sender sees it.

import "../canvas/canvas.css";
import "./sequence.css";
import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useGestures, type Gestures } from "../canvas/gestures";
import { LEAST_S } from "../canvas/range";
import { inOneLine, ReadOut } from "../canvas/ReadOut";
import { usePainting, useSize } from "../canvas/surface";
import { counted, digits } from "../words";
import type { Frame } from "../frame";
import { palette } from "../theme";
import { quantity, time as timeText } from "../units";
import type { Range } from "../view";
import { useOwnId } from "../widgets/ids";
import { Diagram, type OnWindow } from "./diagram";
import { paint } from "./draw";
import { EventTable } from "./EventTable";
import { onKey } from "./keys";
import { Legend } from "./Legend";
import { mark } from "./overlay";
import { DATA, type Segments } from "./segments";
import { story } from "./story";
import { drawn } from "./strokes";
import type { SegmentsHead } from "./types";

export interface SequenceProps {
  /** Null: there are no rows yet. */
  readonly frame: Frame<SegmentsHead> | null;
  /** The time in sight, null for all of the run. The panel changes it by `onWindow` only. */
  readonly window: Signal<Range | null>;
  readonly cursor: Signal<number | null>;
  /** The time of the animation, if there is one. */
  readonly now?: Signal<number | null>;
  /** The end of what is shown if no window is chosen, s; by default that of the run. */
  readonly until?: number;
  readonly onWindow: OnWindow;
  /** Brings back what was in sight before; null: there is nothing before. */
  readonly onBack: (() => void) | null;
  /** Shows the packets on the path at a time. */
  readonly onPackets?: (time: number) => void;
  /** Choices of a flow and of a connection. */
  readonly children?: ComponentChildren;
  /** What was run: title, point, seed. */
  readonly caption?: string;
  /** Whether a newer picture is under way. */
  readonly stale?: boolean;
  /** Why there is no picture, or what is not in it. */
  readonly message?: string | null;
}

const HINT = "Point at a segment, or step with ← and →: it tells why it was sent, and what became of it.";

export function SequencePanel(props: SequenceProps) {
  const { frame, window, cursor, until, onWindow, onBack } = props;
  const diagram = useMemo(() => new Diagram(window, cursor), [window, cursor]);
  diagram.onWindow = onWindow;
  diagram.onBack = onBack;
  useLayoutEffect(() => {
    diagram.hovered.value = -1;
    diagram.frame.value = frame;
    diagram.until.value = until ?? null;
  }, [diagram, frame, until]);
  const table = useSignal(false);
  const [rows, told, picked] = [diagram.rows.value, diagram.told.value, diagram.picked.value];
  return (
    <div class="sequence" role="group" aria-label="Time-sequence diagram" aria-busy={props.stale === true}>
      <div class="bar">
        <h3>
          <span class="what">Time-sequence diagram</span>
          {frame ? <span class="of">{nameOf(frame.head)}</span> : null}
        </h3>
        {props.children}
        <Tools diagram={diagram} table={table} onBack={onBack} />
      </div>
      {props.caption ? <p class="caption">{props.caption}</p> : null}
      <Picture diagram={diagram} now={props.now} message={props.message ?? missing(diagram)} />
      <Legend />
      <ReadOut story={rows && told >= 0 ? story(rows, told) : null} hint={HINT}>
        {rows && props.onPackets && told >= 0 ? (
          <button type="button" onClick={() => props.onPackets?.(rows.time[told]!)}>
            See it on the path
          </button>
        ) : null}
      </ReadOut>
      <p class="hidden" role="status">
        {rows && picked >= 0 ? inOneLine(story(rows, picked)) : ""}
      </p>
      <Notes diagram={diagram} />
      {table.value && rows ? <EventTable rows={rows} range={diagram.shown.value} /> : null}
    </div>
  );
}

/** Why nothing is drawn, if nothing is. */
function missing(diagram: Diagram): string | null {
  const rows = diagram.rows.value;
  if (!rows) return "No segments yet.";
  if (rows.count === 0) return "This connection sends nothing in this time.";
  const isElsewhere = diagram.drawing.value?.rows === 0;
  return isElsewhere ? "This connection sends nothing in this time: F shows where it does." : null;
}

const nameOf = (head: SegmentsHead): string =>
  head.connections > 1 ? `${head.flow}, connection ${head.connection + 1} of ${head.connections}` : head.flow;

function Tools({
  diagram,
  table,
  onBack,
}: {
  readonly diagram: Diagram;
  readonly table: Signal<boolean>;
  readonly onBack: (() => void) | null;
}) {
  const middle = () => (diagram.shown.peek()[0] + diagram.shown.peek()[1]) / 2;
  const isAll = diagram.window.value === null;
  return (
    <div class="tools">
      <button type="button" onClick={() => onBack?.()} disabled={onBack === null}>
        Back
      </button>
      <button type="button" onClick={() => diagram.all()} disabled={isAll}>
        All
      </button>
      <button
        type="button"
        title="From the first to the last event"
        onClick={() => diagram.fit()}
        disabled={diagram.rows.value === null}
      >
        Fit
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => diagram.zoom(2, middle())} disabled={isAll}>
        −
      </button>
      <button type="button" aria-label="Zoom in" onClick={() => diagram.zoom(0.5, middle())}>
        +
      </button>
      <button type="button" aria-pressed={table.value} onClick={() => (table.value = !table.value)}>
        Table
      </button>
    </div>
  );
}

interface PictureProps {
  readonly diagram: Diagram;
  readonly now: Signal<number | null> | undefined;
  readonly message: string | null;
}

function Picture({ diagram, now, message }: PictureProps) {
  const keys = useOwnId();
  const box = useRef<HTMLDivElement>(null);
  const [under, over] = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)];
  useSize(box, diagram.size);
  usePainting(under, diagram.size, (pen, _, canvas) => {
    const [its, sight, frame] = [diagram.drawing.value, diagram.sight.value, diagram.frame.value];
    if (!its || !sight || !frame) return;
    paint(pen, palette.value, its, sight, diagram.gutters.value, frame.head.window);
    // How much was drawn, and of how much: tests read it.
    canvas.dataset.strokes = String(drawn(its));
    canvas.dataset.rows = String(its.rows);
  });
  usePainting(over, diagram.size, (pen) => {
    const [rows, sight] = [diagram.rows.value, diagram.sight.value];
    const its = {
      cursor: diagram.cursor.value,
      now: now?.value ?? null,
      drag: diagram.drag.value,
      row: diagram.told.value,
    };
    if (rows && sight) mark(pen, palette.value, rows, sight, diagram.gutters.value.left, its);
  });
  useGestures(
    box,
    useMemo(() => gesturesOf(diagram), [diagram]),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (onKey(diagram, event.key, event.shiftKey)) event.preventDefault();
  };
  const rows = diagram.rows.value;
  return (
    <>
      <div
        ref={box}
        class="picture"
        tabIndex={0}
        role="application"
        aria-roledescription="diagram"
        aria-label={rows ? summary(rows, diagram.shown.value) : "No segments yet"}
        aria-describedby={keys}
        onKeyDown={onKeyDown}
      >
        <canvas ref={under} aria-hidden="true" />
        <canvas ref={over} aria-hidden="true" />
        {message ? <p class="message">{message}</p> : null}
      </div>
      <p class="hidden" id={keys}>
        Left and right step from segment to segment, up and down to one that was lost or sent again. Plus and minus
        zoom, Shift with left and right moves, Backspace goes back, 0 shows all, F from the first to the last event.
      </p>
    </>
  );
}

function gesturesOf(diagram: Diagram): Gestures {
  const range = (from: number, to: number): Range => {
    const times = [diagram.timeAt(from), diagram.timeAt(to)] as const;
    return [Math.min(...times), Math.max(...times)];
  };
  return {
    point: (x, y) => diagram.point(x, y),
    leave: () => diagram.leave(),
    click: () => (diagram.hovered.peek() >= 0 ? diagram.pick(diagram.hovered.peek()) : diagram.unpick()),
    drag: (from, to, done) => {
      if (!done) diagram.drag.value = range(from, to);
      else if (range(from, to)[1] > range(from, to)[0]) diagram.show(range(from, to));
    },
    dropped: () => (diagram.drag.value = null),
    zoom: (factor, x) => diagram.turn(factor, diagram.timeAt(x), performance.now()),
    move: (share) => diagram.move(share),
    pinched: {
      range: () => diagram.shown.peek(),
      whole: () => diagram.whole.peek(),
      least: LEAST_S,
      share: (x) => diagram.shareAt(x),
      show: (range, goesOn) => diagram.show(range, goesOn),
    },
  };
}

/** What the picture shows, in a sentence. */
function summary(rows: Segments, range: Range): string {
  const [from, to] = rows.rows(range);
  const counts = { data: 0, again: 0, lost: 0 };
  for (let row = from; row < to; row += 1) {
    if (rows.kind[row] === DATA) counts.data += 1;
    if (rows.sentAgain[row]) counts.again += 1;
    if (rows.lost[row]) counts.lost += 1;
  }
  const length = range[1] - range[0];
  return `Time-sequence diagram from ${timeText(range[0], length)} to ${timeText(range[1], length)}: ${counted(counts.data, "segment")} sent, ${digits(counts.again)} of them again, ${digits(counts.lost)} lost`;
}

/** What the picture does not show. */
function Notes({ diagram }: { readonly diagram: Diagram }) {
  const [its, sight, rows] = [diagram.drawing.value, diagram.sight.value, diagram.rows.value];
  const notes = [];
  if (its && drawn(its) < its.rows)
    notes.push(
      `${digits(its.rows)} events in ${digits(drawn(its))} strokes: those that touch in a column of pixels are drawn as one.`,
    );
  if (sight && rows) {
    const window = rows.lastBefore(rows.windows, rows.rows(sight.time)[1]);
    const above = window < 0 ? 0 : rows.high[window]! - sight.bytes[1];
    if (above > 0) notes.push(`The receive window ends ${quantity(above, "bytes", 3)} above the picture.`);
  }
  notes.push(
    "Drag to zoom, or turn the wheel with Ctrl or after a click; two fingers zoom and move. Keys: + and − zoom, 0 shows all, F fits, Backspace goes back.",
  );
  return <p class="note">{notes.join(" ")}</p>;
}
