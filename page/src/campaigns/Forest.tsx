// A ratio with its interval, drawn in a cell of a table; all rows have one axis, with equality on it.

import type { RelativeAxis } from "./relative";
import type { Interval } from "./types";

/** In the margin is room for half of a number. */
const [WIDTH, HEIGHT, MARGIN] = [220, 20, 22];

function x(share: number): number {
  return MARGIN + share * (WIDTH - 2 * MARGIN);
}

/** The end of an interval; none where the axis ends before it. */
function end(share: number): string {
  return share > 0 && share < 1 ? `M${x(share)} 6V14` : "";
}

/** The interval does not contain equality, which is a ratio of 1 or a difference of 0. */
export function isApart(interval: Interval | null, equal: 0 | 1): boolean {
  return interval !== null && interval.lo !== null && interval.hi !== null && (interval.lo > equal || interval.hi < equal);
}

interface Props {
  readonly ratio: Interval | null;
  readonly axis: RelativeAxis;
}

/** A cell of its own. */
export function ForestCell(props: Props) {
  return <td class="forest" aria-hidden="true"><Forest {...props} /></td>;
}

/** The axis, for the head of the table. */
export function ForestHead({ axis }: Pick<Props, "axis">) {
  return <td class="forest" aria-hidden="true"><ForestAxis axis={axis} /></td>;
}

export function Forest({ ratio, axis }: Props) {
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT}>
      <path class="forest-equal" d={`M${x(axis.at(1))} 0V${HEIGHT}`} />
      {ratio && ratio.mean !== null && (
        <g class={isApart(ratio, 1) ? "forest-apart" : "forest-equal-mark"}>
          {ratio.lo !== null && ratio.hi !== null && (
            <path d={`M${x(axis.at(ratio.lo))} 10H${x(axis.at(ratio.hi))}${end(axis.at(ratio.lo))}${end(axis.at(ratio.hi))}`} />
          )}
          <circle cx={x(axis.at(ratio.mean))} cy="10" r="3.4" />
        </g>
      )}
    </svg>
  );
}

export function ForestAxis({ axis }: Pick<Props, "axis">) {
  return (
    <svg viewBox={`0 0 ${WIDTH} 16`} width={WIDTH} height={16}>
      {axis.ticks.map((each) => <text key={each.text} x={x(each.at)} y="12">{each.text}</text>)}
    </svg>
  );
}
