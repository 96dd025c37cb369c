// One panel of a figure: grid, lines, intervals, and the read-out at the pointer.

import type { Signal } from "@preact/signals";
import type { Pointed } from "./ChartFigure";
import { levelText, meansOf, meanText, percentAt, seriesText, valueOf, withUnit, type Place } from "./content";
import { lookIn } from "./looks";
import { shareOf, spaced, ticksOf, valueAt, type Tick } from "./scale";
import type { ChartFrame, ChartHead, LineHead } from "./types";

const LETTER_PX = 7;
const TICK_PX = { x: 62, y: 34 };
/** Between texts of an axis. */
const GAP_PX = 6;
/** A mean is pointed at from so far. */
const NEAR_PX = 40;
const CAP_PX = 3;

interface Props {
  readonly frame: ChartFrame;
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly hidden: Signal<ReadonlySet<number>>;
  readonly pointed: Signal<Pointed | null>;
}

/** Where values are in the panel, pixels. */
interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

export function Panel(props: Props) {
  const { frame, number, width, height, pointed } = props;
  const { head } = frame;
  const its = head.panels[number]!;
  const lines = its.lines.filter((line) => !props.hidden.value.has(line.series));
  const box = boxOf(props);
  const onMove = (event: PointerEvent) => {
    const place = (event.currentTarget as Element).getBoundingClientRect();
    const [x, y] = [event.clientX - place.left, event.clientY - place.top];
    pointed.value = head.of === "means" ? near(props, box, x, y) : across(box, number, x);
  };
  const here = pointed.value?.panel === number ? pointed.value : null;
  return (
    <div class="chart-panel" onPointerMove={onMove} onPointerDown={onMove} onPointerLeave={() => (pointed.value = null)}>
      {its.title && <p class="panel-title">{its.title}</p>}
      <div class="plot">
        <svg width={width} height={height} role="img" aria-label={its.title || head.title}>
          <Grid frame={frame} box={box} width={width} />
          {head.target && <Target target={head.target} box={box} />}
          {lines.map((line) => (
            <Line key={line.series} frame={frame} line={line} box={box} />
          ))}
          {here?.place && <Ring frame={frame} place={here.place} box={box} />}
          {here && !here.place && <path class="chart-cursor" d={`M${xAt(box, here.at)} ${box.top}V${box.bottom}`} />}
        </svg>
        {here && <Readout frame={frame} pointed={here} lines={lines} box={box} width={width} />}
      </div>
    </div>
  );
}

function boxOf({ frame, width, height }: Props): Frame {
  const { x, y } = frame.head;
  const texts = ticksOf(y, [], (height - 40) / TICK_PX.y).map((each) => each.text.length);
  // All panels of a row have room for numbers: their axes are as long as each other.
  const left = Math.max(28, LETTER_PX * Math.max(...texts, 1) + 14);
  const [right, top, bottom] = [width - 12, 8, height - (isTilted(frame.head, width - left) ? 64 : 24)];
  return {
    left,
    right,
    top,
    bottom,
    x: (value) => left + shareOf(x, value) * (right - left),
    y: (value) => bottom - shareOf(y, value) * (bottom - top),
  };
}

/** Words that have no room beside each other are written aslant. */
function isTilted(head: ChartHead, room: number): boolean {
  return head.x.scale === "words" && Math.max(...head.levels.map((each) => each.length)) * LETTER_PX > room / head.levels.length;
}

const xAt = (box: Frame, share: number) => box.left + share * (box.right - box.left);

function Grid({ frame: { head }, box, width }: { frame: ChartFrame; box: Frame; width: number }) {
  const tilted = isTilted(head, width - box.left);
  const room = ({ text }: Tick) => (tilted ? 2 * LETTER_PX : LETTER_PX * text.length + GAP_PX);
  return (
    <g class="chart-grid">
      {ticksOf(head.y, [], (box.bottom - box.top) / TICK_PX.y).map(({ at, text }) => (
        <g key={at}>
          <path d={`M${box.left} ${box.y(at)}H${box.right}`} />
          <text x={box.left - 6} y={box.y(at) + 4} text-anchor="end">{text}</text>
        </g>
      ))}
      {spaced(ticksOf(head.x, head.levels, (box.right - box.left) / TICK_PX.x), room, box.x).map(({ at, text }) => (
        <g key={at}>
          {head.x.scale !== "words" && <path d={`M${box.x(at)} ${box.top}V${box.bottom}`} />}
          {tilted ? (
            <text transform={`translate(${box.x(at)} ${box.bottom + 14}) rotate(-30)`} text-anchor="end">{text}</text>
          ) : (
            <text x={box.x(at)} y={box.bottom + 17} text-anchor="middle">{text}</text>
          )}
        </g>
      ))}
      <path class="axis" d={`M${box.left} ${box.top}V${box.bottom}H${box.right}`} />
    </g>
  );
}

/** Its name stands above the line, or below it where the panel ends. */
function Target({ target, box }: { target: NonNullable<ChartHead["target"]>; box: Frame }) {
  const y = px(box.y(target.y));
  return (
    <g class="chart-target">
      <path d={`M${box.left} ${y}H${box.right}`} />
      <text x={box.right - 4} y={y - 18 < box.top ? y + 15 : y - 5} text-anchor="end">{target.name}</text>
    </g>
  );
}

