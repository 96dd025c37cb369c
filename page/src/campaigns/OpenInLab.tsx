// The way from a number to the run behind it: the lab with the state that gives it again.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { getJson, Refused, type Problem } from "../client";
import { go } from "../navigation";
import { labOf, type RunState } from "../state";

interface Opened extends RunState {
  /** Why the lab may give another run. */
  readonly note?: string | null;
}

interface Props {
  /** Of the server: a state, or {"state": a state}. */
  readonly path: string;
  /** What is opened: "run 3". */
  readonly what: string;
  readonly children?: ComponentChildren;
  readonly isLink?: boolean;
  readonly class?: string;
}

/** A button that opens the lab; where that may give another run, it says so first. */
export function OpenInLab({ path, what, children, isLink = false, class: its = "" }: Props) {
  const waiting = useSignal<Opened | null>(null);
  const problems = useSignal<readonly Problem[]>([]);
  const open = (state: Opened) => {
    const { scenario, source, sets, point, replication } = state;
    go({ page: "lab", lab: labOf({ scenario, source, sets, point, replication }) });
  };
  const click = async () => {
    if (waiting.value) return open(waiting.value);
    try {
      const found = await getJson<Opened | { state: Opened }>(path);
      const state = "state" in found ? found.state : found;
      if (state.note) waiting.value = state;
      else open(state);
    } catch (error) {
      if (error instanceof Refused) problems.value = error.problems;
    }
  };
  const said = problems.value.map((each) => each.message).join(" ") || (waiting.value && `${waiting.value.note} Press again to open it.`);
  return (
    <>
      <button type="button" class={`${isLink ? "as-link" : ""} ${its}`.trim()} title={`Open ${what} in the lab`} onClick={() => void click()}>
        {children ?? <>{isLink ? "open" : "Open"} in the lab<span class="unseen">: {what}</span></>}
      </button>
      {said && <span class="open-said" role="status">{said}</span>}
    </>
  );
}
