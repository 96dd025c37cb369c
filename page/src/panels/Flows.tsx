// Which flow has which colour, and which run which stroke.

import { useComputed } from "@preact/signals";
import { useScope } from "./scope";

export function Flows() {
  const { live, pinned } = useScope();
  const drawn = useComputed(() => JSON.stringify(live.frame.value?.head.flows.map((each) => [each.name, each.flavor]) ?? []));
  const names = JSON.parse(drawn.value) as [string, string][];
  return (
    <>
      {names.length > 1 && (
        <ul class="legend" aria-label="Flows">
          {names.map(([name, flavor], k) => (
            <li key={name} title={flavor}>
              <span class={`line-swatch series-${(k % 8) + 1}`} aria-hidden="true" />
              {name}
            </li>
          ))}
        </ul>
      )}
      {pinned.frame.value && (
        <ul class="legend" aria-label="Runs">
          <li><span class="line-swatch" aria-hidden="true" />B, live</li>
          <li><span class="line-swatch broken" aria-hidden="true" />A, pinned</li>
        </ul>
      )}
    </>
  );
}
