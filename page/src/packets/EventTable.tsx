// What happens from the animation's time on, for those who would rather read.

import { firstFrom } from "../canvas/range";
import { decimalsOfInstants, digits, instant } from "../words";
import type { Journeys } from "./journeys";
import { nameOf } from "./story";

/** So many events are listed, from the first packets that may have some. */
const MOST = 200;
const ROWS = 400;

interface Listed {
  readonly time: number;
  readonly row: number;
  readonly what: string;
}

/** The events from a time on, at most MOST. */
export function eventsFrom(journeys: Journeys, time: number): Listed[] {
  const { rows, gone, count } = journeys;
  const end = firstFrom(rows.offered, time) + ROWS;
  // Packets that come later have no events before they come.
  const horizon = end < count ? rows.offered[end]! : Infinity;
  const found: Listed[] = [];
  for (let row = 0; row < Math.min(end, count); row += 1) {
    const add = (at: number, what: string) => {
      if (at >= time && at < horizon) found.push({ time: at, row, what });
    };
    const isLost = journeys.isLost(row);
    if (!(isLost && gone[row] === rows.offered[row])) add(rows.offered[row]!, "comes");
    add(rows.left[row]!, "has left");
    add(gone[row]!, isLost ? `lost: ${rows.lost(row)}` : "arrives");
  }
  return found.sort((a, b) => a.time - b.time || a.row - b.row).slice(0, MOST);
}

export function EventTable({ journeys, time }: { readonly journeys: Journeys; readonly time: number }) {
  const events = eventsFrom(journeys, time);
  const { rows, head } = journeys;
  const decimals = decimalsOfInstants([time, ...events.map((each) => each.time)]);
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Events from now on">
      <table>
        <caption>
          {digits(events.length)} events from {instant(time, decimals)} on.
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Link</th>
            <th scope="col">Packet</th>
            <th scope="col" class="number">
              Bytes
            </th>
            <th scope="col">Event</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ time: at, row, what }) => (
            <tr key={`${row} ${what}`} class={what.startsWith("lost") ? "lost" : undefined}>
              <td class="number">{instant(at, decimals)}</td>
              <td>{head.links[rows.link[row]!]!.name}</td>
              <td>{nameOf(journeys, row)}</td>
              <td class="number">{digits(rows.bytes[row]!)}</td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
