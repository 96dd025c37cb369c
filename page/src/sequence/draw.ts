// Draws the time-sequence diagram with the signs of tcptrace.

import { pushApart } from "../panels/draw";
import type { Gutters } from "../panels/layout";
import type { Palette } from "../theme";
import { decimalsOf, number, scaleFor, ticks, timeTexts } from "../units";
import type { Range } from "../view";
import { toX, toY, type Drawing, type Line, type Sight, type Strokes } from "./strokes";

/** Above and below the diagram, pixels of the page. Left and right it has the gutters of the panels: one time axis. */
export const MARGIN = { top: 22, bottom: 24 };
/** Less room than this at the right holds no names of lines. */
const NAMES = 60;

/** Names of the colours in the theme. */
export const COLOR = {
  data: "ink",
  again: "series-4",
  lost: "mark-drop",
  ack: "series-2",
  sack: "series-5",
  window: "series-8",
} as const;

/** So few strokes of a kind are drawn thicker, and with letters. */
const FEW = 1000;
/** Letters stand where they do not hide each other. */
const LETTER = { width: 9, height: 11 };

type Pen = CanvasRenderingContext2D;

/** A diagram between the gutters; `loaded` is the time of which there are rows. */
export function paint(pen: Pen, palette: Palette, its: Drawing, sight: Sight, gutters: Gutters, loaded: Range): void {
  const { dot, width, height } = sight;
  pen.translate(Math.round(gutters.left * dot), Math.round(MARGIN.top * dot));
  axes(pen, palette, sight, gutters);
  pen.save();
  pen.beginPath();
  pen.rect(0, 0, width, height);
  pen.clip();
  outside(pen, palette, sight, loaded);
  line(pen, its.window, palette(COLOR.window), 1.25 * dot, [5 * dot, 3 * dot]);
  // Many SACKs fill an area: data must be seen through it.
  pen.globalAlpha = its.sack.column.length < FEW / 5 ? 1 : 0.5;
  bars(pen, its.sack, palette(COLOR.sack), Math.max(1, Math.round(1.5 * dot)));
  pen.globalAlpha = 1;
  bars(
    pen,
    its.data,
    palette(COLOR.data),
    its.data.column.length < FEW ? Math.max(2, Math.round(1.5 * dot)) : Math.max(1, Math.round(dot)),
    dot,
  );
  line(pen, its.ack, palette(COLOR.ack), 1.5 * dot, []);
  duplicates(pen, its.duplicate, palette(COLOR.ack), dot);
  bars(pen, its.again, palette(COLOR.again), Math.max(2, Math.round(2 * dot)), dot);
  letters(pen, its.sack, "S", palette(COLOR.sack), dot);
  letters(pen, its.again, "R", palette(COLOR.again), dot);
  crosses(pen, its.lost, palette(COLOR.lost), dot);
  pen.restore();
  if (gutters.right >= NAMES) names(pen, palette, its, sight);
}

/** Names of the lines at their ends, where they do not lie on each other. */
function names(pen: Pen, palette: Palette, its: Drawing, { dot, width, height }: Sight): void {
  const top = its.data.top.at(-1);
  const ends = [
    { name: "window", color: COLOR.window, y: its.window.at(-1) },
    { name: "data", color: COLOR.data, y: top },
    { name: "ACK", color: COLOR.ack, y: its.ack.at(-1) },
  ];
  pen.font = `${12 * dot}px system-ui, sans-serif`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  const seen = ends.flatMap(({ name, color, y }) => (y === undefined || y < 0 || y > height ? [] : [{ name, color, at: y }]));
  pushApart(seen, dot, [0, height]);
  for (const { name, color, at } of seen) {
    pen.fillStyle = palette(color);
    pen.fillText(name, width + 6 * dot, at);
  }
}

