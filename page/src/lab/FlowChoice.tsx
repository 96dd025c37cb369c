// Which flows are drawn, and whether drops are.

import { useComputed } from "@preact/signals";
import { change } from "../navigation";
import { Menu } from "../widgets/Menu";
import { namesOf } from "./names";
import { check, isOpen, lab, live, toggle } from "./session";

const MOST_DRAWN = 8;

export function FlowChoice() {
  // What was chosen shows at once; without a choice the server draws the first few.
  const drawn = useComputed(() => {
    const chosen = lab.value?.flows ?? [];
    return JSON.stringify(chosen.length ? chosen : (live.frame.value?.head.flows.map((each) => each.name) ?? []));
  });
  const names = JSON.parse(drawn.value) as string[];
  const known = [...new Set([...namesOf(check.value?.path.flows ?? []), ...names])];
  if (known.length <= 1) return null;
  return <Choice names={known} drawn={names} />;
}

/** Each drop and each CE mark at the link: they take time, so that they are asked for. */
export function DropChoice() {
  const isOn = useComputed(() => isOpen("drops"));
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={() => toggle("drops")} />
      drops
    </label>
  );
}

function Choice({ names, drawn }: { names: readonly string[]; drawn: readonly string[] }) {
  const draw = (next: readonly string[]) => change((now) => ({ ...now, flows: next }));
  return (
    <Menu label={`Flows (${drawn.length} of ${names.length})`}>
      <fieldset class="choices">
        <legend>Draw at most {MOST_DRAWN}</legend>
        {names.map((name) => {
          const isOn = drawn.includes(name);
          return (
            <label key={name}>
              <input
                type="checkbox"
                checked={isOn}
                disabled={isOn ? drawn.length === 1 : drawn.length >= MOST_DRAWN}
                onChange={() => draw(isOn ? drawn.filter((each) => each !== name) : [...drawn, name])}
              />
              {name}
            </label>
          );
        })}
        {lab.value?.flows.length ? <button type="button" onClick={() => draw([])}>The first few</button> : null}
      </fieldset>
    </Menu>
  );
}
