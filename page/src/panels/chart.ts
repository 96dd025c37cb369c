// One panel on a canvas: uPlot draws its axes and follows the pointer, we draw the lines.
//
// The instance lives as long as the panel. A new frame gives it other arrays, without a copy; lines, looks and marks
// may be others each time, and nothing is built anew.

import uPlot from "uplot";
import type { Numbers } from "../frame";
import type { Look } from "../series";
import { palette } from "../theme";
import { number, scaleFor, timeTexts, type Scale } from "../units";
import type { Range } from "../view";
import { drawLines, drawLimits, drawMarks, drawNames } from "./draw";
import { followFingers, type PinchedPlot } from "./finger";
import type { Gutters } from "./layout";

export interface Line {
  /** What it shows: "cwnd". */
  readonly quantity: string;
  /** Whose it is: a flow, a run, or "" where there is one only. */
  readonly of: string;
  readonly x: Numbers;
  readonly y: Numbers;
  readonly step: boolean;
  /** When its last value holds no more. */
  readonly until: number;
  readonly look: Look;
  /** What stands at its end; "": nothing. */
  readonly label: string;
  /** Whether the panel's height follows it. */
  readonly isMain: boolean;
}

export interface Marks {
  readonly kind: string;
  readonly color: string;
  readonly x: Numbers;
}

/** What a panel shows. */
export interface Content {
  readonly unit: string;
  readonly lines: readonly Line[];
  readonly limits: readonly { readonly name: string; readonly y: number }[];
  readonly marks: readonly Marks[];
  readonly range: Range;
  /** The end of the axis of y; the axis begins at 0. */
  readonly top: number;
}

export interface ChartEvents {
  readonly onCursor: (time: number | null) => void;
  readonly onZoom: (range: Range) => void;
  readonly onAll: () => void;
  /** What two fingers zoom and move. */
  readonly pinched: PinchedPlot;
}

/** The scale of a panel's axis: 0 to 1000 kB, but 0 to 3 MB. */
export function axisScale({ unit, top }: Pick<Content, "unit" | "top">): Scale {
  return scaleFor(unit, top / 2);
}

const FONT_PX = 12;
/** Units of what comes in whole numbers, and steps between these. */
const WHOLE = ["packets", "cells"];
const WHOLE_STEPS = Array.from({ length: 10 }, (_, k) => [1, 2, 5].map((each) => each * 10 ** k)).flat();
const LEAST_DRAG_PX = 6;

export class Chart {
  readonly #plot: uPlot;
  readonly #off = new AbortController();
  #content: Content | null = null;
  #gutters: Gutters;
  #scale: Scale = { factor: 1, unit: "" };

  constructor(
    host: HTMLElement,
    unit: string,
    readonly hasTimes: boolean,
    size: { readonly width: number; readonly height: number; readonly gutters: Gutters },
    events: ChartEvents,
  ) {
    this.#gutters = size.gutters;
    this.#plot = new uPlot(this.#options(host, unit, size, events), [[0, 1], [null, null]], host);
  }

  /** The element over the plot, for a read-out. */
  get over(): HTMLElement {
    return this.#plot.over;
  }

  /** What it shows. */
  get content(): Content | null {
    return this.#content;
  }

  /** How its numbers are told. */
  get scale(): Scale {
    return this.#scale;
  }

  show(content: Content): void {
    this.#content = content;
    this.#scale = axisScale(content);
    const [from, to] = content.range;
    const plot = this.#plot;
    plot.batch(() => {
      plot.setScale("x", { min: from, max: to });
      plot.setScale("y", { min: 0, max: content.top });
      plot.redraw(false, true);
    });
  }

  resize(width: number, height: number, gutters: Gutters): void {
    if (this.#plot.width === width && this.#plot.height === height) return;
    this.#gutters = gutters;
    this.#plot.setSize({ width, height });
  }

  /** Where the line under the pointer is; null: nowhere. */
  point(time: number | null): void {
    const left = time === null ? -10 : this.#plot.valToPos(time, "x");
    this.#plot.setCursor({ left, top: left < 0 ? -10 : 1 }, false);
  }

  /** Pixels from the left end of the plot. */
  at(time: number): number {
    return this.#plot.valToPos(time, "x");
  }

  /** A picture of the canvas. */
  get canvas(): HTMLCanvasElement {
    return this.#plot.ctx.canvas;
  }

  destroy(): void {
    this.#off.abort();
    this.#plot.destroy();
  }

  #options(host: HTMLElement, unit: string, size: { width: number; height: number; gutters: Gutters }, events: ChartEvents): uPlot.Options {
    const font = `${FONT_PX}px ${getComputedStyle(host).fontFamily}`;
    const color = (name: string) => () => palette.peek()(name);
    const axis = { font, stroke: color("muted"), grid: { stroke: color("grid"), width: 1 }, ticks: { show: false } };
    return {
      width: size.width,
      height: size.height,
      padding: [8, () => this.#gutters.right, this.hasTimes ? 0 : 6, 0],
      legend: { show: false },
      select: { show: true, left: 0, top: 0, width: 0, height: 0 },
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: LEAST_DRAG_PX },
        bind: { dblclick: () => () => (events.onAll(), null) },
      },
      scales: { x: { time: false, auto: false }, y: { auto: false, range: (_, low, high) => [low, high] } },
      axes: [
        { ...axis, size: this.hasTimes ? 26 : 0, gap: 4, space: 70, values: (_, at) => this.#times(at) },
        { ...axis, size: () => this.#gutters.left, gap: 8, ...(WHOLE.includes(unit) && { incrs: WHOLE_STEPS }), space: (_plot, _axis, _low, _high, height) => Math.max(18, height / 6), values: (_, at) => at.map((each) => this.#label(each)) },
      ],
      series: [{}, { show: false }],
      hooks: {
        ready: [(plot) => followFingers(plot, (left) => events.onCursor(left === null ? null : plot.posToVal(left, "x")), events.pinched, this.#off.signal)],
        draw: [(plot) => this.#draw(plot, font)],
        setCursor: [(plot) => events.onCursor((plot.cursor.left ?? -1) < 0 ? null : plot.posToVal(plot.cursor.left!, "x"))],
        setSelect: [(plot) => this.#zoom(plot, events)],
      },
    };
  }

  #times(at: readonly number[]): string[] {
    return this.hasTimes ? timeTexts(at) : at.map(() => "");
  }

  #label(value: number): string {
    return number(value * this.#scale.factor);
  }

  #zoom(plot: uPlot, events: ChartEvents): void {
    const { left, width } = plot.select;
    if (width < LEAST_DRAG_PX) return;
    const range: Range = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    events.onZoom(range);
  }

  #draw(plot: uPlot, font: string): void {
    const content = this.#content;
    if (!content) return;
    const { range, top } = content;
    const paper = palette.peek()("paper");
    const frame = { ctx: plot.ctx, box: plot.bbox, ratio: uPlot.pxRatio, range, top, font, paper };
    // uPlot knows what it has set, and does not set it again.
    plot.ctx.save();
    drawLines(frame, content.lines);
    drawLimits(frame, content.limits, palette.peek()("muted"));
    drawMarks(frame, content.marks);
    drawNames(frame, content.lines);
    plot.ctx.restore();
  }
}
