// The start: scenarios as cards, by topic, each with what there is to see.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadScenarios, scenarios } from "../lab/session";
import { paragraphs } from "../lab/text";
import { byTopic } from "../lab/topics";
import type { ScenarioCard } from "../lab/types";
import { server } from "../client";
import { Coded } from "../widgets/Text";
import { quantity } from "../units";

export function StartPage() {
  const filter = useSignal("");
  const isThere = server.value === "there";
  useEffect(() => {
    if (isThere) void loadScenarios();
  }, [isThere]);
  const all = scenarios.value;
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all?.filter((each) => {
    const text = `${each.id} ${each.title} ${each.description} ${each.see}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <main class="start">
      <div class="start-head">
        <div>
          <h1>What happens in TCP?</h1>
          <p>Choose a scenario. Move a slider, and see cwnd, queue, RTT and goodput change at once.</p>
        </div>
        <div>
          <label class="unseen" for="scenario-filter">Filter of scenarios</label>
          <input
            id="scenario-filter"
            type="search"
            placeholder="Filter, like: bbr, queue, radio"
            value={filter.value}
            onInput={(event) => (filter.value = event.currentTarget.value)}
          />
        </div>
      </div>
      {found?.length === 0 && <p role="status">No scenario has these words.</p>}
      {byTopic(found ?? []).map((topic) => (
        <section key={topic.title} class="topic" aria-label={topic.title}>
          <h2>{topic.title}</h2>
          <ul class="cards">
            {topic.cards.map((card) => (
              <Card key={card.id} card={card} />
            ))}
          </ul>
        </section>
      ))}
    </main>
  );
}

function Card({ card }: { card: ScenarioCard }) {
  const facts = [
    card.flows === null ? null : card.flows === 1 ? "1 flow" : `${card.flows} flows`,
    card.duration_s === null ? "has a problem" : quantity(card.duration_s, "s"),
  ].filter((each) => each !== null);
  return (
    <li class="card">
      <h3><a href={`#/lab/${card.id.split("/").map(encodeURIComponent).join("/")}`}>{card.title}</a></h3>
      <p class="facts">
        {facts.join(" · ")}
        {card.folder === "yours" && <> · <code>{card.id.replace(/^yours\//, "")}.toml</code></>}
      </p>
      <p>{card.description}</p>
      {card.see && <p class="card-see" title={card.see}><strong>See:</strong> <Coded text={paragraphs(card.see)[0] ?? ""} /></p>}
    </li>
  );
}
