// From frames of runs to what a panel shows: pure functions of what came and of what is in sight.

import { isMain, look, type Side } from "../series";
import type { Palette } from "../theme";
import type { Range } from "../view";
import type { PanelHead, PanelId, RunFrame, SeriesHead } from "../lab/types";
import type { Content, Line, Marks } from "./chart";
import { greatest } from "./lookup";

export interface Shown {
  readonly live: RunFrame | null;
  readonly pinned: RunFrame | null;
  readonly range: Range;
  readonly palette: Palette;
}

/** Air above the highest value. */
const AIR = 1.08;
/** A limit is shown while it does not press the lines to the ground. */
const LIMIT_SHARE = 2.5;
/** ssthresh may be far above what is sent: it makes the panel so much higher at most, and its name points up. */
const SSTHRESH_SHARE = 1.35;
/** Air for the name of a limit. */
const LIMIT_AIR = 1.22;
const MARK_COLORS = { timeout: "mark-timeout", "fast retransmit": "mark-retransmit", drop: "mark-drop", mark: "mark-ce" };
/** The marks of a panel. */
const MARKS: Readonly<Record<PanelId, readonly string[]>> = {
  cwnd: ["timeout", "fast retransmit"],
  rtt: [],
  queue: ["drop", "mark"],
  goodput: [],
};

export function panelOf(frame: RunFrame | null, id: PanelId): PanelHead | null {
  return frame?.head.panels.find((each) => each.id === id) ?? null;
}

export function contentOf(id: PanelId, { live, pinned, range, palette }: Shown): Content | null {
  const panel = panelOf(live, id) ?? panelOf(pinned, id);
  if (!panel) return null;
  const isCompared = pinned !== null;
  const lines = [
    ...(live ? linesOf(live, id, "B", isCompared, palette, live) : []),
    ...(pinned ? linesOf(pinned, id, "A", isCompared, palette, live) : []),
  ];
  const { top, limits } = heightOf(lines, panel.limits);
  return { unit: panel.unit, lines: onceNamed(lines), limits, marks: live ? marksOf(live, id, palette) : [], range, top };
}

/** The lines of a run; its flows have the colours of their namesakes in the `first` run. */
function linesOf(frame: RunFrame, id: PanelId, side: Side, isCompared: boolean, palette: Palette, first: RunFrame | null): Line[] {
  const panel = panelOf(frame, id);
  if (!panel) return [];
  const shown = panel.series.filter((each) => !isCompared || isMain(each.name));
  return shown.map((series) => {
    const of = ownerOf(frame, series, side, isCompared);
    const x = frame.array(series.x);
    return {
      quantity: series.name,
      of,
      x,
      y: frame.array(series.y),
      step: series.step,
      until: series.until ?? x[x.length - 1] ?? Number.NaN,
      look: look(palette, series.name, indexOf(frame, series, first ?? frame), side),
      label: of === "" ? series.name : isMain(series.name) ? of : "",
      isMain: isMain(series.name),
    };
  });
}

/** The place of its flow among those that are drawn, those of the first run first; null: it belongs to none. */
function indexOf(frame: RunFrame, series: SeriesHead, first: RunFrame): number | null {
  const own = frame.head.flows.findIndex((each) => each.number === series.flow);
  if (series.flow === null || own < 0) return null;
  if (frame === first) return own;
  const namesake = first.head.flows.findIndex((each) => each.name === frame.head.flows[own]?.name);
  return namesake < 0 ? first.head.flows.length + own : namesake;
}

/** Whose line it is, as far as that is to be told: the flow where there are several, the run where there are two. */
function ownerOf(frame: RunFrame, series: SeriesHead, side: Side, isCompared: boolean): string {
  const { flows } = frame.head;
  const name = flows.length > 1 ? (flows.find((each) => each.number === series.flow)?.name ?? "") : "";
  return [isCompared ? side : "", name].filter(Boolean).join(" ");
}

/** Connections of one flow have one name between them: the last one that has a value bears it. */
function onceNamed(lines: readonly Line[]): Line[] {
  const bearers = new Map(lines.filter((each) => each.x.length > 0).map((each) => [each.label, each]));
  return lines.map((each) => (bearers.get(each.label) === each ? each : { ...each, label: "" }));
}

function heightOf(lines: readonly Line[], limits: Content["limits"]): Pick<Content, "top" | "limits"> {
  const most = Math.max(0, ...lines.filter((each) => each.isMain).map((each) => greatest(each.y)));
  const helpers = lines.filter((each) => !each.isMain).map((each) => {
    const its = greatest(each.y);
    return each.quantity === "ssthresh" ? Math.min(its, most * SSTHRESH_SHARE) : its;
  });
  const near = limits.filter((each) => each.y > 0 && each.y <= most * LIMIT_SHARE);
  const top = Math.max(Math.max(most, ...helpers) * AIR, ...near.map((each) => each.y * LIMIT_AIR));
  return { top: top > 0 ? top : 1, limits: near };
}

function marksOf(frame: RunFrame, id: PanelId, palette: Palette): Marks[] {
  return frame.head.marks
    .filter((each) => MARKS[id].includes(each.kind))
    .map((each) => ({ kind: each.kind, color: palette(MARK_COLORS[each.kind]), x: frame.array(each.x) }));
}
