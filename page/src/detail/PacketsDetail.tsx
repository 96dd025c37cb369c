// The packet animation in the lab: of the flows that are drawn, for the part in sight.

import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import * as session from "../lab/session";
import { amend } from "../navigation";
import { PacketPlayer } from "../packets/PacketPlayer";
import type { HostEvents, PacketsHead } from "../packets/types";
import * as view from "../view";
import { Asked } from "./asked";
import { captionOf } from "./caption";

/** Of a whole run, the packets of so much are shown, s. */
const FIRST_S = 2;
/** What came to a link before the part in sight may still wait there, s. */
const BEFORE_S = 1;
/** The address has the animation's time, but need not have it at once. */
const NOTE_MS = 500;

export function PacketsDetail() {
  const asked = useMemo(
    () => new Asked<PacketsHead & { readonly duration_s: number }>("/api/detail/packets", BEFORE_S),
    [],
  );
  const drawn = useComputed(() =>
    JSON.stringify(session.live.frame.value?.head.flows.map((each) => each.number) ?? []),
  );
  const numbers = useComputed(() => JSON.parse(drawn.value) as number[]);
  const range = useComputed<view.Range>(() => view.window.value ?? [0, Math.min(FIRST_S, session.duration.value)]);
  useSignalEffect(() => {
    const now = session.lab.value;
    // How long the run is must be known.
    if (now && session.check.value)
      asked.ask({ run: now.run, flows: now.flows.length > 0 ? now.flows : null }, range.value, session.duration.value);
  });
  useEffect(() => () => asked.stop(), [asked]);
  useEffect(noteTime, []);
  const isPart = view.window.value === null && session.duration.value > FIRST_S;
  return (
    <PacketPlayer
      frame={asked.frame.value}
      path={session.check.value?.path ?? null}
      now={view.now}
      cursor={view.cursor}
      range={range.value}
      events={useComputed(eventsOf).value}
      drawn={numbers.value}
      caption={isPart ? `${captionOf()}. The first ${FIRST_S} s: zoom the panels to see another part.` : captionOf()}
      stale={asked.stale.value}
      message={asked.message.value}
    />
  );
}

/** What happens at hosts, as the panels' frame has it. */
function eventsOf(): HostEvents[] {
  const frame = session.live.frame.value;
  return frame?.head.marks.map(({ kind, flow, x }) => ({ kind, flow, times: frame.array(x) })) ?? [];
}

/** Writes the animation's time to the address, now and then. */
function noteTime(): () => void {
  const note = () => {
    const [now, time] = [session.lab.peek(), view.now.peek()];
    if (now && time !== now.time) amend({ page: "lab", lab: { ...now, time } });
  };
  const timer = setInterval(note, NOTE_MS);
  return () => {
    clearInterval(timer);
    note();
  };
}
