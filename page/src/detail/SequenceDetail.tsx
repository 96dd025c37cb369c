// The time-sequence diagram in the lab: of a flow that is drawn, for the part in sight.

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import * as session from "../lab/session";
import { change } from "../navigation";
import { back, look } from "../panels/moves";
import { SequencePanel } from "../sequence/SequencePanel";
import type { SegmentsHead } from "../sequence/types";
import * as view from "../view";
import { useOwnId } from "../widgets/ids";
import { Asked } from "./asked";
import { captionOf } from "./caption";

export function SequenceDetail() {
  const asked = useMemo(() => new Asked<SegmentsHead>("/api/detail/segments"), []);
  const connection = useSignal<number | null>(null);
  const flow = useComputed(() => view.selectedFlow.value ?? session.check.value?.path.flows[0]?.name ?? null);
  useSignalEffect(() => {
    const run = session.lab.value?.run;
    // How long the run is must be known.
    if (run && session.check.value)
      asked.ask(
        { run, flow: flow.value, connection: connection.value },
        view.window.value ?? [0, session.duration.value],
        session.duration.value,
      );
  });
  useEffect(() => () => asked.stop(), [asked]);
  const choose = (name: string) => {
    connection.value = null;
    change((now) => ({ ...now, flows: [name, ...drawn().filter((each) => each !== name)] }));
  };
  const names = drawn();
  const connections = asked.frame.value?.head.in_window ?? [];
  return (
    <SequencePanel
      frame={asked.frame.value}
      window={view.window}
      cursor={view.cursor}
      now={view.now}
      until={session.duration.value}
      onWindow={(range, goesOn) => look(session.scope, range, goesOn)}
      onBack={session.scope.before.value.length > 0 ? () => back(session.scope) : null}
      onPackets={showPackets}
      caption={captionOf()}
      stale={asked.stale.value}
      message={asked.message.value}
    >
      {names.length > 1 ? <Choice label="Flow" values={names} value={flow.value ?? ""} onChange={choose} /> : null}
      {connections.length > 1 ? (
        <Choice
          label="Connection"
          values={connections.map(String)}
          value={String(asked.frame.value?.head.connection ?? "")}
          onChange={(text) => (connection.value = Number(text))}
        />
      ) : null}
    </SequencePanel>
  );
}

/** Opens the animation, and sets its time. */
function showPackets(time: number): void {
  view.now.value = time;
  change((now) => ({ ...now, time, open: now.open.includes("packets") ? now.open : [...now.open, "packets"] }));
}

const drawn = (): string[] => session.live.frame.value?.head.flows.map((each) => each.name) ?? [];

interface ChoiceProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, values, value, onChange }: ChoiceProps) {
  const id = useOwnId();
  return (
    <span class="choice-of">
      <label for={id}>{label}</label>{" "}
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </span>
  );
}
