// The signs of the animation.

import { digits } from "../words";
import type { Player } from "./player";

const MOST_FLOWS = 8;
const COLORS = 8;

export function Legend({ player }: { readonly player: Player }) {
  const flows = player.flows.value;
  return (
    <ul class="legend">
      {flows.slice(0, MOST_FLOWS).map((flow, at) => (
        <li key={flow.number}>
          <Sign color={`series-${(at % COLORS) + 1}`} path="M2 7H16" width={9} />
          <span>{flow.name}</span>
        </li>
      ))}
      {flows.length > MOST_FLOWS ? <li>and {digits(flows.length - MOST_FLOWS)} more</li> : null}
      <li>
        <Sign color="muted" path="M2 7H16" width={4} />
        <span>ACK</span>
      </li>
      <li>
        <Sign color="muted" path="M2 2.5H16M2 11.5H16" width={5} />
        <span>sent again</span>
      </li>
      <li>
        <Sign color="mark-ce" path="M9 12L6 7H12Z" width={2} />
        <span>marked (CE)</span>
      </li>
      <li>
        <Sign color="mark-drop" path="M4 2L14 12M4 12L14 2" width={2} />
        <span>lost</span>
      </li>
      <li>
        <Sign color="mark-timeout" path="M3 2H15V12H3Z" width={2} />
        <span>time-out</span>
      </li>
      <li>
        <Sign color="mark-retransmit" path="M3 2H15V12H3Z" width={2} />
        <span>fast retransmit</span>
      </li>
    </ul>
  );
}

function Sign({ color, path, width }: { readonly color: string; readonly path: string; readonly width: number }) {
  return (
    <svg class={`sign-${color}`} width={18} height={14} viewBox="0 0 18 14" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" stroke-width={width} />
    </svg>
  );
}
