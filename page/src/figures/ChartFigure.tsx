// A figure of means with intervals, or of shares of values: panels with common axes, series that can be switched off.

import { useSignal, type Signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { useWidth } from "../widgets/size";
import { meanText, levelText, meansOf, percentAt, seriesText, withUnit, type Place } from "./content";
import "./figures.css";
import { FigureTable } from "./FigureTable";
import { lookIn } from "./looks";
import { Panel } from "./Panel";
import type { ChartFrame } from "./types";
import { valueAt } from "./scale";

const PANEL_PX = 250;
/** Of a panel, and of one that is as wide as a page. */
const HEIGHT_PX = 230;
const WIDE = { from: 600, height: 300 };
/** A step of the arrow keys along an axis of values. */
const STEP = 0.01;

/** What is pointed at: a mean, or a value along the axis of shares. */
export interface Pointed {
  readonly place: Place | null;
  readonly panel: number;
  /** Share of the axis. */
  readonly at: number;
}

/** @param withTable false where the page has the numbers in a table of its own */
export function ChartFigure({ frame, withTable = true }: { frame: ChartFrame; withTable?: boolean }) {
  const { head } = frame;
  const { host, width } = useWidth();
  const hidden = useSignal<ReadonlySet<number>>(new Set());
  const pointed = useSignal<Pointed | null>(null);
  const hasTable = useSignal(false);
  const columns = Math.max(1, Math.min(head.panels.length, 3, Math.floor(width.value / PANEL_PX)));
  const each = Math.floor(width.value / columns);
  // Of another frame, the place may be no place.
  useLayoutEffect(() => void (pointed.value = null), [frame]);
  return (
    <section class="chart" aria-label={head.title}>
      {head.above && <p class="chart-title">{head.above}</p>}
      <div class="chart-bar">
        <Legend frame={frame} hidden={hidden} />
        {withTable && (
          <button type="button" class="quiet" aria-expanded={hasTable} onClick={() => (hasTable.value = !hasTable.value)}>
            Table
          </button>
        )}
      </div>
      <p class="axis-name">{head.y.label}</p>
      <div
        ref={host}
        class="chart-panels"
        role="group"
        tabIndex={0}
        aria-label={`${head.title}. Arrow keys move from value to value.`}
        onKeyDown={(event) => onKey(event, frame, pointed, hidden.value)}
        onBlur={() => (pointed.value = null)}
      >
        {width.value > 0 &&
          head.panels.map((_, number) => (
            <Panel
              key={number}
              frame={frame}
              number={number}
              width={each}
              height={each >= WIDE.from ? WIDE.height : HEIGHT_PX}
              hidden={hidden}
              pointed={pointed}
            />
          ))}
      </div>
      <p class="axis-name below">{head.x.label}</p>
      {head.source && <p class="chart-source">{head.source}</p>}
      <Spoken frame={frame} pointed={pointed} hidden={hidden} />
      {hasTable.value && <FigureTable frame={frame} />}
    </section>
  );
}

function Legend({ frame, hidden }: { frame: ChartFrame; hidden: Signal<ReadonlySet<number>> }) {
  const { heading, series, of } = frame.head;
  if (series.length < 2) return <span class="spring" />;
  const toggle = (number: number) => {
    const next = new Set(hidden.value);
    if (!next.delete(number)) next.add(number);
    hidden.value = next;
  };
  return (
    <div class="chart-legend" role="group" aria-label={heading || "Series"}>
      {heading && <span class="heading">{heading}</span>}
      {series.map((name, number) => {
        const look = lookIn(frame.head, number);
        return (
          <button key={name} type="button" class="quiet" aria-pressed={!hidden.value.has(number)} onClick={() => toggle(number)}>
            <svg width="30" height="12" viewBox="-15 -6 30 12" aria-hidden="true">
              <path d="M-15 0H15" stroke={look.color} stroke-width="1.6" stroke-dasharray={look.dash} />
              {of === "means" && <path d={look.marker} fill={look.color} />}
            </svg>
            {name}
          </button>
        );
      })}
    </div>
  );
}

interface SpokenProps {
  readonly frame: ChartFrame;
  readonly pointed: Signal<Pointed | null>;
  readonly hidden: Signal<ReadonlySet<number>>;
}

/** What is pointed at, for those who do not see it. */
function Spoken({ frame, pointed, hidden }: SpokenProps) {
  return <p class="unseen" role="status">{told(frame, pointed.value, hidden.value)}</p>;
}

function told(frame: ChartFrame, pointed: Pointed | null, hidden: ReadonlySet<number>): string {
  if (!pointed) return "";
  const { head } = frame;
  const panel = head.panels[pointed.panel];
  const of = panel?.title ? `${panel.title}: ` : "";
  if (pointed.place) {
    const { place } = pointed;
    return `${of}${seriesText(head, place.line.series)}, ${levelText(frame, place)}: ${meanText(frame, place)}`;
  }
  const at = valueAt(head.x, pointed.at);
  const lines = panel?.lines.filter((line) => !hidden.has(line.series)) ?? [];
  const shares = lines.map((line) => `${head.series[line.series] ?? ""} ${withUnit(percentAt(frame, line, at), "%")}`);
  return `${of}${head.rises ? "up to" : "above"} ${withUnit(at, head.x.unit)}: ${shares.join(", ")}`;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 };

function onKey(event: KeyboardEvent, frame: ChartFrame, pointed: Signal<Pointed | null>, hidden: ReadonlySet<number>): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") pointed.value = null;
  const by = STEPS[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const isAcross = event.key === "ArrowLeft" || event.key === "ArrowRight";
  pointed.value = frame.head.of === "means" ? nextMean(frame, pointed.value, hidden, by, isAcross) : along(frame, pointed.value, by, isAcross);
}

/** Across: the next mean of the line; else the same level of the next line. */
function nextMean(frame: ChartFrame, now: Pointed | null, hidden: ReadonlySet<number>, by: number, isAcross: boolean): Pointed | null {
  const all = meansOf(frame, hidden);
  const at = all.findIndex((each) => each.line === now?.place?.line && each.row === now.place.row);
  const here = all[at];
  const place = !here ? all[0] : isAcross ? (all[at + by] ?? here) : (nextLine(frame, all, here, by) ?? here);
  return place ? { place, panel: place.panel, at: 0 } : null;
}

function nextLine(frame: ChartFrame, all: readonly Place[], here: Place, by: number): Place | undefined {
  const lines = [...new Set(all.map((each) => each.line))];
  const line = lines[lines.indexOf(here.line) + by];
  const its = all.filter((each) => each.line === line);
  return its.find((each) => levelText(frame, each) === levelText(frame, here)) ?? its[0];
}

function along(frame: ChartFrame, now: Pointed | null, by: number, isAcross: boolean): Pointed {
  const here = now ?? { place: null, panel: 0, at: 0.5 };
  if (isAcross) return { ...here, at: Math.min(1, Math.max(0, here.at + by * STEP)) };
  return { ...here, panel: Math.min(frame.head.panels.length - 1, Math.max(0, here.panel + by)) };
}
