// Strokes of a panel, in pixels of the canvas.

import type { Range } from "../view";
import type { Line, Marks } from "./chart";
import { valueAt } from "./lookup";

export interface Canvas {
  readonly ctx: CanvasRenderingContext2D;
  /** The plot, in pixels of the canvas. */
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly ratio: number;
  readonly range: Range;
  readonly top: number;
  readonly font: string;
  readonly paper: string;
}

/** Least distance of two marks of a kind, pixels: closer ones are one. */
const MARK_PX = 9;
/** A name: its line, half of its letters, and what of them goes below that half. */
const NAME_PX = 14;
const NAME = { above: 4, below: 7 };
/** A move that is seen. */
const SEEN_PX = 0.4;
/** Points in a column of pixels from which on a line is thin. */
const DENSE = 2.5;
/** Points in a column of pixels from which on a slope may be filled column by column. */
const SMOOTH = 1;
/** Points of a line that are stroked at once. */
const PIECE = 16;

function clipped(canvas: Canvas, draw: (ctx: CanvasRenderingContext2D) => void): void {
  const { ctx, box } = canvas;
  ctx.save();
  ctx.beginPath();
  ctx.rect(box.left, box.top, box.width, box.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

function places(canvas: Canvas): { x: (time: number) => number; y: (value: number) => number } {
  const { box, range, top } = canvas;
  const perSecond = box.width / (range[1] - range[0]);
  const perUnit = box.height / top;
  const bottom = box.top + box.height;
  // What is far outside stays outside; canvases lose their way with numbers of 1e9.
  return {
    x: (time) => Math.max(-1e5, Math.min(1e5, box.left + (time - range[0]) * perSecond)),
    y: (value) => Math.max(-1e5, bottom - value * perUnit),
  };
}

export function drawLines(canvas: Canvas, lines: readonly Line[]): void {
  clipped(canvas, (ctx) => {
    ctx.lineJoin = "bevel";
    // The first line is drawn last: it lies above those that explain it.
    for (let k = lines.length - 1; k >= 0; k--) drawLine(canvas, ctx, lines[k]!);
  });
}

function drawLine(canvas: Canvas, ctx: CanvasRenderingContext2D, line: Line): void {
  const { x, y } = places(canvas);
  const { color, width, dash, alpha } = line.look;
  const points = pointsOf(line, x, y, canvas.ratio);
  const perColumn = points.length / 2 / (canvas.box.width / canvas.ratio);
  // Where each column of pixels has several points, a thin line shows more, and is drawn sooner.
  const thickness = (perColumn > DENSE ? Math.min(1, width) : width) * canvas.ratio;
  ctx.strokeStyle = ctx.fillStyle = color;
  ctx.globalAlpha = alpha;
  // Rectangles lie one over the other, which is seen of a pale line; and a slope of few points would have steps.
  if (thickness > 1 && alpha === 1 && dash.length === 0 && (line.step || perColumn > SMOOTH)) {
    const { box } = canvas;
    const ends = [Math.floor(box.left), Math.ceil(box.left + box.width)] as const;
    fillColumns(points, ends, thickness, (left, top, wide, high) => ctx.fillRect(left, top, wide, high));
    return;
  }
  ctx.lineWidth = thickness;
  ctx.setLineDash(dash.map((each) => each * canvas.ratio));
  strokePieces(ctx, points);
}

/** Pixels of the line that is drawn now: left and height by turns. It grows, and is used again. */
let pixels = new Float64Array(1 << 14);

/** The points of a line in pixels, without those that move it by less than is seen; NaN is a gap. */
export function pointsOf(
  { x: times, y: values, step, until }: Pick<Line, "x" | "y" | "step" | "until">,
  x: (time: number) => number,
  y: (value: number) => number,
  ratio: number,
): Float64Array {
  if (pixels.length < 4 * times.length + 8) pixels = new Float64Array(8 * times.length);
  const seen = SEEN_PX * ratio;
  let count = 0;
  const push = (left: number, height: number) => {
    pixels[count++] = left;
    pixels[count++] = height;
  };
  // What is drawn already, and where the line has come to.
  let height = Number.NaN;
  let left = Number.NaN;
  for (let k = 0; k < times.length; k++) {
    const next = y(values[k] as number);
    if (Number.isNaN(next)) {
      if (!Number.isNaN(height)) push(left, height);
      if (count > 0) push(Number.NaN, Number.NaN);
      height = Number.NaN;
      continue;
    }
    const at = x(times[k] as number);
    const isNew = Number.isNaN(height);
    const isSeen = isNew || Math.abs(next - height) >= seen || (!step && at - (pixels[count - 2] ?? 0) >= 1);
    if (isSeen) {
      if (step && !isNew) push(at, height);
      push(at, next);
      height = next;
    }
    left = at;
  }
  if (!Number.isNaN(height)) push(step ? Math.max(left, x(until)) : left, height);
  return pixels.subarray(0, count);
}

/**
 * Fills what a line covers: in each column of pixels from the least to the greatest height that it has there, and its width
 * more. A browser without a graphics processor does so in a third of the time that strokes of more than a pixel take.
 *
 * @param first column of the plot; what is outside of it may be filled or not
 * @param last column of the plot
 */
export function fillColumns(
  points: Float64Array,
  [first, last]: readonly [number, number],
  width: number,
  fill: (left: number, top: number, width: number, height: number) => void,
): void {
  // In whole columns, so that only the upper and the lower edge are blurred. With more a slope would look thicker.
  const across = Math.max(0, Math.round(width) - 2);
  let [left, low, high] = [Number.NaN, Number.NaN, Number.NaN];
  let [x, y] = [Number.NaN, Number.NaN];
  const end = (next: number) => {
    fill(left - (across >> 1), low - width / 2, next - left + across, high - low + width);
    left = next;
  };
  for (let k = 0; k < points.length; k += 2) {
    const [nextX, nextY] = [points[k] as number, points[k + 1] as number];
    const column = Math.floor(nextX);
    if (Number.isNaN(x)) {
      [left, low, high] = [column, nextY, nextY];
    } else if (Number.isNaN(nextX)) {
      end(left + 1);
    } else {
      while (left < column) {
        // Where the line stays at its height, and outside of the plot, many columns are one rectangle.
        const isOne = (nextY === y && low === high) || left > last;
        const next = left < first ? Math.min(first, column) : isOne ? column : left + 1;
        const edge = y + ((nextY - y) * (next - x)) / (nextX - x);
        low = Math.min(low, edge);
        high = Math.max(high, edge);
        end(next);
        low = high = edge;
      }
      low = Math.min(low, nextY);
      high = Math.max(high, nextY);
    }
    [x, y] = [nextX, nextY];
  }
  if (!Number.isNaN(x)) end(left + 1);
}

/**
 * Strokes in pieces: of a long path with many crossings a browser without a graphics processor fills the whole at once,
 * which takes several times as long.
 */
function strokePieces(ctx: CanvasRenderingContext2D, points: Float64Array): void {
  ctx.beginPath();
  let isGap = true;
  for (let k = 0; k < points.length; k += 2) {
    const [left, height] = [points[k] as number, points[k + 1] as number];
    if (Number.isNaN(left)) isGap = true;
    else if (isGap) {
      ctx.moveTo(left, height);
      isGap = false;
    } else {
      ctx.lineTo(left, height);
      if (k % (2 * PIECE) !== 0) continue;
      ctx.stroke();
      ctx.beginPath();
      ctx.moveTo(left, height);
    }
  }
  ctx.stroke();
}

export function drawLimits(canvas: Canvas, limits: readonly { name: string; y: number }[], color: string): void {
  const { ctx, box, ratio } = canvas;
  const { y } = places(canvas);
  for (const limit of limits) {
    const height = Math.round(y(limit.y)) + 0.5;
    if (height < box.top) continue;
    ctx.save();
    ctx.strokeStyle = color;
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(box.left, height);
    ctx.lineTo(box.left + box.width, height);
    ctx.stroke();
    write(canvas, limit.name, box.left + box.width - 4 * ratio, height - 4 * ratio, color, "right", canvas.paper);
    ctx.restore();
  }
}

export function drawMarks(canvas: Canvas, marks: readonly Marks[]): void {
  const { box, ratio } = canvas;
  const { x } = places(canvas);
  clipped(canvas, (ctx) => {
    for (const { kind, color, x: times } of marks) {
      ctx.strokeStyle = ctx.fillStyle = color;
      ctx.lineWidth = ratio;
      ctx.setLineDash([]);
      ctx.beginPath();
      let last = -Infinity;
      for (let k = 0; k < times.length; k++) {
        const left = Math.round(x(times[k] as number)) + 0.5;
        if (left - last < MARK_PX * ratio) continue;
        last = left;
        sign(ctx, kind, left, box, ratio);
      }
      ctx.stroke();
      if (kind === "timeout") ctx.fill();
    }
  });
}

/** The sign of a mark: a filled triangle and a line for a time-out, an empty triangle, a stroke at the top edge. */
function sign(ctx: CanvasRenderingContext2D, kind: string, left: number, box: Canvas["box"], ratio: number): void {
  const size = 4 * ratio;
  const top = box.top + 0.5;
  if (kind === "drop" || kind === "mark") {
    ctx.moveTo(left, top);
    ctx.lineTo(left, top + 2 * size);
    return;
  }
  if (kind === "timeout") {
    ctx.moveTo(left, top);
    ctx.lineTo(left, box.top + box.height);
  }
  ctx.moveTo(left - size, top);
  ctx.lineTo(left + size, top);
  ctx.lineTo(left, top + 1.6 * size);
  ctx.closePath();
}

/** The names of lines beside their ends, pushed apart where they would touch. */
export function drawNames(canvas: Canvas, lines: readonly Line[]): void {
  const { box, ratio, ctx } = canvas;
  const right = box.left + box.width;
  const room = ctx.canvas.width - right;
  if (room < 40 * ratio) return;
  const { x, y } = places(canvas);
  const ends = lines
    .map((line) => ({ line, left: Math.min(x(line.until), right), value: valueAt(line, Math.min(line.until, canvas.range[1])) }))
    .map((end) => ({ ...end, at: y(end.value) }))
    .filter(({ line, at }) => line.label !== "" && at >= box.top - box.height && Number.isFinite(at))
    .sort((one, other) => one.at - other.at);
  pushApart(ends, ratio, [box.top, box.top + box.height]);
  ctx.font = scaled(canvas.font, ratio);
  for (const { line, left, value, at } of ends) {
    const isAbove = value > canvas.top;
    const text = shortened(ctx, isAbove ? `${line.label} ↑` : line.label, room - 8 * ratio);
    write(canvas, text, left + 6 * ratio, at + 4 * ratio, line.look.color, "left", left < right ? canvas.paper : undefined);
  }
}

/** Moves the middles of names, which go downward, so that none touches another and all letters are in a picture. */
export function pushApart(ends: { at: number }[], ratio: number, [top, bottom]: readonly [number, number]): void {
  const gap = NAME_PX * ratio;
  let last = top + NAME.above * ratio - gap;
  for (const end of ends) last = end.at = Math.max(end.at, last + gap);
  // What was pushed out at the bottom comes back up.
  let floor = bottom - NAME.below * ratio;
  for (const end of [...ends].reverse()) {
    end.at = Math.min(end.at, floor);
    floor = end.at - gap;
  }
}

/** Text; with a halo where lines may lie below it. */
function write(canvas: Canvas, text: string, x: number, y: number, color: string, align: CanvasTextAlign, halo?: string): void {
  const { ctx, ratio, font } = canvas;
  ctx.font = scaled(font, ratio);
  ctx.textAlign = align;
  ctx.textBaseline = "alphabetic";
  if (halo) {
    ctx.strokeStyle = halo;
    ctx.lineWidth = 4 * ratio;
    ctx.setLineDash([]);
    ctx.strokeText(text, x, y);
  }
  ctx.fillStyle = color;
  ctx.fillText(text, x, y);
}

/** As much of a text as has room, in the font of the canvas. */
export function shortened(ctx: CanvasRenderingContext2D, text: string, room: number): string {
  if (ctx.measureText(text).width <= room) return text;
  let kept = text;
  while (kept.length > 1 && ctx.measureText(`${kept}…`).width > room) kept = kept.slice(0, -1);
  return `${kept}…`;
}

function scaled(font: string, ratio: number): string {
  return font.replace(/^([\d.]+)px/, (_, size: string) => `${Number(size) * ratio}px`);
}
