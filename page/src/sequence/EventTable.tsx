// The rows in sight, for those who would rather read.

import { decimalsOfInstants, digits, instant } from "../words";
import type { Range } from "../view";
import { ACK, DATA, WINDOW, type Segments } from "./segments";
import { says, why } from "./story";

/** More rows than these no one reads, and the page would be slow. */
const MOST = 500;
const KINDS = ["data", "ACK", "SACK range", "receive window"];

export function EventTable({ rows, range }: { readonly rows: Segments; readonly range: Range }) {
  const [from, to] = rows.rows(range);
  const numbers = Array.from({ length: Math.min(MOST, to - from) }, (_, at) => from + at);
  const decimals = decimalsOfInstants(numbers.map((row) => rows.time[row]!));
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Events in sight">
      <table>
        <caption>
          {to - from > MOST
            ? `The first ${MOST} of ${digits(to - from)} events in sight; zoom in for the others.`
            : `${digits(to - from)} events in sight.`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
            <th scope="col" class="number">
              From byte
            </th>
            <th scope="col" class="number">
              To byte
            </th>
            <th scope="col" class="number">
              Bytes
            </th>
            <th scope="col">What of it</th>
          </tr>
        </thead>
        <tbody>
          {numbers.map((row) => (
            <tr key={row} class={rows.lost[row] ? "lost" : undefined}>
              <td class="number">{instant(rows.time[row]!, decimals)}</td>
              <td>{rows.sentAgain[row] ? "data sent again" : KINDS[rows.kind[row]!]}</td>
              <td class="number">{isPoint(rows, row) ? "" : digits(rows.low[row]!)}</td>
              <td class="number">{digits(rows.high[row]!)}</td>
              <td class="number">{isPoint(rows, row) ? "" : digits(rows.high[row]! - rows.low[row]!)}</td>
              <td>{remark(rows, row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isPoint = (rows: Segments, row: number): boolean => rows.kind[row] === ACK || rows.kind[row] === WINDOW;

function remark(rows: Segments, row: number): string {
  if (rows.kind[row] === ACK) return says(rows, row);
  if (rows.kind[row] !== DATA) return "";
  return rows.lost[row] ? `lost; ${why(rows, row)}` : why(rows, row);
}
