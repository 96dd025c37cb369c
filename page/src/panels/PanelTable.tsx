// What a panel shows, as a table: the values at evenly spread times.

import type { PanelId } from "../lab/types";
import { palette } from "../theme";
import { inScale, time } from "../units";
import { axisScale, type Line } from "./chart";
import { contentOf } from "./content";
import { valueAt } from "./lookup";
import { useScope } from "./scope";
import { stateAt } from "./stateStrips";

const ROWS = 40;

/** A column: a quantity of a flow, with all of its connections. */
interface Column {
  readonly head: string;
  readonly lines: readonly Line[];
}

function columnsOf(lines: readonly Line[]): Column[] {
  const found = new Map<string, Line[]>();
  for (const line of lines) {
    const head = `${line.of} ${line.quantity}`.trim();
    found.set(head, [...(found.get(head) ?? []), line]);
  }
  return [...found].map(([head, its]) => ({ head, lines: its }));
}

/** Of several connections, the one that began last speaks. */
function spoken(lines: readonly Line[], at: number): number {
  let last = Number.NaN;
  for (const line of lines) {
    const value = valueAt(line, at);
    if (!Number.isNaN(value)) last = value;
  }
  return last;
}

export function PanelTable({ id, title }: { id: PanelId; title: string }) {
  const { live, pinned, range, strips: all } = useScope();
  const [from, to] = range.value;
  const shown = { live: live.frame.value, pinned: pinned.frame.value, range: range.value, palette: palette.value };
  const content = contentOf(id, shown);
  if (!content) return null;
  const scale = axisScale(content);
  const strips = id === "cwnd" ? all.value : [];
  const times = Array.from({ length: ROWS + 1 }, (_, k) => from + ((to - from) * k) / ROWS);
  const columns = columnsOf(content.lines);
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={`Values of ${title.toLowerCase()}`}>
      <table class="numbers">
        <caption>Values at {ROWS + 1} times of what is in sight; the CSV export has every row.</caption>
        <thead>
          <tr>
            <th scope="col">time</th>
            {columns.map(({ head }) => (
              <th key={head} scope="col">{head}</th>
            ))}
            {strips.map(({ name }, k) => (
              <th key={k} scope="col" class="word">{name === "state" ? "state" : `${name}: state`}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at) => (
            <tr key={at}>
              <th scope="row">{time(at, to - from)}</th>
              {columns.map((each) => (
                <td key={each.head}>{inScale(spoken(each.lines, at), scale)}</td>
              ))}
              {strips.map((each, k) => (
                <td key={k} class="word">{stateAt(each, at)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
