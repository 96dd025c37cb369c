// A step of a lesson: what to do, the lab for it, and what is asked.

import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { server } from "../client";
import * as lab from "../lab/session";
import { Sliders } from "../lab/Sliders";
import { ScopeContext } from "../panels/scope";
import { TimePanels } from "../panels/TimePanels";
import { details } from "../parts";
import type { Route } from "../state";
import { Problems } from "../widgets/Problems";
import { Ask } from "./Ask";
import { doneOf, progress } from "./progress";
import { Prose } from "./Prose";
import { complete, metricOf, nameOf, textOf } from "./reading";
import { at, cards, close, lesson, loadCards, open, openInLab, problems, step, stepOf } from "./session";
import type { Lesson, ReadOut, Step } from "./types";

export function LessonPage({ route }: { route: Route }) {
  const id = route.page === "lesson" ? route.id : "";
  const number = stepOf(route);
  const isThere = server.value === "there";
  useEffect(() => {
    if (isThere) void open(id, number);
  }, [id, number, isThere]);
  useEffect(() => {
    if (!cards.peek()) void loadCards();
    const end = lab.startSession();
    return () => {
      close();
      end();
    };
  }, []);
  const [its, now] = [lesson.value, step.value];
  if (problems.value.length) {
    return (
      <main class="text-page">
        <h1>There is no such lesson</h1>
        <section>
          <Problems problems={problems.value} />
          <p><a href="#/lessons">All lessons</a></p>
        </section>
      </main>
    );
  }
  if (!its || !now) return <main class="lesson" aria-busy="true" />;
  return (
    <main class="lesson">
      <Head lesson={its} />
      <Text key={at.value} step={now} />
      <Lab step={now} />
      <Ask key={`${its.id} ${at.value}`} lesson={its} step={now} at={at.value} />
    </main>
  );
}

function Head({ lesson }: { lesson: Lesson }) {
  const number = (cards.value?.findIndex((each) => each.id === lesson.id) ?? -1) + 1;
  useEffect(() => {
    document.title = `${lesson.title}, step ${at.value + 1} – ackclock lab`;
  }, [lesson, at.value]);
  return (
    <div class="lesson-head">
      <div>
        <p class="lesson-of"><a href="#/lessons">Lessons</a>{number > 0 && ` · ${number} of ${cards.value?.length}`}</p>
        <h1>{lesson.title}</h1>
      </div>
      <div class="lesson-tools">
        <button type="button" class="quiet" title="The whole lab with this run: all keys, packets, comparison" onClick={openInLab}>
          Open in the lab
        </button>
        <Steps lesson={lesson} />
      </div>
    </div>
  );
}

function Steps({ lesson }: { lesson: Lesson }) {
  const done = doneOf(progress.value, lesson.id, lesson.steps.length);
  return (
    <nav aria-label="Steps of the lesson">
      <ol class="lesson-steps">
        {lesson.steps.map((_, k) => (
          <li key={k}>
            <a
              href={`#/lessons/${encodeURIComponent(lesson.id)}?step=${k + 1}`}
              class={done.includes(k) ? "is-done" : ""}
              aria-current={k === at.value ? "step" : undefined}
              aria-label={`Step ${k + 1}${done.includes(k) ? ", done" : ""}`}
            >
              {k + 1}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** What to do. A new step begins here, for eyes and for screen readers. */
function Text({ step }: { step: Step }) {
  const host = useRef<HTMLElement>(null);
  useEffect(() => {
    scrollTo({ top: 0 });
    host.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={host} class="lesson-text prose" tabIndex={-1} aria-label={`Step ${at.value + 1}`}>
      <Prose text={step.text} />
    </section>
  );
}

function Lab({ step }: { step: Step }) {
  const Sequence = details.find((each) => each.key === "sequence")?.Panel;
  const found = [...lab.problems.value, ...lab.live.problems.value];
  return (
    <div class="lesson-lab">
      <h2 class="unseen">The lab of this step</h2>
      {step.sliders.length + step.read.length > 0 && (
        <div class="lesson-controls">
          {step.sliders.length > 0 && <Sliders only={step.sliders} />}
          {step.read.length > 0 && <ReadOuts read={step.read} />}
        </div>
      )}
      <Problems problems={found.filter((each, k) => found.findIndex((one) => one.message === each.message) === k)} />
      <ScopeContext.Provider value={lab.scope}>
        <TimePanels />
        {step.sequence && Sequence && <Sequence />}
      </ScopeContext.Provider>
    </div>
  );
}

/** Numbers of the run that the step speaks of. */
function ReadOuts({ read }: { read: readonly ReadOut[] }) {
  const frame = useComputed(() => complete.value ?? lab.live.complete.value);
  const isStale = useComputed(() => complete.value === null);
  return (
    <dl class="read-outs" aria-busy={isStale}>
      {read.map((each) => {
        const metric = metricOf(frame.value, each);
        return (
          <div key={`${each.metric} ${each.flow ?? ""}`}>
            <dt title={each.metric}>{nameOf(each, metric)}</dt>
            <dd>{textOf(each, metric)}</dd>
          </div>
        );
      })}
    </dl>
  );
}
