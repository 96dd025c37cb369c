// Distributions: which share of delays or completion times is at most so large.

import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { isMain, flowColor } from "../series";
import { palette } from "../theme";
import { inScale, number, scaleFor, ticks } from "../units";
import { live, pinned, scope } from "./session";
import type { Distribution, RunFrame } from "./types";

const [WIDTH, HEIGHT] = [380, 190];
const BOX = { left: 44, top: 10, right: 12, bottom: 30 };
const SHARES = [0.5, 0.95, 0.99];

export function Distributions() {
  const looks = useComputed(() => (scope.late.value ? "distributions is-late" : "distributions"));
  const frame = live.complete.value;
  const found = frame?.head.distributions ?? [];
  if (!frame) return null;
  if (found.length === 0) return <p class="hint">This run has no distribution to show.</p>;
  return (
    <div class={looks} aria-busy={live.stale}>
      {found.map((each) => (
        <Cdf key={each.id} its={each} frame={frame} other={pinned.complete.value} />
      ))}
    </div>
  );
}

interface Curve {
  readonly name: string;
  readonly color: string;
  readonly broken: boolean;
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

function curvesOf(id: string, frame: RunFrame | null, side: string): Curve[] {
  const its = frame?.head.distributions?.find((each) => each.id === id);
  if (!frame || !its) return [];
  return its.series.map((each) => {
    const index = frame.head.flows.findIndex((flow) => flow.number === each.flow);
    return {
      name: side + each.name,
      color: index < 0 ? palette.value("muted") : flowColor(palette.value, index),
      broken: side.startsWith("A") || !isMain(each.name),
      x: frame.array(each.x),
      y: frame.array(each.y),
    };
  });
}

/** The least x whose share is at least `share`. */
export function quantile(curve: { x: ArrayLike<number>; y: ArrayLike<number> }, share: number): number {
  for (let k = 0; k < curve.y.length; k++) if ((curve.y[k] as number) >= share) return curve.x[k] as number;
  return Number.NaN;
}

function Cdf({ its, frame, other }: { its: Distribution; frame: RunFrame; other: RunFrame | null }) {
  const curves = [...curvesOf(its.id, frame, other ? "B " : ""), ...curvesOf(its.id, other, "A ")];
  const most = Math.max(...curves.map((each) => each.x[each.x.length - 1] ?? 0), 0) || 1;
  const scale = scaleFor(its.unit, most);
  const x = (value: number) => BOX.left + (value / most) * (WIDTH - BOX.left - BOX.right);
  const y = (share: number) => HEIGHT - BOX.bottom - share * (HEIGHT - BOX.top - BOX.bottom);
  return (
    <figure class="cdf">
      <figcaption>{its.title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${its.title}: share of at most so much; the table below has the numbers`}>
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <Tick key={share} x={BOX.left} y={y(share)} d={`M${BOX.left} ${y(share)}H${WIDTH - BOX.right}`} anchor="end">
            {number(share * 100)} %
          </Tick>
        ))}
        {ticks(0, most * scale.factor, 5).map((each) => {
          const left = x(each / scale.factor);
          return (
            <Tick key={each} x={left} y={HEIGHT - BOX.bottom + 18} d={`M${left} ${y(0)}V${y(1)}`} anchor="middle">
              {each === 0 ? "0" : `${number(each)} ${scale.unit}`}
            </Tick>
          );
        })}
        {curves.map((each) => (
          <path key={each.name} class="cdf-line" d={stepPath(each, x, y)} stroke={each.color} stroke-dasharray={each.broken ? "5 3" : undefined} />
        ))}
      </svg>
      <table class="numbers">
        <caption>So many are at most</caption>
        <thead>
          <tr>
            <th scope="col">of</th>
            {SHARES.map((share) => <th key={share} scope="col">{number(share * 100)} %</th>)}
          </tr>
        </thead>
        <tbody>
          {curves.map((each) => (
            <tr key={each.name}>
              <th scope="row"><Swatch curve={each} /> {each.name}</th>
              {SHARES.map((share) => <td key={share}>{inScale(quantile(each, share), scale, 3)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function Swatch({ curve }: { curve: Curve }) {
  return (
    <svg width="18" height="8" aria-hidden="true">
      <path d="M0 4H18" stroke={curve.color} stroke-width="2" stroke-dasharray={curve.broken ? "5 3" : undefined} />
    </svg>
  );
}

function Tick({ x, y, d, anchor, children }: { x: number; y: number; d: string; anchor: "end" | "middle"; children: ComponentChildren }) {
  return (
    <>
      <path class="cdf-grid" d={d} />
      <text class="cdf-text" x={anchor === "end" ? x - 6 : x} y={anchor === "end" ? y + 4 : y} text-anchor={anchor}>{children}</text>
    </>
  );
}

function stepPath({ x, y }: Curve, left: (value: number) => number, height: (share: number) => number): string {
  const parts = [`M${left(0).toFixed(1)} ${height(0).toFixed(1)}`];
  for (let k = 0; k < x.length; k++) {
    parts.push(`H${left(x[k] as number).toFixed(1)}V${height(y[k] as number).toFixed(1)}`);
  }
  return parts.join("");
}
