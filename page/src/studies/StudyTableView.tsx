// A table of a paper: printed numbers and ours, one above the other. A cell opens the scenario behind it.

import { useSignal } from "@preact/signals";
import { OpenInLab } from "../campaigns/OpenInLab";
import type { Cell, StudyTable } from "./types";
import { placeOf, placeText } from "./verdicts";

/** More rows than these are shown when asked for. */
const SHOWN = 60;

export function StudyTableView({ study, table }: { study: string; table: StudyTable }) {
  const isAll = useSignal(false);
  const labels = table.rows[0]?.label.length ?? 0;
  const rows = isAll.value ? table.rows : table.rows.slice(0, SHOWN);
  return (
    <>
      <div class="table-scroll whole" tabIndex={0} role="region" aria-label={table.title}>
        <table class="numbers study">
          <caption class="unseen">{table.title}</caption>
          <thead>
            <tr>{table.heads.map((head, k) => <th key={k} scope="col" class={k < labels ? "word" : ""}>{head}</th>)}</tr>
          </thead>
          <tbody>
            {rows.map((row, k) => (
              <tr key={k}>
                {row.label.map((each, at) => <th key={at} scope="row" class="word">{each}</th>)}
                {row.cells.map((cell, at) => (
                  <td key={at} class={cell ? (placeOf(cell) ?? "") : ""}>
                    {cell && <Numbers study={study} cell={cell} what={`${row.label.join(", ")}: ${table.heads[labels + at] ?? ""}`} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.rows.length > SHOWN && !isAll.value && <button type="button" onClick={() => (isAll.value = true)}>Show all {table.rows.length} rows</button>}
    </>
  );
}

function Numbers({ study, cell, what }: { study: string; cell: Cell; what: string }) {
  const its = <Pair cell={cell} />;
  if (cell.published === null && !cell.ours) return null;
  if (cell.point === null) return <div class="cell">{its}</div>;
  return <OpenInLab class="cell" path={`/api/studies/${encodeURIComponent(study)}/points/${cell.point}`} what={what}>{its}</OpenInLab>;
}

function Pair({ cell }: { cell: Cell }) {
  const words = placeText(cell);
  return (
    <>
      {cell.published !== null && (
        <span class="printed" title={cell.note || "Printed"}>
          <span class="unseen">printed </span>{cell.published_text}{cell.note && <abbr title={cell.note}>*</abbr>}
        </span>
      )}
      {cell.ours && <span class="ours"><span class="unseen"> ours </span>{cell.ours.text}</span>}
      {words && <span class="place"><span class="unseen"> </span>{words}</span>}
    </>
  );
}
