// A figure with its data: a chart, or a recorded run.

import { Component, type ComponentChildren } from "preact";
import { ChartFigure } from "../figures/ChartFigure";
import type { Drawn } from "./read";
import { RunFigure } from "./RunFigure";

/** Tells of what fails inside it. */
export class Guard extends Component<{ readonly onFail: (error: unknown) => void; readonly children: ComponentChildren }> {
  override componentDidCatch(error: unknown): void {
    this.props.onFail(error);
  }

  override render(): ComponentChildren {
    return this.props.children;
  }
}

export function Figure({ drawn }: { drawn: Drawn }) {
  const { chart, run } = drawn;
  return chart ? <ChartFigure frame={chart} /> : run ? <RunFigure drawn={{ ...drawn, run }} /> : null;
}
