// What the lab page works with: the scenario, what the server says of it, and the pictures of its runs.

import { batch, computed, effect, signal } from "@preact/signals";
import { getJson, postJson, Refused, server, type Order, type Problem } from "../client";
import { tidy } from "../canvas/range";
import { scopeOf } from "../panels/scope";
import { amend, change, guest, route } from "../navigation";
import type { LabState, RunState } from "../state";
import * as view from "../view";
import { Picture } from "./picture";
import { MOST_NAMES, namesOf } from "./names";
import { setOf, withSet } from "./sets";
import type { Check, Scenario, ScenarioCard, Slider } from "./types";

/** What the lab's parts show; null on pages without them. */
export const lab = computed<LabState | null>(() => (route.value?.page === "lab" ? route.value.lab : guest.value));

/** All scenarios; null until the server told. */
export const scenarios = signal<readonly ScenarioCard[] | null>(null);
/** The scenario of this state, or that which the text came from. */
export const scenario = signal<Scenario | null>(null);
/** What the server says of this state: the last answer that had no problem. */
export const check = signal<Check | null>(null);
/** What is wrong with this state. */
export const problems = signal<readonly Problem[]>([]);
export const live = new Picture("B");
export const pinned = new Picture("A");
/** Pixels between the ends of the panels' time axis; 0 until they are known. */
export const columns = signal(0);

/** What a page with sliders of its own shows: those, its panels, and the changes that a reset goes back to. */
export interface Setting {
  readonly sliders: readonly Slider[];
  readonly show: readonly string[];
  readonly sets: readonly string[];
}

/** Null: the lab itself, with the sliders that the server has for the scenario. */
export const setting = signal<Setting | null>(null);

export const sliders = computed<readonly Slider[]>(
  () => setting.value?.sliders ?? check.value?.sliders ?? scenario.value?.sliders ?? [],
);

/** The value of a slider that is not set. */
export function asWritten(slider: Slider): { readonly value: Slider["value"]; readonly text: string } {
  const own = { value: slider.value, text: String(slider.value ?? "") };
  return setting.value ? own : (check.value?.values[slider.key] ?? own);
}

/** The end of what is drawn if no window is chosen, s: a run may be quiet long before its end. */
const drawnUntil = signal<number | null>(null);
effect(() => {
  const whole = [live, pinned].flatMap(({ frame }) => (frame.value && !frame.value.head.is_chosen ? [frame.value.head.window[1]] : []));
  if (whole.length > 0) drawnUntil.value = Math.max(...whole);
});
/** How long the run is as far as something happens, s. */
export const duration = computed(() => drawnUntil.value ?? check.value?.duration_s ?? 1);
/** What the panels show and follow. */
export const scope = scopeOf({ live, pinned, duration, columns, window: view.window, cursor: view.cursor, zoom });

const SHOWN = ["cwnd", "rtt", "queue", "goodput", "states"];
const CHECK_REST_MS = 120;
/** The status of an answer to a wrong token. */
const NO_TOKEN = 401;
/** Whether a run of this cost is made for a look. */
export function isRunHere(verdict: Check["cost"]["verdict"]): boolean {
  return verdict === "live" || verdict === "preview";
}

let checkNumber = 0;

/** Parts below the panels that can be opened. */
export function isOpen(part: string): boolean {
  return lab.value?.open.includes(part) ?? false;
}

export function toggle(part: string): void {
  change((now) => {
    const open = now.open.includes(part) ? now.open.filter((each) => each !== part) : [...now.open, part];
    return { ...now, open };
  });
}

export function changeRun(edit: (run: RunState) => Partial<RunState>, gesture?: string): void {
  change((now) => ({ ...now, run: { ...now.run, ...edit(now.run) } }), gesture);
}

/** Set a key; null takes it back. What `resets` names is taken out with it. */
export function setKey(key: string, text: string | null, gesture?: string, resets: readonly string[] = []): void {
  changeRun((run) => {
    const kept = resets.reduce<readonly string[]>((sets, each) => withSet(sets, each, null), run.sets);
    return { sets: withSet(kept, key, text ?? setOf(setting.value?.sets ?? [], key)) };
  }, gesture);
}

/** See another part of the run; null: all of it. */
export function zoom(range: view.Range | null, gesture?: string): void {
  change((now) => ({ ...now, window: range === null ? null : tidy(range, duration.value) }), gesture);
}

