// The lab: what is run on the left, what happens on the right.

import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ScopeContext } from "../panels/scope";
import type { Problem } from "../client";
import { TimePanels } from "../panels/TimePanels";
import { server } from "../client";
import { change, go, link } from "../navigation";
import { details, PairJob } from "../parts";
import { labOf } from "../state";
import { Problems } from "../widgets/Problems";
import { Text } from "../widgets/Text";
import { DropChoice, FlowChoice } from "./FlowChoice";
import { Distributions } from "./Distributions";
import { ExportMenu } from "./ExportMenu";
import { KeyEditor } from "./KeyEditor";
import { Metrics } from "./Metrics";
import { PathPicture } from "./PathPicture";
import { Points } from "./Points";
import * as session from "./session";
import { setOf } from "./sets";
import { Sliders } from "./Sliders";
import { paragraphs } from "./text";
import { TomlEditor } from "./TomlEditor";
import { byTopic } from "./topics";

export function LabPage() {
  useEffect(session.startSession, []);
  // Of a scenario that is unknown, or wrong from the start, there is nothing to see.
  const hasPicture = useComputed(() => session.check.value !== null || session.live.frame.value !== null);
  const isWriting = useComputed(() => session.isOpen("keys") || session.isOpen("toml"));
  return (
    <main class={isWriting.value ? "lab is-writing" : "lab"}>
      <Heading />
      <Inputs />
      <div class="outputs">
        <Refusals />
        <PathPicture />
        {hasPicture.value && (
          <ScopeContext.Provider value={session.scope}>
            <h2 class="unseen">What happens over time</h2>
            <TimePanels tools={<><FlowChoice /><DropChoice /></>} />
          </ScopeContext.Provider>
        )}
        {details.map((each) => (
          <Fold key={each.key} part={each.key} label={each.label}>
            <each.Panel />
          </Fold>
        ))}
      </div>
      <div class="numbers-column">
        <Metrics />
        {PairJob && session.lab.value?.pin && <PairJob />}
        {hasPicture.value && <Fold part="distributions" label="Distributions"><Distributions /></Fold>}
      </div>
      <div class="facts-row">
        {hasPicture.value && <Fold part="facts" label="What the scenario means"><FactTables /></Fold>}
      </div>
    </main>
  );
}

function Heading() {
  const title = useComputed(() => session.check.value?.title || session.scenario.value?.title || session.lab.value?.run.scenario || "Your own scenario");
  const line = useComputed(() => session.check.value?.one_line ?? "");
  const run = useComputed(() => session.lab.value?.run ?? null);
  useEffect(() => {
    const { point = 0, replication = 0 } = run.value ?? {};
    document.title = `${title.value}, point ${point}, run ${replication} – ackclock lab`;
  }, [title.value, run.value?.point, run.value?.replication]);
  return (
    <div class="lab-head">
      <div class="lab-title">
        <h1>{title}</h1>
        <p class="one-line">
          {line}
          <Replication />
        </p>
      </div>
      <div class="actions">
        <Pin />
        <ExportMenu />
        <CopyLink />
      </div>
    </div>
  );
}

/** Which of the runs of a point this is: each has a seed of its own. */
function Replication() {
  const now = session.lab.value?.run.replication ?? 0;
  const set = (next: number) => session.changeRun(() => ({ replication: next }), "replication");
  return (
    <span class="replication">
      Run {now}
      <button type="button" aria-label="Run before" disabled={now === 0} onClick={() => set(now - 1)}>‹</button>
      <button type="button" aria-label="Next run, with another seed" title="Another seed" onClick={() => set(now + 1)}>›</button>
    </span>
  );
}

function swap(): void {
  // A may have other links and flows.
  session.hold();
  change((now) => (now.pin ? { ...now, run: now.pin, pin: now.run } : now));
}

function Pin() {
  const pin = useComputed(() => session.lab.value?.pin ?? null);
  if (!pin.value) {
    return (
      <button type="button" title="Keep this run as A and compare what you change with it" onClick={() => change((now) => ({ ...now, pin: now.run }))}>
        Pin as A
      </button>
    );
  }
  return (
    <>
      <button type="button" title="B becomes A, and A becomes B" onClick={swap}>
        Swap A and B
      </button>
      <button type="button" onClick={() => change((now) => ({ ...now, pin: null }))}>Unpin A</button>
    </>
  );
}

function CopyLink() {
  const said = useSignal("");
  const copy = async () => {
    await navigator.clipboard.writeText(await link());
    said.value = "Copied";
    setTimeout(() => (said.value = ""), 2000);
  };
  return (
    <>
      <button type="button" onClick={() => void copy().catch(() => (said.value = "The browser allows no copy"))}>
        {said.value || "Copy link"}
      </button>
      <span class="unseen" role="status">{said}</span>
    </>
  );
}

function Inputs() {
  const source = useComputed(() => session.lab.value?.run.source ?? null);
  return (
    <div class="inputs">
      <div class="choose">
        <Picker />
        {source.value === null && <WhatToSee />}
      </div>
      <Tune />
      <div class="write">
        <Fold part="keys" label="All keys"><KeyEditor /></Fold>
        <Fold part="toml" label="Scenario as text"><TomlEditor /></Fold>
      </div>
    </div>
  );
}

