// The question or the goal of a step, what is said afterwards, and the way on.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { live } from "../lab/session";
import { Line, Prose } from "./Prose";
import { markDone } from "./progress";
import { boundsText, complete, metricOf, nameOf, reaches, textOf } from "./reading";
import { cards, showSolution } from "./session";
import type { Goal, Lesson, Step } from "./types";

export function Ask({ lesson, step, at }: { lesson: Lesson; step: Step; at: number }) {
  const isOver = useSignal(false);
  const over = (isDone: boolean) => {
    isOver.value = true;
    if (isDone) markDone(lesson.id, at);
  };
  return (
    <section class="lesson-ask" aria-label={step.goal ? "Task" : "Question"}>
      {step.goal ? <Reach goal={step.goal} isOver={isOver.value} onReach={() => over(true)} /> : <Question step={step} isOver={isOver.value} onOver={over} />}
      <div role="status">{isOver.value && <Because text={step.because} />}</div>
      <Way lesson={lesson} at={at} isOver={isOver.value} />
    </section>
  );
}

/** What is said afterwards. The button that led here may be gone: whoever was on it goes on here. */
function Because({ text }: { text: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) host.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={host} class="because prose" tabIndex={-1}>
      <Prose text={text} />
    </div>
  );
}

const MARKS = { right: "✓", wrong: "✗", none: "" };

function Question({ step, isOver, onOver }: { step: Step; isOver: boolean; onOver: (isDone: boolean) => void }) {
  const tried = useSignal<readonly number[]>([]);
  const last = tried.value.at(-1);
  const isRight = last === step.right;
  const answer = (k: number) => {
    if (isOver) return;
    tried.value = [...tried.value.filter((each) => each !== k), k];
    if (k === step.right) onOver(true);
  };
  const verdictOf = (k: number): keyof typeof MARKS => {
    if (k === step.right) return isOver ? "right" : "none";
    return tried.value.includes(k) ? "wrong" : "none";
  };
  return (
    <div role="group" aria-labelledby="question">
      <h2 id="question"><Line text={step.question} /></h2>
      <ul class="answers">
        {step.answers.map((text, k) => {
          const verdict = verdictOf(k);
          return (
            <li key={text}>
              <button type="button" class={`answer ${verdict}`} aria-disabled={isOver} onClick={() => answer(k)}>
                <span class="answer-mark" aria-hidden="true">{MARKS[verdict]}</span>
                <span>
                  <Line text={text} />
                  {verdict !== "none" && <span class="unseen"> ({verdict})</span>}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <p class="verdict" role="status">
        {last !== undefined && (isRight ? <strong class="right">Right.</strong> : !isOver && <strong class="wrong">No, not that. Look again, or see why.</strong>)}
        {!isOver && <button type="button" class="quiet" onClick={() => onOver(false)}>Show the answer</button>}
      </p>
    </div>
  );
}

function Reach({ goal, isOver, onReach }: { goal: Goal; isOver: boolean; onReach: () => void }) {
  const isReached = useComputed(() => reaches(goal, metricOf(complete.value, goal)?.value));
  useEffect(() => {
    if (isReached.value) onReach();
  }, [isReached.value]);
  // While a run is under way, the number is that of the one before, and fades.
  const metric = metricOf(complete.value ?? live.complete.value, goal);
  return (
    <div>
      <h2><Line text={goal.text} /></h2>
      <div class={`goal ${isReached.value ? "is-reached" : ""}`} aria-busy={complete.value === null}>
        <span class="goal-mark" aria-hidden="true">{isReached.value ? "✓" : ""}</span>
        <span>
          <span class="goal-name">{nameOf(goal, metric)}</span>
          <strong>{textOf(goal, metric)}</strong>
        </span>
        <span class="goal-wanted">goal: {boundsText(goal)}</span>
      </div>
      <p class="verdict" role="status">
        {isReached.value ? <strong class="right">Reached.</strong> : isOver && "Reached before."}
        {!isOver && <button type="button" class="quiet" onClick={showSolution}>Show a way</button>}
      </p>
    </div>
  );
}

/** To the step before and to the next; from the last one to what follows. */
function Way({ lesson, at, isOver }: { lesson: Lesson; at: number; isOver: boolean }) {
  const isLast = at === lesson.steps.length - 1;
  const all = cards.value ?? [];
  const next = all[all.findIndex((each) => each.id === lesson.id) + 1];
  const to = (step: number) => `#/lessons/${encodeURIComponent(lesson.id)}?step=${step + 1}`;
  return (
    <>
      {isLast && isOver && lesson.more.length > 0 && (
        <p class="lesson-more">
          Go on in the lab:{" "}
          {lesson.more.map((id, k) => (
            <span key={id}>{k > 0 && ", "}<a href={`#/lab/${encodeURIComponent(id)}`}>{id.replaceAll("_", " ")}</a></span>
          ))}
        </p>
      )}
      <nav class="lesson-way" aria-label="Through the lesson">
        {at > 0 ? <a class="button" href={to(at - 1)}>Back</a> : <span />}
        {!isLast && <a class={`button ${isOver ? "primary" : ""}`} href={to(at + 1)}>Next</a>}
        {isLast && next && <a class={`button ${isOver ? "primary" : ""}`} href={`#/lessons/${encodeURIComponent(next.id)}`}>Next lesson: {next.title}</a>}
        {isLast && !next && <a class={`button ${isOver ? "primary" : ""}`} href="#/lessons">All lessons</a>}
      </nav>
    </>
  );
}
