// A recorded run: its panels, its time-sequence diagram, and the way into the lab.

import { effect, signal, useSignal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { tidy } from "../canvas/range";
import type { RunFrame } from "../lab/types";
import { back, look } from "../panels/moves";
import { ScopeContext, scopeOf, type Scope } from "../panels/scope";
import { TimePanels } from "../panels/TimePanels";
import { SequencePanel } from "../sequence/SequencePanel";
import { address, labOf, LONGEST_TEXT } from "../state";
import type { Range } from "../view";
import "../figures/figures.css";
import type { AboutHead, Drawn } from "./read";

export function RunFigure({ drawn }: { drawn: Drawn & { run: RunFrame } }) {
  const scope = useMemo(() => scopeOfRun(drawn.run, drawn.about?.name ?? ""), [drawn]);
  const { segments, about } = drawn;
  return (
    <ScopeContext.Provider value={scope}>
      {about && <p class="chart-title">{capital(about.name)}</p>}
      <TimePanels />
      {segments && (
        <SequencePanel
          frame={segments}
          window={scope.window}
          cursor={scope.cursor}
          onWindow={(next, goesOn) => look(scope, next, goesOn)}
          onBack={scope.before.value.length > 0 ? () => back(scope) : null}
        />
      )}
      {segments?.head.note && <p class="hint">{segments.head.note}</p>}
      {about && <p class="chart-source">{about.caption}</p>}
      {about && <OpenInLab about={about} scope={scope} />}
    </ScopeContext.Provider>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

type RunScope = Omit<Scope, "window"> & { readonly window: Signal<Range | null> };

function scopeOfRun(run: RunFrame, name: string): RunScope {
  const end = run.head.duration_s;
  const window = signal<Range | null>(null);
  const seen = (frame: RunFrame | null) => ({ frame: signal(frame), stale: signal(false), problems: signal([]) });
  const zoom = (range: Range | null) => void (window.value = range && tidy(range, end));
  const sources = { name, live: seen(run), pinned: seen(null), duration: signal(end), window, cursor: signal<number | null>(null), zoom, columns: signal(900) };
  return { ...scopeOf(sources), window };
}

/** The lab shows the same run, and the same part of it. */
function OpenInLab({ about, scope }: { about: AboutHead; scope: RunScope }) {
  const href = useSignal<string | null>(null);
  useEffect(
    () =>
      effect(() => {
        const { state, lab } = about;
        if (!state) return;
        const shown = { ...labOf(state), window: scope.window.value };
        void address({ page: "lab", lab: shown }).then((its) => {
          href.value = its.length > LONGEST_TEXT ? null : `${lab}#${its}`;
        });
      }),
    [about, scope],
  );
  return (
    <p class="open-in-lab">
      {href.value ? (
        <>
          <a href={href.value} target="_blank" rel="noopener noreferrer">Open in the lab</a>{" "}
          <span class="hint">while <code>ackclock lab</code> runs on this computer. {about.note ?? ""}</span>
        </>
      ) : (
        <span class="hint">{about.state ? <>The scenario is too long for a link; <code>ackclock lab FILE</code> opens it.</> : null}</span>
      )}
    </p>
  );
}
