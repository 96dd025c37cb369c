// Draws the path and the packets on it.

import type { Size } from "../canvas/surface";
import { flowColor } from "../series";
import type { Palette } from "../theme";
import { centre, NODE, type Lane } from "./layout";
import { spotOf, type Bar, type Queue } from "./marks";
import { SIGN_S, type Player } from "./player";

type Pen = CanvasRenderingContext2D;

/** Across the lane, pixels of the page. */
const THICK = { lane: 11, data: 9, ack: 4, again: 13, queue: 17 };
const FONT = "12px system-ui, sans-serif";
const FALL = 44;

export function paint(pen: Pen, palette: Palette, player: Player, size: Size): void {
  const [its, frame] = [player.picture.value, player.frame.value];
  if (!its || !frame) return;
  const lanes = player.lanes.value;
  const color = colors(palette, player);
  lanes.forEach((lane, link) => {
    ground(pen, palette, size, lane, its.queue[link]!);
    for (const bar of [...its.queue[link]!.bars, ...its.wire[link]!]) drawBar(pen, palette, color, bar);
  });
  plain(pen, size);
  frame.head.links.forEach((_, link) => linkText(pen, palette, player, link));
  for (const [name, spot] of player.layout.value.spots) {
    const kind = player.path.value?.nodes.find((node) => node.name === name)?.kind;
    node(pen, palette, name, centre(player.layout.value, size, name), kind ? kind === "host" : spot.isEnd);
  }
  falling(pen, palette, player, color);
  signs(pen, palette, player, size);
  followed(pen, palette, player);
}

type Colors = (flow: number) => string;

function colors(palette: Palette, player: Player): Colors {
  const places = new Map(player.flows.value.map((flow, at) => [flow.number, at]));
  return (flow) => (places.has(flow) ? flowColor(palette, places.get(flow)!) : palette("muted"));
}

const plain = (pen: Pen, { dot }: Size): void => pen.setTransform(dot, 0, 0, dot, 0, 0);

/** Turns the pen so that x goes along the lane and y away from the other lane. */
function turn(pen: Pen, { dot }: Size, { x, y, along, aside }: Lane): void {
  pen.setTransform(along[0] * dot, along[1] * dot, aside[0] * dot, aside[1] * dot, x * dot, y * dot);
}

function ground(pen: Pen, palette: Palette, size: Size, lane: Lane, queue: Queue): void {
  turn(pen, size, lane);
  pen.fillStyle = palette("grid");
  pen.fillRect(lane.queue, -THICK.lane / 2, lane.length - lane.queue, THICK.lane);
  // An arrow head says where it leads.
  pen.beginPath();
  pen.moveTo(lane.length, -THICK.lane / 2);
  pen.lineTo(lane.length + 4, 0);
  pen.lineTo(lane.length, THICK.lane / 2);
  pen.fill();
  if (lane.queue === 0) return;
  const back = queue.limit ?? 0;
  pen.strokeStyle = palette("muted");
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(back, -THICK.queue / 2);
  pen.lineTo(lane.queue, -THICK.queue / 2);
  pen.lineTo(lane.queue, THICK.queue / 2);
  pen.lineTo(back, THICK.queue / 2);
  pen.stroke();
  if (queue.limit === undefined) return;
  pen.lineWidth = 2.5;
  pen.beginPath();
  pen.moveTo(back, -THICK.queue / 2 - 1);
  pen.lineTo(back, THICK.queue / 2 + 1);
  pen.stroke();
}

function drawBar(pen: Pen, palette: Palette, color: Colors, bar: Bar): void {
  const { look, from, to } = bar;
  const thick = look.again ? THICK.again : look.thin ? THICK.ack : THICK.data;
  pen.fillStyle = color(look.flow);
  pen.fillRect(from, -thick / 2, Math.max(1, to - from), thick);
  if (look.again) {
    // A stripe of paper: seen without colours.
    pen.fillStyle = palette("paper");
    pen.fillRect(from, -1.25, Math.max(1, to - from), 2.5);
  }
  if (!look.marked) return;
  const middle = (from + to) / 2;
  pen.fillStyle = palette("mark-ce");
  pen.beginPath();
  pen.moveTo(middle, thick / 2 + 1);
  pen.lineTo(middle - 3.5, thick / 2 + 7);
  pen.lineTo(middle + 3.5, thick / 2 + 7);
  pen.fill();
}

/** What is written at a link: how many wait, and its rate and delay where there is room. */
function linkText(pen: Pen, palette: Palette, player: Player, link: number): void {
  const [lane, queue] = [player.lanes.value[link]!, player.picture.value!.queue[link]!];
  pen.font = FONT;
  pen.textBaseline = "middle";
  if (queue.waiting > 0) {
    const limit = player.limits.value[link];
    const [x, y] = outside(lane, 0, 19);
    pen.textAlign = lane.along[0] > 0.5 ? "left" : lane.along[0] < -0.5 ? "right" : "center";
    pen.fillStyle = palette("ink");
    pen.fillText(queue.limit !== undefined ? `${queue.waiting} of ${limit}` : String(queue.waiting), x, y);
  }
  const head = player.frame.value!.head.links[link]!;
  const facts = player.path.value?.links.find((each) => each.name === head.name);
  // There is room above a level lane, unless it is one of several that meet at a router.
  const { spots, rows } = player.layout.value;
  const isOfMany = rows[1] > rows[0] && (spots.get(head.from)!.isEnd || spots.get(head.to)!.isEnd);
  if (!facts || isOfMany || Math.abs(lane.along[1]) > 0.05 || lane.aside[1] > 0) return;
  const text = `${facts.rate}, ${facts.delay}`;
  if (pen.measureText(text).width > lane.length - lane.queue) return;
  const [x, y] = outside(lane, (lane.queue + lane.length) / 2, 19);
  pen.fillStyle = palette("muted");
  pen.textAlign = "center";
  pen.fillText(text, x, y);
}

