// Means with their intervals against the levels of a factor, a line each. uPlot draws it.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { flowColor } from "../series";
import { palette } from "../theme";
import { number, scaleFor, ticks } from "../units";
import { useWidth } from "../widgets/size";
import { valueRange, type Axis, type MeansLine } from "./means";
import "./campaigns.css";

const HEIGHT = 300;
const [CAP, DODGE, FONT_PX] = [4, 9, 12];
/** Pixels that a level needs below the axis, a character. */
const CHARACTER_PX = 7.5;

interface Props {
  readonly title: string;
  readonly unit: string;
  readonly axis: Axis;
  readonly axisName: string;
  readonly lines: readonly MeansLine[];
  readonly isStale?: boolean;
  /** A value that matters, like a target. */
  readonly level?: { readonly name: string; readonly y: number } | null;
}

export function IntervalChart({ title, unit, axis, axisName, lines, isStale = false, level = null }: Props) {
  const { host, width } = useWidth();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const hover = useSignal<number | null>(null);
  const shown = { axis, lines, level, unit };
  const latest = useRef(shown);
  latest.current = shown;
  const key = JSON.stringify(shown);
  useEffect(() => {
    if (!place.current || width.value === 0) return;
    const made = new uPlot(options(width.value, () => latest.current, place.current, (at) => (hover.value = at)), dataOf(latest.current), place.current);
    plot.current = made;
    return () => made.destroy();
  }, [width.value, key]);
  const colors = palette.value;
  useEffect(() => plot.current?.redraw(false, true), [colors]);
  const step = (by: number) => {
    const last = axis.levels.length - 1;
    hover.value = hover.value === null ? (by > 0 ? 0 : last) : Math.min(last, Math.max(0, hover.value + by));
  };
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) step(by);
    else if (event.key === "Escape") hover.value = null;
    else return;
    event.preventDefault();
  };
  const shownUnit = yScale(shown).unit;
  return (
    <figure class="interval-chart" aria-busy={isStale}>
      <figcaption>
        <strong>{title}</strong>{shownUnit && <span class="axis-unit">, {shownUnit}</span>}
      </figcaption>
      {lines.some((each) => each.name !== "") && <Legend lines={lines} isJoined={axis.kind !== "words"} />}
      <div
        ref={host}
        class="interval-plot"
        role="group"
        tabIndex={0}
        aria-label={`${title} against ${axisName}, with intervals. Arrow keys read the levels; the table has all numbers.`}
        onKeyDown={onKey}
        onBlur={() => (hover.value = null)}
      >
        <div ref={place} aria-hidden="true" />
        {hover.value !== null && <Reading {...shown} at={hover.value} left={plot.current?.valToPos(axis.places[hover.value] ?? 0, "x") ?? 0} over={plot.current} />}
        <p class="unseen" aria-live="polite">{hover.value === null ? "" : spoken(shown, hover.value)}</p>
      </div>
      <p class="axis-name">{axisName}{axis.kind === "log" && <span class="hint"> (logarithmic)</span>}</p>
    </figure>
  );
}

type Shown = Pick<Props, "axis" | "lines" | "unit"> & { readonly level: Props["level"] };

function spoken({ axis, lines }: Shown, at: number): string {
  const parts = lines.map((each) => `${each.name} ${each.values[at]?.text ?? "no value"}`.trim());
  return `${axis.levels[at] ?? ""}: ${parts.join("; ")}`;
}

function Legend({ lines, isJoined }: { lines: readonly MeansLine[]; isJoined: boolean }) {
  return (
    <ul class="legend">
      {lines.map((each, k) => (
        <li key={each.name}>
          <svg width="20" height="10" aria-hidden="true" class={`series-sign series-${(k % 8) + 1}`}>
            {isJoined && <path d="M0 5H20" />}
            <circle cx="10" cy="5" r="3.2" />
          </svg>
          {each.name}
        </li>
      ))}
    </ul>
  );
}