function axes(pen: Pen, palette: Palette, sight: Sight, gutters: Gutters): void {
  const { dot, width, height, time, bytes } = sight;
  pen.font = `${12 * dot}px system-ui, sans-serif`;
  pen.fillStyle = palette("muted");
  const times = ticks(time[0], time[1], Math.max(2, width / dot / 90));
  const texts = timeTexts(times);
  pen.textBaseline = "top";
  pen.textAlign = "center";
  times.forEach((each, place) => {
    const x = Math.round(toX(sight, each));
    rule(pen, palette("grid"), x, 0, Math.max(1, Math.round(dot / 2)), height);
    const text = texts[place]!;
    const half = pen.measureText(text).width / 2;
    pen.fillStyle = palette("muted");
    pen.fillText(text, Math.min(x, width + gutters.right * dot - half), height + 6 * dot);
  });
  const values = ticks(bytes[0], bytes[1], Math.max(2, height / dot / 44));
  const scale = scaleFor("bytes", Math.max(...values.map(Math.abs), 1));
  const places = decimalsOf(((values[1] ?? 1) - (values[0] ?? 0)) * scale.factor);
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const each of values.filter((value) => value >= 0)) {
    const y = Math.round(toY(sight, each));
    rule(pen, palette("grid"), 0, y, width, Math.max(1, Math.round(dot / 2)));
    pen.fillStyle = palette("muted");
    const value = each * scale.factor;
    pen.fillText(places > 0 ? value.toFixed(places) : number(value, 9), -7 * dot, y);
  }
  pen.textAlign = "left";
  pen.textBaseline = "bottom";
  pen.fillText(`Sequence number, ${scale.unit}`, -(gutters.left - 4) * dot, -6 * dot);
  rule(pen, palette("line"), 0, 0, dot, height);
  rule(pen, palette("line"), 0, height, width, dot);
}

function rule(pen: Pen, color: string, x: number, y: number, width: number, height: number): void {
  pen.fillStyle = color;
  pen.fillRect(x, y, width, height);
}

/** Shades the time of which there are no rows yet. */
function outside(pen: Pen, palette: Palette, sight: Sight, loaded: Range): void {
  const [from, to] = [toX(sight, loaded[0]), toX(sight, loaded[1])];
  pen.globalAlpha = 0.5;
  for (const [left, right] of [
    [0, Math.min(from, sight.width)],
    [Math.max(to, 0), sight.width],
  ] as const) {
    if (right - left > 1) rule(pen, palette("grid"), left, 0, right - left, sight.height);
  }
  pen.globalAlpha = 1;
}

function line(pen: Pen, its: Line, color: string, width: number, dash: number[]): void {
  if (its.length < 4) return;
  pen.beginPath();
  pen.moveTo(its[0]! + 0.5, its[1]!);
  for (let at = 2; at < its.length; at += 2) pen.lineTo(its[at]! + 0.5, its[at + 1]!);
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.stroke();
  pen.setLineDash([]);
}

/** Strokes; those of a single segment have ends where they are high enough to see them, if `ends` is given. */
function bars(pen: Pen, its: Strokes, color: string, width: number, ends = 0): void {
  pen.fillStyle = color;
  const left = Math.floor(width / 2);
  for (let at = 0; at < its.column.length; at += 1) {
    const [x, top, bottom] = [its.column[at]!, its.top[at]!, its.bottom[at]!];
    pen.fillRect(x - left, top, width, bottom - top);
    if (ends > 0 && its.rows[at] === 1 && bottom - top >= 6 * ends) {
      const [long, thick] = [Math.round(2 * ends), Math.max(1, Math.round(ends))];
      pen.fillRect(x - left - long, top, width + 2 * long, thick);
      pen.fillRect(x - left - long, bottom - thick, width + 2 * long, thick);
    }
  }
}

function duplicates(pen: Pen, its: Strokes, color: string, dot: number): void {
  pen.fillStyle = color;
  for (let at = 0; at < its.column.length; at += 1) {
    pen.fillRect(its.column[at]!, its.bottom[at]!, Math.max(1, Math.round(dot)), 4 * dot);
  }
}

function letters(pen: Pen, its: Strokes, letter: string, color: string, dot: number): void {
  if (its.column.length > FEW) return;
  pen.font = `bold ${10 * dot}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "bottom";
  pen.fillStyle = color;
  let last = -Infinity;
  for (let at = 0; at < its.column.length; at += 1) {
    const column = its.column[at]!;
    if (column - last < LETTER.width * dot) continue;
    pen.fillText(letter, column, Math.max(its.top[at]!, LETTER.height * dot) - dot);
    last = column;
  }
}

/** A cross at each lost segment; at both ends of a stroke of several. */
function crosses(pen: Pen, its: Strokes, color: string, dot: number): void {
  pen.strokeStyle = color;
  pen.lineWidth = 1.75 * dot;
  pen.beginPath();
  const half = 3.5 * dot;
  for (let at = 0; at < its.column.length; at += 1) {
    const x = its.column[at]! + 0.5;
    const [first, last] = [its.top[at]! + half, its.bottom[at]! - half];
    for (const y of last - first > half ? [first, last] : [(first + last) / 2]) {
      pen.moveTo(x - half, y - half);
      pen.lineTo(x + half, y + half);
      pen.moveTo(x - half, y + half);
      pen.lineTo(x + half, y - half);
    }
    if (last - first > half) {
      pen.moveTo(x, first);
      pen.lineTo(x, last);
    }
  }
  pen.stroke();
}
