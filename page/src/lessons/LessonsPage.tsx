// The lessons in their order, with how far the reader has come.

import { useEffect } from "preact/hooks";
import { server } from "../client";
import { doneOf, forget, nextOf, progress } from "./progress";
import { cards, loadCards } from "./session";
import type { LessonCard } from "./types";

export function LessonsPage() {
  const isThere = server.value === "there";
  useEffect(() => {
    document.title = "Lessons – ackclock lab";
    if (isThere) void loadCards();
  }, [isThere]);
  const all = cards.value ?? [];
  const minutes = all.reduce((sum, each) => sum + each.minutes, 0);
  const isBegun = all.some((each) => doneOf(progress.value, each.id, each.steps).length > 0);
  return (
    <main class="start lessons">
      <div class="start-head">
        <div>
          <h1>Lessons</h1>
          <p>How TCP works, from slow start to L4S. Each step lets you try something, asks a question, and explains the answer.</p>
        </div>
        {all.length > 0 && (
          <p class="facts">
            {all.length} lessons · {Math.round(minutes / 60)} hours in all
            {isBegun && <button type="button" class="quiet" onClick={forget}>Forget my progress</button>}
          </p>
        )}
      </div>
      <ol class="cards lesson-cards">
        {all.map((card, k) => <Card key={card.id} card={card} number={k + 1} />)}
      </ol>
    </main>
  );
}

function Card({ card, number }: { card: LessonCard; number: number }) {
  const done = doneOf(progress.value, card.id, card.steps).length;
  const next = nextOf(progress.value, card.id, card.steps);
  const says = done === 0 ? `${card.steps} steps` : done === card.steps ? "done" : `${done} of ${card.steps} steps done`;
  return (
    <li class="card lesson-card">
      <span class="lesson-number" aria-hidden="true">{number}</span>
      <h2><a href={`#/lessons/${encodeURIComponent(card.id)}?step=${next + 1}`}>{card.title}</a></h2>
      <p class="facts">{card.minutes} minutes · {says}</p>
      <p>{card.summary}</p>
      <Bar done={done} steps={card.steps} />
    </li>
  );
}

function Bar({ done, steps }: { done: number; steps: number }) {
  return (
    <span class="lesson-bar" aria-hidden="true">
      {Array.from({ length: steps }, (_, k) => <span key={k} class={k < done ? "is-done" : ""} />)}
    </span>
  );
}