function Reading({ axis, lines, at, left, over }: Shown & { at: number; left: number; over: uPlot | null }) {
  const edge = over ? over.over.offsetLeft : 0;
  const isRight = over ? left > over.over.clientWidth / 2 : false;
  const box = (element: HTMLDivElement | null) => {
    if (!element || !over) return;
    element.style.left = isRight ? "" : `${edge + left + 14}px`;
    element.style.right = isRight ? `${over.width - edge - left + 14}px` : "";
  };
  return (
    <div ref={box} class="readout" aria-hidden="true">
      <div class="readout-time">{axis.levels[at]}</div>
      <table>
        <tbody>
          {lines.map((each, k) => (
            <tr key={each.name}>
              <td>
                <svg width="12" height="10" class={`series-sign series-${(k % 8) + 1}`}><circle cx="5" cy="5" r="3.2" /></svg>
                {each.name}
              </td>
              <td>{each.values[at]?.text ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function dataOf({ axis, lines }: Shown): uPlot.AlignedData {
  return [axis.places as number[], ...lines.map((line) => line.values.map((each) => each?.mean ?? null))];
}

function yScale({ lines, unit }: Shown) {
  const [low, high] = valueRange(lines.flatMap((each) => each.values));
  const scale = scaleFor(unit, Math.max(Math.abs(low), Math.abs(high)) / 2);
  return scale.unit === "1" ? { ...scale, unit: "" } : scale;
}

/** Levels that have room for their text. */
function spaced(axis: Axis, plot: uPlot): number[] {
  let last = -Infinity;
  return axis.places.filter((place, k) => {
    const at = plot.valToPos(place, "x");
    const half = ((axis.levels[k]?.length ?? 0) * CHARACTER_PX) / 2 + 3;
    if (at - half < last) return false;
    last = at + half;
    return true;
  });
}

function options(width: number, shown: () => Shown, host: HTMLElement, onHover: (at: number | null) => void): uPlot.Options {
  const { axis, lines, level } = shown();
  const font = `${FONT_PX}px ${getComputedStyle(host).fontFamily}`;
  const color = (name: string) => () => palette.peek()(name);
  const scale = yScale(shown());
  const [low, high] = valueRange([...lines.flatMap((each) => each.values), level ? { mean: level.y, lo: null, hi: null, text: "" } : null]);
  const [first, last] = [axis.places[0] ?? 0, axis.places[axis.places.length - 1] ?? 1];
  const margin = axis.kind === "words" ? 0.5 : (last - first) * 0.04 || 1;
  const look = { font, stroke: color("muted"), ticks: { show: false } };
  const isWide = width > 560;
  return {
    width,
    height: isWide ? HEIGHT : 240,
    padding: [10, 14, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, range: [first - margin, last + margin] }, y: { range: [low, high] } },
    axes: [
      {
        ...look,
        size: 28,
        grid: { show: axis.kind !== "words", stroke: color("grid"), width: 1 },
        splits: (plot) => spaced(axis, plot),
        values: (_, at) => at.map((each) => axis.levels[axis.places.indexOf(each)] ?? ""),
      },
      {
        ...look,
        size: isWide ? 66 : 50,
        gap: 8,
        grid: { stroke: color("grid"), width: 1 },
        splits: () => ticks(low * scale.factor, high * scale.factor, 6).map((each) => each / scale.factor),
        values: (_, at) => at.map((each) => number(each * scale.factor)),
      },
    ],
    series: [
      {},
      ...lines.map((_, k): uPlot.Series => ({
        stroke: () => flowColor(palette.peek(), k),
        width: 1.7,
        points: { show: false },
        // Between words there is nothing.
        ...(axis.kind === "words" && { paths: () => null }),
        spanGaps: true,
      })),
    ],
    hooks: {
      draw: [(plot) => drawIntervals(plot, shown())],
      setCursor: [(plot) => onHover((plot.cursor.left ?? -1) < 0 ? null : (plot.cursor.idx ?? null))],
    },
  };
}

/** Points with whiskers; of words, the lines stand side by side. */
function drawIntervals(plot: uPlot, { axis, lines, level }: Shown): void {
  const { ctx } = plot;
  const ratio = uPlot.pxRatio;
  ctx.save();
  if (level) drawLevel(plot, level.y);
  lines.forEach((line, k) => {
    const shift = axis.kind === "words" ? (k - (lines.length - 1) / 2) * DODGE * ratio : 0;
    ctx.strokeStyle = ctx.fillStyle = flowColor(palette.peek(), k);
    ctx.lineWidth = 1.4 * ratio;
    line.values.forEach((each, at) => {
      if (!each || each.mean === null) return;
      const x = plot.valToPos(axis.places[at] ?? 0, "x", true) + shift;
      if (each.lo !== null && each.hi !== null) whisker(plot, x, each.lo, each.hi, CAP * ratio);
      ctx.beginPath();
      ctx.arc(x, plot.valToPos(each.mean, "y", true), 3.2 * ratio, 0, 2 * Math.PI);
      ctx.fill();
    });
  });
  ctx.restore();
}

function whisker(plot: uPlot, x: number, lo: number, hi: number, cap: number): void {
  const [low, high] = [plot.valToPos(lo, "y", true), plot.valToPos(hi, "y", true)];
  const { ctx } = plot;
  ctx.beginPath();
  ctx.moveTo(x, low);
  ctx.lineTo(x, high);
  for (const end of [low, high]) {
    ctx.moveTo(x - cap, end);
    ctx.lineTo(x + cap, end);
  }
  ctx.stroke();
}

function drawLevel(plot: uPlot, value: number): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(value, "y", true);
  ctx.strokeStyle = palette.peek()("accent");
  ctx.lineWidth = 1.2 * uPlot.pxRatio;
  ctx.setLineDash([6 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.setLineDash([]);
}