function Line({ frame, line, box }: { frame: ChartFrame; line: LineHead; box: Frame }) {
  const look = lookIn(frame.head, line.series);
  if (frame.head.of === "shares") {
    return <path class="chart-line" d={steps(frame, line, box)} stroke={look.color} stroke-dasharray={look.dash} />;
  }
  const points = Array.from(frame.array(line.y), (mean, row) => ({
    x: box.x(valueOf(frame, line.x, row)),
    y: box.y(mean),
    ends: [valueOf(frame, line.lo, row), valueOf(frame, line.hi, row)].map(box.y) as [number, number],
  })).filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  return (
    <g>
      {frame.head.x.scale !== "words" && (
        <path class="chart-line" d={`M${points.map(({ x, y }) => `${px(x)} ${px(y)}`).join("L")}`} stroke={look.color} stroke-dasharray={look.dash} />
      )}
      {points.map(({ x, y, ends }, row) => (
        <g key={row}>
          {ends.every(Number.isFinite) && <path class="chart-interval" d={interval(x, ends)} stroke={look.color} />}
          <path class="chart-mean" d={look.marker} fill={look.color} transform={`translate(${px(x)} ${px(y)})`} />
        </g>
      ))}
    </g>
  );
}

const px = (value: number) => Number(value.toFixed(1));

function interval(x: number, [lo, hi]: [number, number]): string {
  const cap = (y: number) => `M${px(x - CAP_PX)} ${px(y)}h${2 * CAP_PX}`;
  return `M${px(x)} ${px(lo)}V${px(hi)}${cap(lo)}${cap(hi)}`;
}

/** A line of steps, cut at the ends of the panel. */
function steps(frame: ChartFrame, line: LineHead, box: Frame): string {
  const [x, y] = [frame.array(line.x), frame.array(line.y)];
  const parts = [];
  let last = Number.NaN;
  for (let row = 0; row < x.length; row++) {
    const left = px(Math.min(box.right, Math.max(box.left, box.x(x[row] as number))));
    const height = px(Math.min(box.bottom, Math.max(box.top, box.y(y[row] as number))));
    if (Number.isNaN(last)) parts.push(`M${left} ${height}`);
    else if (height !== last) parts.push(`H${left}V${height}`);
    last = height;
  }
  // A share holds beyond the last value.
  return `${parts.join("")}H${box.right}`;
}

function Ring({ frame, place, box }: { frame: ChartFrame; place: Place; box: Frame }) {
  const at = [box.x(valueOf(frame, place.line.x, place.row)), box.y(valueOf(frame, place.line.y, place.row))];
  return <circle class="chart-ring" cx={at[0]} cy={at[1]} r="8" />;
}

function near({ frame, number, hidden }: Props, box: Frame, x: number, y: number): Pointed | null {
  let [best, distance]: [Place | null, number] = [null, NEAR_PX];
  for (const place of meansOf(frame, hidden.value)) {
    if (place.panel !== number) continue;
    const its = Math.hypot(box.x(valueOf(frame, place.line.x, place.row)) - x, box.y(valueOf(frame, place.line.y, place.row)) - y);
    if (its < distance) [best, distance] = [place, its];
  }
  return best && { place: best, panel: number, at: 0 };
}

function across(box: Frame, panel: number, x: number): Pointed | null {
  const at = (x - box.left) / (box.right - box.left);
  return at < 0 || at > 1 ? null : { place: null, panel, at };
}

interface ReadoutProps {
  readonly frame: ChartFrame;
  readonly pointed: Pointed;
  readonly lines: readonly LineHead[];
  readonly box: Frame;
  readonly width: number;
}

function Readout({ frame, pointed, lines, box, width }: ReadoutProps) {
  const { head } = frame;
  const place = pointed.place;
  const left = place ? box.x(valueOf(frame, place.line.x, place.row)) : xAt(box, pointed.at);
  const side = left > width / 2 ? { right: `${width - left + 12}px` } : { left: `${left + 12}px` };
  if (place) {
    const series = head.series.length > 1 ? `${seriesText(head, place.line.series)}, ` : "";
    return (
      <div class="readout" aria-hidden="true" style={side}>
        <div class="readout-time">{series}{levelText(frame, place)}</div>
        {meanText(frame, place).split(", ").map((each) => <div key={each}>{each}</div>)}
      </div>
    );
  }
  const at = valueAt(head.x, pointed.at);
  return (
    <div class="readout" aria-hidden="true" style={side}>
      <div class="readout-time">{head.rises ? "up to" : "above"} {withUnit(at, head.x.unit)}</div>
      {lines.map((line) => (
        <div key={line.series} class="reading">
          <i style={{ background: lookIn(head, line.series).color }} />
          {head.series.length > 1 && <span>{(head.series[line.series] ?? "").replace(/: [\d,]+ .*$/, "")}</span>}
          <b>{withUnit(percentAt(frame, line, at), "%")}</b>
        </div>
      ))}
    </div>
  );
}
