// The states of flows as coloured strips: what a frame says of them, and how they are drawn.

import type { RunFrame, StripHead } from "../lab/types";
import type { Numbers } from "../frame";
import type { Palette } from "../theme";
import type { Range } from "../view";
import { guttersOf, xOf } from "./layout";
import { shortened } from "./draw";
import { lastAtMost } from "./lookup";
import { stateKind } from "./states";

/** The states of a flow; where it has several connections, those of the one that changed last. */
export interface Strip {
  readonly name: string;
  readonly x: Numbers;
  readonly state: (row: number) => string;
}

export const STRIP_PX = 18;
const LEAST_TEXT_PX = 34;

export function stripsOf(frame: RunFrame | null, prefix = ""): Strip[] {
  if (!frame) return [];
  const { flows, strips } = frame.head;
  return flows.flatMap((flow) => {
    const its = strips.filter((each) => each.flow === flow.number);
    if (its.length === 0) return [];
    const name = prefix + (flows.length <= 1 ? "state" : flow.name);
    const rows = its.flatMap((each) => rowsOf(frame, each)).sort(([one], [other]) => one - other);
    return [{ name, x: Float64Array.from(rows, ([at]) => at), state: (row: number) => rows[row]?.[1] ?? "" }];
  });
}

type StateRow = readonly [time: number, state: string];

/** The states of a connection; "" when the last one holds no more. */
function rowsOf(frame: RunFrame, strip: StripHead): StateRow[] {
  const words = frame.words(strip.state);
  const numbers = frame.array(strip.state);
  const rows = Array.from(frame.array(strip.x), (at, row): StateRow => [at, words[numbers[row] as number] ?? ""]);
  return [...rows, [strip.until ?? frame.head.simulated_s, ""]];
}

/** The state at a time; "" where there is none yet. */
export function stateAt(strip: Strip, time: number): string {
  const row = lastAtMost(strip.x, time);
  return row < 0 ? "" : strip.state(row);
}

/** The states that the strips show, in the order of their appearance; rounds of one state are one. */
export function statesIn(strips: readonly Strip[]): string[] {
  const found = new Set<string>();
  for (const strip of strips) for (let row = 0; row < strip.x.length; row++) found.add(strip.state(row).replace(/^(conservative .*) \d+$/, "$1"));
  found.delete("");
  return [...found];
}

export function drawStrips(
  canvas: HTMLCanvasElement,
  width: number,
  strips: readonly Strip[],
  range: Range,
  palette: Palette,
): void {
  const ratio = devicePixelRatio;
  const height = strips.length * STRIP_PX;
  const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
    canvas.style.height = `${height}px`;
  }
  const ctx = canvas.getContext("2d");
  if (!ctx) return;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  ctx.font = `12px ${getComputedStyle(canvas).fontFamily}`;
  ctx.textBaseline = "middle";
  strips.forEach((strip, row) => drawStrip(ctx, strip, row * STRIP_PX, width, range, palette));
}

function drawStrip(
  ctx: CanvasRenderingContext2D,
  strip: Strip,
  top: number,
  width: number,
  range: Range,
  palette: Palette,
): void {
  const gutters = guttersOf(width);
  const ink = palette("ink");
  const [first, last] = [gutters.left, width - gutters.right];
  const x = (time: number) => Math.min(last, Math.max(first, xOf(time, range, width, gutters)));
  const middle = top + STRIP_PX / 2;
  ctx.textAlign = "right";
  ctx.fillStyle = palette("muted");
  ctx.fillText(shortened(ctx, strip.name, gutters.left - 10), gutters.left - 8, middle);
  ctx.textAlign = "left";
  for (let row = 0; row < strip.x.length; row++) {
    const name = strip.state(row);
    const from = x(strip.x[row] as number);
    const to = x(strip.x[row + 1] ?? Number.NaN);
    if (name === "" || !(to > from)) continue;
    ctx.fillStyle = palette(stateKind(name).color);
    // A state that is too short for a pixel is still seen.
    ctx.fillRect(from, top + 2, Math.max(1, to - from), STRIP_PX - 4);
    if (to - from < LEAST_TEXT_PX) continue;
    const room = ctx.measureText(name).width + 8;
    if (room > to - from) continue;
    ctx.fillStyle = ink;
    // Ascenders and small letters together are centred so.
    ctx.fillText(name, from + 4, middle + 2);
  }
}
