// Play and pause, steps, speed.

import type { Signal } from "@preact/signals";
import { useOwnId } from "../widgets/ids";
import { quantity } from "../units";
import { SPEEDS, type Player } from "./player";

export function Controls({ player, table }: { readonly player: Player; readonly table: Signal<boolean> }) {
  const isEmpty = player.journeys.value === null;
  return (
    <div class="tools">
      <button type="button" class="play" onClick={() => player.play(!player.playing.value)} disabled={isEmpty}>
        {player.playing.value ? "Pause" : "Play"}
      </button>
      <button type="button" aria-label="Previous event" onClick={() => player.step(-1)} disabled={isEmpty}>
        ◂
      </button>
      <button type="button" aria-label="Next event" onClick={() => player.step(1)} disabled={isEmpty}>
        ▸
      </button>
      <button type="button" onClick={() => player.toLoss(1)} disabled={player.lossAt(1) === undefined}>
        Next drop
      </button>
      <button type="button" onClick={() => player.toTimeOut(1)} disabled={isEmpty || player.timeOutAt(1) === undefined}>
        Next time-out
      </button>
      <Speed player={player} />
      <button type="button" aria-pressed={table.value} onClick={() => (table.value = !table.value)}>
        Table
      </button>
    </div>
  );
}

/** On a logarithmic scale: a step is a tenth of a decade. */
function Speed({ player }: { readonly player: Player }) {
  const id = useOwnId();
  const text = `${quantity(player.speed.value, "s", 2)} per s`;
  return (
    <span class="speed">
      <label for={id}>Speed</label>
      <input
        id={id}
        type="range"
        min={Math.log10(SPEEDS[0])}
        max={Math.log10(SPEEDS[1])}
        step={0.1}
        value={Math.log10(player.speed.value)}
        aria-valuetext={`${text}, simulated per real time`}
        onInput={(event) => player.choose(10 ** Number(event.currentTarget.value))}
      />
      <output for={id}>{text}</output>
    </span>
  );
}
