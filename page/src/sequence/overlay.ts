// What lies over the diagram and changes with the pointer: the cursor, the segment that is told, the time being chosen.

import type { Palette } from "../theme";
import type { Range } from "../view";
import { MARGIN } from "./draw";
import { DATA, type Segments } from "./segments";
import { sendings } from "./story";
import { toX, toY, type Sight } from "./strokes";

export interface Marked {
  readonly cursor: number | null;
  readonly now: number | null;
  readonly drag: Range | null;
  /** The row that is told; -1 if there is none. */
  readonly row: number;
}

type Pen = CanvasRenderingContext2D;

export function mark(pen: Pen, palette: Palette, rows: Segments, sight: Sight, left: number, its: Marked): void {
  const { dot, height, width } = sight;
  pen.translate(Math.round(left * dot), Math.round(MARGIN.top * dot));
  if (its.drag) {
    const [from, to] = [toX(sight, its.drag[0]), toX(sight, its.drag[1])];
    pen.fillStyle = palette("accent");
    pen.globalAlpha = 0.16;
    pen.fillRect(from, 0, to - from, height);
    pen.globalAlpha = 1;
    for (const x of [from, to]) pen.fillRect(Math.round(x), 0, dot, height);
  }
  pen.beginPath();
  pen.rect(-4 * dot, -4 * dot, width + 8 * dot, height + 8 * dot);
  pen.clip();
  if (its.cursor !== null) upright(pen, toX(sight, its.cursor), height, palette("muted"), dot, [3 * dot, 3 * dot]);
  if (its.now !== null) upright(pen, toX(sight, its.now), height, palette("accent"), dot, []);
  if (its.row >= 0) ring(pen, palette, rows, sight, its.row);
}

function upright(pen: Pen, x: number, height: number, color: string, width: number, dash: number[]): void {
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.beginPath();
  pen.moveTo(Math.round(x) + 0.5, 0);
  pen.lineTo(Math.round(x) + 0.5, height);
  pen.stroke();
  pen.setLineDash([]);
}

/** A frame around the row, and thin ones around the other sendings of the same bytes, with a line between them. */
function ring(pen: Pen, palette: Palette, rows: Segments, sight: Sight, row: number): void {
  const { dot } = sight;
  pen.strokeStyle = palette("accent");
  const box = (each: number, room: number): readonly [number, number] => {
    const [x, top, bottom] = [toX(sight, rows.time[each]!), toY(sight, rows.high[each]!), toY(sight, rows.low[each]!)];
    const half = (3 + room) * dot;
    pen.strokeRect(x - half, top - half, 2 * half, bottom - top + 2 * half);
    return [x, (top + bottom) / 2];
  };
  pen.lineWidth = 2 * dot;
  const [x, y] = box(row, 1.5);
  if (rows.kind[row] !== DATA) return;
  pen.lineWidth = dot;
  for (const other of sendings(rows, row)) {
    if (other === row) continue;
    const [otherX, otherY] = box(other, 0.5);
    pen.beginPath();
    pen.setLineDash([2 * dot, 2 * dot]);
    pen.moveTo(x, y);
    pen.lineTo(otherX, otherY);
    pen.stroke();
    pen.setLineDash([]);
  }
}
