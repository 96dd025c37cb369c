// All campaigns in the user's folder, the newest first.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useAnswer } from "../answer";
import { counted, when } from "../words";
import { Command } from "../widgets/Command";
import { Problems } from "../widgets/Problems";
import type { CampaignCard } from "./types";
import "./campaigns.css";

export function CampaignList() {
  const filter = useSignal("");
  const { value, problems } = useAnswer<CampaignCard[]>("/api/campaigns");
  useEffect(() => void (document.title = "Campaigns – ackclock lab"), []);
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (value ?? []).filter((each) => {
    const text = `${each.title} ${each.description} ${each.folder} ${each.factors.join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <main class="start">
      <div class="start-head">
        <div>
          <h1>Campaigns</h1>
          <p>Runs that are kept: their means with intervals, differences, traces and reports.</p>
        </div>
        {value !== null && value.length > 0 && (
          <div>
            <label class="unseen" for="campaign-filter">Filter of campaigns</label>
            <input id="campaign-filter" type="search" placeholder="Filter, like: red, queue" value={filter.value} onInput={(event) => (filter.value = event.currentTarget.value)} />
          </div>
        )}
      </div>
      <Problems problems={problems} />
      {value === null && problems.length === 0 && <p class="hint state-line" role="status">The campaigns of your folder are read …</p>}
      {value?.length === 0 && <Empty />}
      {value !== null && value.length > 0 && found.length === 0 && <p class="state-line" role="status">No campaign has these words.</p>}
      {found.length > 0 && <Table campaigns={found} />}
    </main>
  );
}

function Empty() {
  return (
    <div class="sheet">
      <h2>There is no campaign in your folder yet</h2>
      <p>These commands write a scenario and run it; open this page again as soon as the first run has ended:</p>
      <Command text="ackclock new --out lab.toml && ackclock run lab.toml" />
      <p>
        Or choose a <a href="#/">scenario</a>, open <strong>Many runs</strong> below its panels, and sweep one of its keys: a job is a campaign, too.
        The <a href="#/studies">studies</a> are campaigns of published papers.
      </p>
    </div>
  );
}

function Table({ campaigns }: { campaigns: readonly CampaignCard[] }) {
  return (
    <div class="sheet">
      <div class="table-scroll whole" tabIndex={0} role="region" aria-label="Campaigns">
        <table class="numbers list">
          <caption class="unseen">Campaigns, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">title</th>
              <th scope="col" class="word factors">factors</th>
              <th scope="col">runs</th>
              <th scope="col" class="word">folder</th>
              <th scope="col">last run</th>
            </tr>
          </thead>
          <tbody>{campaigns.map((each) => <Row key={each.id} its={each} />)}</tbody>
        </table>
      </div>
    </div>
  );
}

/** Where the server keeps the runs of jobs. */
const JOBS = ".ackclock-lab/";

function Row({ its }: { its: CampaignCard }) {
  return (
    <tr>
      <th scope="row">
        {its.problem === null ? <a href={`#/campaigns/${encodeURIComponent(its.id)}`}>{its.title}</a> : its.title}
        {its.folder.startsWith(JOBS) && <span class="tag">job</span>}
        {its.emulated && <span class="tag">emulated</span>}
        <div class="row-note">{its.description}</div>
        {its.problem !== null && <div class="row-note warn">Cannot be read: {its.problem}</div>}
      </th>
      <td class="word factors">{its.factors.map((each) => <code key={each} class="factor">{each}</code>)}</td>
      <td>{its.runs === null ? "–" : <RunCount its={its} />}</td>
      <td class="word"><code class="place">{its.folder}</code></td>
      <td>{when(its.when)}</td>
    </tr>
  );
}

function RunCount({ its }: { its: CampaignCard }) {
  const [runs, failed, missing] = [its.runs ?? 0, its.failed ?? 0, its.missing ?? 0];
  return (
    <>
      {missing > 0 ? `${runs} of ${runs + failed + missing}` : counted(runs, "run")}
      {failed > 0 && <div class="row-note warn">{failed} failed</div>}
      {its.points !== null && its.points > 1 && <div class="row-note">{counted(its.points, "point")}</div>}
    </>
  );
}
