// A scenario in a cell: sliders beside panels, and the numbers of the run below.

import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Metrics } from "../lab/Metrics";
import { Points } from "../lab/Points";
import * as session from "../lab/session";
import { Sliders } from "../lab/Sliders";
import { ScopeContext } from "../panels/scope";
import { TimePanels } from "../panels/TimePanels";
import { Problems } from "../widgets/Problems";

export function ScenarioCell({ only }: { only: readonly string[] }) {
  useEffect(session.startSession, []);
  const title = useComputed(() => session.check.value?.title ?? "");
  const line = useComputed(() => session.check.value?.one_line ?? "");
  return (
    <div class="cell">
      <div class="cell-inputs">
        <h3>{title}</h3>
        <p class="hint">{line}</p>
        {only.length === 0 && <Points />}
        {only.length ? <Sliders only={only} /> : <Sliders />}
      </div>
      <div class="cell-outputs">
        <Refusals />
        <ScopeContext.Provider value={session.scope}>
          <TimePanels />
        </ScopeContext.Provider>
        <Metrics />
      </div>
    </div>
  );
}

/** What is wrong with what was set, and with no slider in particular. */
function Refusals() {
  const sliders = new Set(session.sliders.value.map((each) => each.key));
  const all = [...session.problems.value, ...session.live.problems.value];
  const texts = new Set<string>();
  const shown = all.filter(({ message, key }) => {
    const isNew = !texts.has(message) && !(key !== null && sliders.has(key));
    texts.add(message);
    return isNew;
  });
  return shown.length ? <Problems problems={shown} /> : null;
}
