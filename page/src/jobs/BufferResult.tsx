// The buffers that a search has looked at, and which of them reach the target.

import { axisOf } from "../campaigns/means";
import { MeansFigure } from "../campaigns/MeansFigure";
import type { Interval } from "../campaigns/types";
import type { BufferRow, Limit } from "./types";

const WORDS: Readonly<Record<string, string>> = { holds: "reaches it", fails: "does not", undecided: "undecided" };

/** The answer of a search that has ended. */
export function answerText(rows: readonly BufferRow[], target: string): string {
  const least = rows.find((each) => each.verdict === "holds");
  if (!least) return `No buffer is known to reach ${target}.`;
  const below = rows.filter((each) => each.verdict === "fails" && each.number < least.number).pop();
  const rest = below ? ` ${below.buffer} does not: ${below.text}.` : " Whether a smaller one reaches it is undecided.";
  return `${least.buffer} is the smallest buffer that is known to reach ${target}: ${least.text}.${rest}`;
}

interface Props {
  readonly rows: readonly BufferRow[];
  readonly target: string;
  readonly limit: Limit;
  readonly isDone: boolean;
}

export function BufferResult({ rows, target, limit, isDone }: Props) {
  if (rows.length === 0) return <p class="hint state-line" role="status">The first buffer is run …</p>;
  const axis = axisOf(rows.map((each) => each.buffer));
  const intervals = axis.levels.map((level): Interval | null => {
    const row = rows.find((each) => each.buffer === level);
    return row ? { mean: row.mean, lo: row.lo ?? null, hi: row.hi ?? null, n: row.n, text: row.text } : null;
  });
  return (
    <section class="sheet" aria-label="Buffers">
      {isDone && <p class="finding">{answerText(rows, target)}</p>}
      <MeansFigure
        title={limit.label}
        unit={limit.unit}
        axis={axis}
        axisName="Buffer"
        heading=""
        lines={[{ name: "", values: intervals }]}
        target={{ name: target, y: limit.value }}
      />
      <div class="table-scroll tall" tabIndex={0} role="region" aria-label="Buffers that were run">
        <table class="numbers">
          <caption>The broken line is the target. Intervals are 95 %.</caption>
          <thead>
            <tr>
              <th scope="col">buffer</th>
              <th scope="col">{limit.label}</th>
              <th scope="col">runs</th>
              <th scope="col" class="word">{target}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.buffer}>
                <th scope="row">{row.buffer}</th>
                <td>{row.text}</td>
                <td>{row.n}</td>
                <td class="word">{row.verdict ? (WORDS[row.verdict] ?? row.verdict) : "not decided yet"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