/** Where there is little room, a sheet at the bottom that opens by a tap: what a slider does is seen above it. */
function Tune() {
  const isOpen = useSignal(false);
  return (
    <div class={isOpen.value ? "tune is-open" : "tune"}>
      <button type="button" class="handle" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        Sliders
      </button>
      <Points />
      <Sliders />
      <Changes />
    </div>
  );
}

function Picker() {
  const isThere = server.value === "there";
  useEffect(() => {
    if (isThere && !session.scenarios.peek()) void session.loadScenarios();
  }, [isThere]);
  const id = session.lab.value?.run.scenario ?? "";
  return (
    <div class="field choice picker">
      <label for="scenario">Scenario</label>
      <select id="scenario" value={id} onChange={(event) => go({ page: "lab", lab: labOf({ scenario: event.currentTarget.value }) })}>
        {id === "" && <option value="">your own text</option>}
        {byTopic(session.scenarios.value ?? []).map((topic) => (
          <optgroup key={topic.title} label={topic.title}>
            {topic.cards.map((card) => <option key={card.id} value={card.id}>{card.title}</option>)}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

function WhatToSee() {
  const isAll = useSignal(false);
  const hasMore = useSignal(false);
  const text = useRef<HTMLDivElement>(null);
  const its = session.scenario.value;
  useEffect(() => {
    const box = text.current;
    isAll.value = false;
    hasMore.value = box !== null && box.scrollHeight > box.clientHeight;
  }, [its?.see]);
  if (!its?.see) return null;
  return (
    <section class="see" aria-label="What to see">
      <h2>What to see</h2>
      <div ref={text} class={isAll.value ? "" : "clamped"}>
        <Text paragraphs={paragraphs(its.see)} />
      </div>
      {hasMore.value && (
        <button type="button" class="quiet" aria-expanded={isAll.value} onClick={() => (isAll.value = !isAll.value)}>
          {isAll.value ? "Less" : "More"}
        </button>
      )}
    </section>
  );
}

/** What differs from the scenario, where no slider shows it. */
function Changes() {
  const sets = useComputed(() => session.lab.value?.run.sets ?? []);
  if (sets.value.length === 0) return null;
  return (
    <div class="changes">
      <ul aria-label="Changes">
        {sets.value.map((set) => (
          <li key={set}>
            <code>{set}</code>
            <button type="button" class="reset" aria-label={`Take back ${set}`} onClick={() => session.setKey(set.slice(0, set.indexOf("=")), null)}>×</button>
          </li>
        ))}
      </ul>
      <button type="button" class="quiet" onClick={() => session.changeRun(() => ({ sets: [] }))}>Reset all</button>
    </div>
  );
}

/** What takes back the key of a problem; null: it was not changed here. */
function takeBack({ key }: Problem): (() => void) | null {
  const isSet = key !== null && setOf(session.lab.value?.run.sets ?? [], key) !== null;
  return isSet ? () => session.setKey(key, null) : null;
}

/** Why there is no picture, or which one it is. */
function Refusals() {
  const ofState = session.problems.value;
  const ofRun = session.live.problems.value.filter((each) => !ofState.some((one) => one.message === each.message));
  const ofPin = session.pinned.problems.value;
  const cost = session.check.value?.cost;
  return (
    <>
      <div role="alert">
        <Problems problems={[...ofState, ...ofRun]} onTakeBack={takeBack} />
        <Problems problems={ofPin.map((each) => ({ ...each, message: `Run A: ${each.message}` }))} />
      </div>
      {cost && cost.verdict !== "live" && cost.sentence !== "" && ofState.length === 0 && <p class="cost" role="status">{session.isRunHere(cost.verdict) ? "" : "Not run here: "}{cost.sentence}.</p>}
    </>
  );
}

/** A part that opens, with its key in the address. */
function Fold({ part, label, children }: { part: string; label: string; children: ComponentChildren }) {
  const isOpen = useComputed(() => session.isOpen(part));
  const section = useRef<HTMLElement>(null);
  const toggle = () => {
    session.toggle(part);
    requestAnimationFrame(() => section.current?.scrollIntoView({ block: "nearest" }));
  };
  return (
    <section ref={section} class={`fold fold-${part}`} aria-label={label}>
      <button type="button" class="fold-head" aria-expanded={isOpen.value} onClick={toggle}>
        {label}
      </button>
      {isOpen.value && <div class="fold-body">{children}</div>}
    </section>
  );
}

function FactTables() {
  const tables = session.check.value?.tables ?? [];
  return (
    <>
      {tables.map((table) => (
        <div key={table.title} class="table-scroll" tabIndex={0} role="region" aria-label={table.title}>
          <table class="numbers words">
            <caption>{table.title}</caption>
            <thead>
              <tr>{table.heads.map((head, k) => <th key={k} scope="col">{head}</th>)}</tr>
            </thead>
            <tbody>
              {table.rows.map((row, k) => (
                <tr key={k}>{row.map((cell, at) => (at === 0 ? <th key={at} scope="row">{cell}</th> : <td key={at}>{cell}</td>))}</tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
    </>
  );
}