/** Follows the address while the lab page is shown; the function ends it. */
export function startSession(): () => void {
  held.value = true;
  lastChecked = "";
  const ends = [
    effect(() => {
      const id = lab.value?.run.scenario ?? null;
      if (server.value === "there") void loadScenario(id);
    }),
    effect(followView),
    effect(followCheck),
    effect(() => order(live, lab.value?.run ?? null)),
    effect(() => order(pinned, lab.value?.pin ?? null)),
  ];
  return () => {
    for (const end of ends) end();
    live.clear();
    pinned.clear();
  };
}

function followView(): void {
  const now = lab.value;
  if (!now) return;
  batch(() => {
    view.window.value = now.window;
    view.selectedFlow.value = now.flows[0] ?? null;
    view.selectedLink.value = now.link;
    view.now.value = now.time;
  });
}

/**
 * What is run only if a check says that it can be: a scenario that is new here, a text that is written, any key.
 * A slider's values are right, and its picture comes first.
 */
const held = signal(true);

/** Run what comes next only after a check. */
export function hold(): void {
  held.value = true;
}

/** What the lab asks for: its panels, and what is open below them. */
function shownInLab(): string[] {
  return [...SHOWN, ...(isOpen("distributions") ? ["delays", "completions"] : []), ...(isOpen("drops") ? ["drops"] : [])];
}

/** Names that this state has: another point, or run A, may have other links and flows. */
function known(now: LabState, state: RunState): Pick<Order, "flows" | "link"> {
  const path = check.value?.path;
  const isSame = state.scenario === now.run.scenario && state.source === now.run.source && state.point === now.run.point;
  if (!path || !isSame) return { flows: null, link: null };
  const names = namesOf(path.flows);
  const flows = now.flows.filter((each) => names.includes(each) || names.length === MOST_NAMES);
  const hasLink = path.hidden_links > 0 || path.links.some((each) => each.name === now.link);
  return { flows: flows.length ? flows : null, link: hasLink ? now.link : null };
}

function order(picture: Picture, state: RunState | null): void {
  const now = lab.value;
  const isThere = server.value === "there";
  if (!now || !state) return picture.clear();
  const asked: Order = {
    state,
    show: setting.value?.show ?? shownInLab(),
    ...known(now, state),
    window: now.window,
    width: columns.value,
  };
  if (asked.width === 0) return;
  if (held.value || !isThere) picture.wait(asked);
  else picture.ask(asked);
}

let checkTimer: ReturnType<typeof setTimeout> | undefined;
let lastChecked = "";
let lastScenario = "";

function followCheck(): void {
  const run = lab.value?.run;
  const isThere = server.value === "there";
  const key = JSON.stringify([run, isThere]);
  if (!run || !isThere || key === lastChecked) return;
  lastChecked = key;
  const scenarioNow = JSON.stringify([run.scenario, run.source]);
  if (scenarioNow !== lastScenario) {
    held.value = true;
    scope.before.value = [];
  }
  lastScenario = scenarioNow;
  clearTimeout(checkTimer);
  // While a slider moves, what is said of the state can wait.
  checkTimer = setTimeout(() => void askCheck(run), held.peek() ? 0 : CHECK_REST_MS);
}

async function askCheck(run: RunState): Promise<void> {
  const number = ++checkNumber;
  try {
    const found = await postJson<Check>("/api/check", run);
    if (number !== checkNumber) return;
    batch(() => {
      problems.value = found.problems;
      if (found.ok) check.value = found;
      held.value = !found.ok || !isRunHere(found.cost.verdict);
      if (held.value) live.refuse();
    });
    const now = lab.peek();
    // A point that the sweep does not have any more.
    if (found.ok && now && found.point !== run.point && now.run === run) {
      amend({ page: "lab", lab: { ...now, run: { ...run, point: found.point } } });
    }
  } catch (error) {
    if (number !== checkNumber) return;
    // The banner says so; it is asked again when the server answers.
    if (!(error instanceof Refused) || error.status === NO_TOKEN) return void (lastChecked = "");
    problems.value = error.problems;
    held.value = true;
    live.refuse();
  }
}

async function loadScenario(id: string | null): Promise<void> {
  if (id === null || id === scenario.peek()?.id) return;
  check.value = null;
  try {
    const found = await getJson<Scenario>(`/api/scenarios/${id.split("/").map(encodeURIComponent).join("/")}`);
    if (lab.peek()?.run.scenario === id) scenario.value = found;
  } catch (error) {
    if (error instanceof Refused && error.status !== NO_TOKEN) problems.value = error.problems;
  }
}

export async function loadScenarios(): Promise<void> {
  try {
    scenarios.value = await getJson<ScenarioCard[]>("/api/scenarios");
  } catch {
    // The banner says so; the list is asked for again when the server is there.
  }
}
