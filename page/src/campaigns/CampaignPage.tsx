// One campaign: means, differences, runs, and its report.

import { useEffect } from "preact/hooks";
import { useAnswer } from "../answer";
import { ask, queryNow, textOf } from "../query";
import { counted, when } from "../words";
import { Problems } from "../widgets/Problems";
import { Compare } from "./Compare";
import { MeansView, useMeans } from "./MeansView";
import { Report } from "./Report";
import { RunsTable } from "./RunsTable";
import type { CampaignCard } from "./types";
import "./campaigns.css";

export function CampaignPage({ id }: { id: string }) {
  const list = useAnswer<CampaignCard[]>("/api/campaigns");
  const its = list.value?.find((each) => each.id === id);
  const isReport = textOf(queryNow(), "report") !== null;
  useEffect(() => void (document.title = `${its?.title ?? "Campaign"} – ackclock lab`), [its?.title]);
  if (list.problems.length) return <main class="sheets"><Problems problems={list.problems} /></main>;
  if (!list.value) return <main class="sheets"><p class="hint state-line" role="status">The campaign is read …</p></main>;
  if (!its) return <NotThere />;
  return (
    <main class="sheets">
      <p class="trail"><a href="#/campaigns">Campaigns</a></p>
      <div class="lab-head">
        <div>
          <h1>{its.title}</h1>
          {its.description && <p class="lead">{its.description}</p>}
          <p class="facts">{factsOf(its).join(" · ")} · <code>{its.folder}</code></p>
        </div>
        <div class="actions">
          <button type="button" aria-expanded={isReport} onClick={() => ask({ report: isReport ? null : "1" })}>
            {isReport ? "Means and runs" : "Report"}
          </button>
        </div>
      </div>
      {its.problem !== null && <Problems problems={[{ message: its.problem, key: null, line: null }]} />}
      {its.problem === null && (isReport ? <Report id={id} title={its.title} /> : <Body id={id} />)}
    </main>
  );
}

function Body({ id }: { id: string }) {
  const means = useMeans(id);
  return (
    <>
      <MeansView id={id} all={means} />
      <Compare id={id} means={means.value} />
      <RunsTable id={id} factors={means.value?.factors ?? []} />
    </>
  );
}

function factsOf(its: CampaignCard): string[] {
  const [runs, failed, missing] = [its.runs ?? 0, its.failed ?? 0, its.missing ?? 0];
  return [
    `${counted(runs, "run")} of ${counted(its.points ?? 0, "point")}`,
    failed ? `${failed} failed` : "",
    missing ? `${missing} not made yet` : "",
    when(its.when),
    its.version ? `ackclock ${its.version}` : "",
    its.emulated ? "emulated" : "",
  ].filter(Boolean);
}

function NotThere() {
  return (
    <main class="sheets">
      <h1>There is no such campaign</h1>
      <p class="state-line">Its folder may have been moved or removed, or it belongs to the folder of another server. <a href="#/campaigns">All campaigns</a></p>
    </main>
  );
}
