// Draws the time bar: how full the queue is that delays most, what is lost and marked, and what happens at hosts.

import { firstFrom } from "../canvas/range";
import type { Size } from "../canvas/surface";
import type { Palette } from "../theme";
import { ticks, timeTexts } from "../units";
import { occupancy } from "./occupancy";
import type { Player } from "./player";

type Pen = CanvasRenderingContext2D;

/** Pixels of the page: of the queue's area, of a row of signs. */
const AREA = 26;
const SIGNS = 7;
export const BAR_HEIGHT = AREA + 2 * SIGNS + 18;
/** Left and right of it, so that its ends are reached. */
export const ASIDE = 10;

/** What does not change with the animation's time. */
export function paintBar(pen: Pen, palette: Palette, player: Player, { width, dot }: Size): void {
  const journeys = player.journeys.value;
  if (!journeys) return;
  pen.setTransform(dot, 0, 0, dot, ASIDE * dot, 0);
  const length = Math.max(1, width - 2 * ASIDE);
  const [from, to] = player.window.value;
  const xOf = (time: number) => ((time - from) / (to - from)) * length;
  pen.fillStyle = palette("grid");
  pen.fillRect(0, 0, length, AREA);
  const fullest = fullestOf(player);
  if (fullest >= 0) {
    const columns = Math.max(1, Math.round(length));
    const its = occupancy(journeys, fullest, [from, to], columns);
    const most = journeys.mostWaiting[fullest]!;
    pen.fillStyle = palette("muted");
    pen.globalAlpha = 0.6;
    its.forEach((value, column) =>
      pen.fillRect(column, AREA - (value / most) * (AREA - 2), 1, (value / most) * (AREA - 2)),
    );
    pen.globalAlpha = 1;
  }
  const rows = { loss: AREA + 1, host: AREA + 1 + SIGNS };
  const seen = new Set<string>();
  const tick = (time: number, y: number, color: string, wide: number) => {
    const x = Math.round(xOf(time));
    const key = `${x} ${y} ${color}`;
    if (time < from || time > to || seen.has(key)) return;
    seen.add(key);
    pen.fillStyle = palette(color);
    pen.fillRect(x - wide / 2, y, wide, SIGNS - 1);
  };
  for (let row = 0; row < journeys.count; row += 1)
    if (journeys.rows.marked[row] === 1) tick(journeys.rows.offered[row]!, rows.loss, "mark-ce", 1);
  for (let row = 0; row < journeys.count; row += 1)
    if (journeys.isLost(row)) tick(journeys.gone[row]!, rows.loss, "mark-drop", 1.5);
  for (const { kind, times } of player.events.value) {
    const color = kind === "timeout" ? "mark-timeout" : kind === "fast retransmit" ? "mark-retransmit" : undefined;
    for (let at = firstFrom(times, from); color && at < times.length && times[at]! <= to; at += 1)
      tick(times[at]!, rows.host, color, kind === "timeout" ? 4 : 2);
  }
  scale(pen, palette, from, to, length, xOf);
}

function scale(
  pen: Pen,
  palette: Palette,
  from: number,
  to: number,
  length: number,
  xOf: (time: number) => number,
): void {
  const times = ticks(from, to, Math.max(2, length / 90));
  const texts = timeTexts(times);
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "bottom";
  pen.textAlign = "center";
  pen.fillStyle = palette("muted");
  times.forEach((time, at) => {
    const text = texts[at]!;
    const half = pen.measureText(text).width / 2;
    pen.fillText(text, Math.min(length + ASIDE - half, Math.max(half - ASIDE, xOf(time))), BAR_HEIGHT);
  });
}

/** The link for which packets wait longest in all; -1 if none ever waits. */
export function fullestOf(player: Player): number {
  const waited = player.journeys.value?.waited ?? [];
  const greatest = Math.max(0, ...waited);
  return greatest > 0 ? waited.indexOf(greatest) : -1;
}

/** The animation's time, and that of the pointer in another panel. */
export function paintHand(
  pen: Pen,
  palette: Palette,
  player: Player,
  cursor: number | null,
  { width, dot }: Size,
): void {
  pen.setTransform(dot, 0, 0, dot, ASIDE * dot, 0);
  const length = Math.max(1, width - 2 * ASIDE);
  const [from, to] = player.window.value;
  const xOf = (time: number) => ((time - from) / (to - from)) * length;
  if (cursor !== null && cursor >= from && cursor <= to) {
    pen.fillStyle = palette("muted");
    pen.fillRect(xOf(cursor) - 0.5, 0, 1, AREA + 2 * SIGNS);
  }
  const x = xOf(player.time.value);
  pen.fillStyle = palette("accent");
  pen.fillRect(x - 1, 0, 2, AREA + 2 * SIGNS);
  pen.beginPath();
  pen.moveTo(x - 6, 0);
  pen.lineTo(x + 6, 0);
  pen.lineTo(x, 8);
  pen.fill();
}
