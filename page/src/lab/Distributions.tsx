// Distributions: which share of delays or completion times is at most so large.

import { useMemo } from "preact/hooks";
import { ChartFigure } from "../figures/ChartFigure";
import { FigureTable } from "../figures/FigureTable";
import { distributionChart } from "./distributionChart";
import { live, pinned } from "./session";
import type { Distribution, RunFrame } from "./types";

export function Distributions() {
  const frame = live.complete.value;
  const found = frame?.head.distributions ?? [];
  if (!frame) return null;
  if (found.length === 0) return <p class="hint">This run has no distribution to show.</p>;
  return (
    <div class="distributions" aria-busy={live.stale.value}>
      {found.map((each) => (
        <Figure key={each.id} its={each} frame={frame} other={pinned.complete.value} />
      ))}
    </div>
  );
}

function Figure({ its, frame, other }: { its: Distribution; frame: RunFrame; other: RunFrame | null }) {
  const chart = useMemo(() => distributionChart(its, frame, other), [its, frame, other]);
  return (
    <div>
      <ChartFigure frame={chart} withTable={false} />
      <FigureTable frame={chart} />
    </div>
  );
}
