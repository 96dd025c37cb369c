// One study: its tables with ours beside them, its claims with verdicts, and the way to run it.

import { useEffect } from "preact/hooks";
import { useAnswer } from "../answer";
import { jobs } from "../jobs/store";
import { ask, queryNow, textOf } from "../query";
import { Problems } from "../widgets/Problems";
import { Claims } from "./Claims";
import { RunStudy } from "./RunStudy";
import { StudyTableView } from "./StudyTableView";
import type { Study, StudyTable } from "./types";
import { insideOf } from "./verdicts";

export function StudyPage({ name }: { name: string }) {
  // A job of this study that ends has written new tables.
  const ended = (jobs.value ?? []).filter((each) => each.study === name && each.state === "done").length;
  const { value, problems } = useAnswer<Study>(`/api/studies/${encodeURIComponent(name)}`, undefined, ended);
  useEffect(() => void (document.title = `${value?.title ?? "Study"} – ackclock lab`), [value?.title]);
  if (problems.length) return <main class="sheets"><Problems problems={problems} /><p class="state-line"><a href="#/studies">All studies</a></p></main>;
  if (!value) return <main class="sheets"><p class="hint state-line" role="status">The study is read …</p></main>;
  return (
    <main class="sheets">
      <p class="trail"><a href="#/studies">Studies</a></p>
      <h1>{value.title}</h1>
      <p class="facts">{value.source}</p>
      <p class="lead">{value.about}</p>
      <p class="hint">
        {value.sentence}
        {value.ran !== null && <> · <a href={`#/campaigns/${value.ran}`}>its campaign</a></>}
      </p>
      <RunStudy study={value} />
      <Tables study={value} />
      <Claims claims={value.claims} />
    </main>
  );
}

function Tables({ study }: { study: Study }) {
  const asked = textOf(queryNow(), "table");
  const shown = study.tables.find((each) => each.id === asked) ?? study.tables[0];
  if (!shown) return null;
  return (
    <section class="sheet" aria-labelledby="tables-title">
      <h2 id="tables-title">Tables</h2>
      <nav class="table-names" aria-label="Tables">
        {study.tables.map((each) => (
          <button key={each.id} type="button" aria-pressed={each === shown} onClick={() => ask({ table: each.id }, "table")}>
            {shortTitle(each)}
          </button>
        ))}
      </nav>
      <h3>{shown.title}</h3>
      <p class="hint">{saidOf(shown)}</p>
      <StudyTableView study={study.name} table={shown} key={shown.id} />
    </section>
  );
}

/** "Table 3" of "Table 3: network power of ..."; a title of another form is short enough. */
function shortTitle({ title }: StudyTable): string {
  return /^((?:Table|Task) [^:]+|\w+): /.exec(title)?.[1] ?? title;
}

function saidOf(table: StudyTable): string {
  const cells = table.rows.flatMap((each) => each.cells);
  const hasPrinted = cells.some((each) => each !== null && each.published !== null);
  const hasOurs = cells.some((each) => each?.ours);
  const { inside, of } = insideOf(cells);
  const parts = [];
  if (!hasPrinted) parts.push("The paper prints no numbers for this; ours are means with 95 % intervals.");
  else if (!hasOurs) parts.push("The printed numbers; ours will stand below them, once these points have been run here.");
  else parts.push("In each cell: the printed number, and below it our mean with its 95 % interval.");
  if (of > 0) parts.push(`A printed number is of one run: ${inside} of ${of} ${inside === 1 ? "lies" : "lie"} in the 95 % prediction interval of one of our runs.`);
  if (cells.some((each) => each !== null && each.point !== null)) parts.push("A cell opens its scenario in the lab.");
  return parts.join(" ");
}
