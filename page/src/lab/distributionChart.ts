// A distribution of a run as a figure; where two runs are compared, with that of the other one.

import { seriesLook } from "../figures/looks";
import type { ChartFrame } from "../figures/types";
import { isMain } from "../series";
import { scaleFor } from "../units";
import type { Distribution, RunFrame } from "./types";

/** How run A looks, and what is not the first quantity. */
const BROKEN = "5 3";

interface Curve {
  readonly name: string;
  readonly look: { readonly color: string; readonly dash: string | undefined };
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Its flows have the colours of the panels. */
function curvesOf(id: string, frame: RunFrame | null, side: string): Curve[] {
  const its = frame?.head.distributions?.find((each) => each.id === id);
  if (!frame || !its) return [];
  return its.series.map((each) => {
    const index = frame.head.flows.findIndex((flow) => flow.number === each.flow);
    const isBroken = side.startsWith("A") || !isMain(each.name);
    return {
      name: side + each.name,
      look: { color: index < 0 ? "var(--muted)" : seriesLook(index).color, dash: isBroken ? BROKEN : undefined },
      // Below the least value there is nothing.
      x: [0, ...frame.array(each.x)],
      y: [0, ...frame.array(each.y)],
    };
  });
}

export function distributionChart(its: Distribution, frame: RunFrame, other: RunFrame | null): ChartFrame {
  const curves = [...curvesOf(its.id, frame, other ? "B " : ""), ...curvesOf(its.id, other, "A ")];
  const most = Math.max(0, ...curves.map((each) => each.x[each.x.length - 1] ?? 0)) || 1;
  const { factor, unit } = scaleFor(its.unit, most);
  const arrays = new Map(
    curves.flatMap(({ x, y }, k): [string, number[]][] => [
      [`x${k}`, x.map((each) => each * factor)],
      [`y${k}`, y.map((each) => each * 100)],
    ]),
  );
  const axis = { scale: "linear" as const, low: 0, ticks: [], linear_below: 0 };
  return {
    head: {
      kind: "chart",
      of: "shares",
      title: its.title,
      source: "",
      x: { ...axis, label: `${its.title} (${unit})`, unit, high: most * factor },
      y: { ...axis, label: "Share up to a value (%)", unit: "%", high: 100 },
      heading: "",
      series: curves.map((each) => each.name),
      looks: curves.map((each) => ({ ...each.look, marker: "" })),
      levels: [],
      above: its.title,
      rises: true,
      panels: [{ title: "", lines: curves.map((_, k) => ({ series: k, x: `x${k}`, y: `y${k}` })) }],
    },
    array: (name) => arrays.get(name) ?? [],
  };
}
