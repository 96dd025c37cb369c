// Distributions: which share of delays or completion times is at most so large.

import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { ChartFigure } from "../figures/ChartFigure";
import { FigureTable } from "../figures/FigureTable";
import { distributionChart } from "./distributionChart";
import { live, pinned, scope } from "./session";
import type { Distribution, RunFrame } from "./types";

export function Distributions() {
  const looks = useComputed(() => (scope.late.value ? "distributions is-late" : "distributions"));
  const frame = live.complete.value;
  const found = frame?.head.distributions ?? [];
  if (!frame) return null;
  if (found.length === 0) return <p class="hint">This run has no distribution to show.</p>;
  return (
    <div class={looks} aria-busy={live.stale}>
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