const outside = (lane: Lane, along: number, aside: number): readonly [number, number] => [
  lane.x + lane.along[0] * along + lane.aside[0] * aside,
  lane.y + lane.along[1] * along + lane.aside[1] * aside,
];

function node(pen: Pen, palette: Palette, name: string, [x, y]: readonly [number, number], isHost: boolean): void {
  pen.fillStyle = palette("paper");
  pen.strokeStyle = palette("ink");
  pen.lineWidth = 1.5;
  pen.beginPath();
  if (isHost) pen.roundRect(x - NODE + 1, y - NODE + 1, 2 * NODE - 2, 2 * NODE - 2, 4);
  else pen.arc(x, y, NODE, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  pen.lineWidth = 1.25;
  pen.beginPath();
  if (isHost) {
    pen.rect(x - 6, y - 6, 12, 8);
    pen.moveTo(x - 4, y + 6);
    pen.lineTo(x + 4, y + 6);
  } else {
    for (const [dx, dy] of [
      [6, 0],
      [-6, 0],
      [0, 6],
      [0, -6],
    ] as const) {
      pen.moveTo(x + dx * 0.35, y + dy * 0.35);
      pen.lineTo(x + dx, y + dy);
    }
  }
  pen.stroke();
  pen.font = FONT;
  pen.textAlign = "center";
  pen.fillStyle = palette("muted");
  // Links may leave a router downward.
  pen.textBaseline = isHost ? "top" : "bottom";
  pen.fillText(name, x, isHost ? y + NODE + 5 : y - NODE - 5);
}

/** Packets that are lost fall out of their lane, with a cross. */
function falling(pen: Pen, palette: Palette, player: Player, color: Colors): void {
  const journeys = player.journeys.value!;
  for (const row of player.scene.value!.falling) {
    const lane = player.lanes.value[journeys.rows.link[row]!]!;
    const isAtQueue = Number.isNaN(journeys.rows.left[row]!);
    const [x, y0] = outside(lane, isAtQueue ? 0 : lane.queue + 0.5 * (lane.length - lane.queue), 0);
    const share = player.fallen(row);
    const y = y0 + FALL * share * share;
    pen.globalAlpha = 1 - 0.8 * share;
    pen.fillStyle = color(journeys.rows.flow[row]!);
    pen.fillRect(x - 4, y - 4.5, 8, 9);
    pen.strokeStyle = palette("mark-drop");
    pen.lineWidth = 2;
    pen.beginPath();
    for (const [dx, dy] of [
      [7, 7],
      [7, -7],
    ] as const) {
      pen.moveTo(x - dx, y - dy);
      pen.lineTo(x + dx, y + dy);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }
}

/** Time-outs and fast retransmits at the hosts that have them. */
function signs(pen: Pen, palette: Palette, player: Player, size: Size): void {
  for (const { kind, flow, age } of player.signs(player.speed.value * SIGN_S)) {
    const [name, colorName] = [
      kind === "timeout" ? "time-out" : kind,
      kind === "timeout" ? "mark-timeout" : "mark-retransmit",
    ];
    const host = player.senderOf(flow);
    if (host === undefined || (kind !== "timeout" && kind !== "fast retransmit")) continue;
    const [x, y] = centre(player.layout.value, size, host);
    pen.strokeStyle = pen.fillStyle = palette(colorName);
    pen.lineWidth = 2.5;
    pen.globalAlpha = Math.max(0.3, 1 - age / (player.speed.value * SIGN_S));
    pen.strokeRect(x - NODE - 3, y - NODE - 3, 2 * NODE + 6, 2 * NODE + 6);
    pen.font = `bold ${FONT}`;
    pen.textBaseline = "bottom";
    pen.textAlign = x < size.width / 2 ? "left" : "right";
    pen.fillText(name, x < size.width / 2 ? Math.max(4, x - NODE) : Math.min(size.width - 4, x + NODE), y - NODE - 6);
    pen.globalAlpha = 1;
  }
}

/** A ring around the packet that is told. */
function followed(pen: Pen, palette: Palette, player: Player): void {
  const [journeys, row] = [player.journeys.value!, player.told.value];
  if (row < 0) return;
  const along = spotOf(
    journeys,
    player.scene.value!,
    player.lanes.value,
    player.picture.value!,
    row,
    player.time.value,
  );
  if (along === undefined) return;
  const [x, y] = player.pointOf(journeys.rows.link[row]!, along);
  pen.strokeStyle = palette("accent");
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, 11, 0, 2 * Math.PI);
  pen.stroke();
}
