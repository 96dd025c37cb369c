// The figure of means on a page that has all numbers in a table below it.

import { useMemo } from "preact/hooks";
import { ChartFigure } from "../figures/ChartFigure";
import { chartOf, type MeansChart } from "./chart";
import "./campaigns.css";

export function MeansFigure({ isStale = false, ...chart }: MeansChart & { readonly isStale?: boolean }) {
  const key = JSON.stringify(chart);
  const frame = useMemo(() => chartOf(chart), [key]);
  // Other lines or another axis are another figure: nothing of it is switched off.
  const which = JSON.stringify([chart.title, chart.axisName, chart.lines.map((each) => each.name)]);
  return (
    <div class="fades" aria-busy={isStale}>
      <ChartFigure key={which} frame={frame} withTable={false} />
    </div>
  );
}
