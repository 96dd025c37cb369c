// How far a job is, and what can be done with it: stop it, go on with it, take its command to a terminal.

import { useSignal } from "@preact/signals";
import { Refused, type Problem } from "../client";
import { counted, lasting } from "../words";
import { Command } from "../widgets/Command";
import { Problems } from "../widgets/Problems";
import { goOn, stop } from "./store";
import { isUnderWay, type Counts, type JobState } from "./types";

const STATES: Readonly<Record<JobState, string>> = {
  waiting: "waits",
  running: "is under way",
  done: "done",
  stopped: "stopped",
  failed: "failed",
};

/** "12 of 40 runs, about 8 s left". */
export function progressText(counts: Counts): string {
  const { state, done, of, left_s } = counts;
  const runs = of === null ? counted(done, "run") : isUnderWay(counts) || done < of ? `${done} of ${counted(of, "run")}` : counted(done, "run");
  return left_s !== null && left_s >= 1 && state === "running" ? `${runs}, about ${lasting(left_s)} left` : runs;
}

export function StateTag({ state }: { state: JobState }) {
  return <span class={`job-state ${state}`}>{STATES[state]}</span>;
}

export function JobProgress({ counts, label }: { counts: Counts; label: string }) {
  // The server's words for a terminal have the command in them, for which there is a button.
  const said = counts.state === "stopped" ? "Its runs are kept; Go on makes those that are missing." : counts.message;
  return (
    <div class="job-progress">
      <p class="job-line">
        <StateTag state={counts.state} /> <span>{progressText(counts)}</span>
      </p>
      {isUnderWay(counts) && (
        <progress aria-label={label} max={counts.of ?? 1} value={counts.of === null ? undefined : counts.done} />
      )}
      {said !== "" && <p class={counts.state === "failed" ? "warn" : "hint"} role="status">{said}</p>}
    </div>
  );
}

export function JobActions({ id, counts, command, isShort = false }: { id: string; counts: Counts; command: string | null; isShort?: boolean }) {
  const problems = useSignal<readonly Problem[]>([]);
  const isShown = useSignal(false);
  const act = async (what: (id: string) => Promise<void>) => {
    problems.value = [];
    try {
      await what(id);
    } catch (error) {
      if (error instanceof Refused) problems.value = error.problems;
    }
  };
  const canGoOn = counts.state === "stopped" || counts.state === "failed";
  return (
    <>
      <div class="job-actions">
        {isUnderWay(counts) && <button type="button" onClick={() => void act(stop)}>Stop</button>}
        {canGoOn && <button type="button" onClick={() => void act(goOn)}>Go on</button>}
        {command && (
          <button type="button" class={isShort ? "quiet" : ""} aria-expanded={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
            Command
          </button>
        )}
      </div>
      {command && isShown.value && (
        <>
          <Command text={command} />
          <p class="hint">In your folder, this makes the same runs, or goes on with those that are missing.</p>
        </>
      )}
      <Problems problems={problems.value} />
    </>
  );
}
