// A beside B: means of the metrics, and their paired differences with intervals.

import { pText } from "../campaigns/Compare";
import { Forest, ForestAxis, ForestCell, ForestHead, isApart } from "../campaigns/Forest";
import { relativeAxis } from "../campaigns/relative";
import { counted } from "../words";
import { comparedText } from "./asked";
import type { PairRow } from "./types";

export function PairTable({ rows, a, b }: { rows: readonly PairRow[]; a: readonly string[]; b: readonly string[] }) {
  if (rows.length === 0) return <p class="hint">The first pair of runs is not complete yet.</p>;
  const axis = relativeAxis(rows.map((each) => each.ratio));
  const pairs = rows[0]!.pairs;
  return (
    <div class="pair-table">
      <p class="finding">
        {comparedText(a, b)} {counted(pairs, "pair")} of runs, each with the same random numbers; 95 % intervals.
      </p>
      {pairs < 2 && <p class="hint">One pair has no interval.</p>}
      <div class="table-scroll whole" tabIndex={0} role="region" aria-label="Differences of A and B">
        <table class="numbers">
          <caption class="unseen">A, B and their paired differences</caption>
          <thead>
            <tr>
              <th scope="col" class="word">metric</th>
              <th scope="col" class="pair-mean">A</th>
              <th scope="col" class="pair-mean">B</th>
              <th scope="col">
                B − A
                <span class="pair-note forest" aria-hidden="true"><ForestAxis axis={axis} /></span>
              </th>
              <ForestHead axis={axis} />
              <th scope="col" class="pair-p">p</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row" title={row.name}>
                  {row.label}
                  <span class="pair-note">A {row.a.text}</span>
                  <span class="pair-note">B {row.b.text}</span>
                </th>
                <td class="pair-mean">{row.a.text}</td>
                <td class="pair-mean">{row.b.text}</td>
                <td class={isApart(row.difference, 0) ? "apart" : ""}>
                  {row.difference.text}
                  <span class="pair-note forest" aria-hidden="true"><Forest ratio={row.ratio} axis={axis} /></span>
                </td>
                <ForestCell ratio={row.ratio} axis={axis} />
                <td class="pair-p">{pText(row.p)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul class="findings">{rows.map((row) => <li key={row.name}>{row.sentence}</li>)}</ul>
    </div>
  );
}
