// The pages of the published studies: the list, and one of them.

import { useEffect } from "preact/hooks";
import { useAnswer } from "../answer";
import type { Route } from "../state";
import { Problems } from "../widgets/Problems";
import { StudyPage } from "./StudyPage";
import type { StudyCard } from "./types";
import "./studies.css";

export function StudyPages({ route }: { route: Route }) {
  return route.page === "study" ? <StudyPage name={route.id} key={route.id} /> : <StudyList />;
}

function StudyList() {
  const { value, problems } = useAnswer<StudyCard[]>("/api/studies");
  useEffect(() => void (document.title = "Studies – ackclock lab"), []);
  return (
    <main class="start">
      <div class="start-head">
        <div>
          <h1>Published studies</h1>
          <p>Papers whose experiments ackclock makes again. Each has the paper's tables beside runs of this computer, and the paper's claims with a verdict.</p>
        </div>
      </div>
      <Problems problems={problems} />
      {value === null && problems.length === 0 && <p class="hint state-line" role="status">The studies are read …</p>}
      <h2 class="unseen">All studies</h2>
      <ul class="cards study-cards">{(value ?? []).map((each) => <Card key={each.name} its={each} />)}</ul>
    </main>
  );
}

function Card({ its }: { its: StudyCard }) {
  return (
    <li class="card">
      <h3><a href={`#/studies/${its.name}`}>{its.title}</a></h3>
      <p class="facts">{its.source}</p>
      <p>{its.about}</p>
      <p class="card-see">{its.ended ? "Was run here." : its.ran !== null ? "Was begun here; its command goes on with it." : "Was not run here yet."}</p>
    </li>
  );
}
