// Keys, signs, and what this page can and cannot do.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { getJson } from "../client";
import type { About } from "../lab/types";
import { stateKind } from "../panels/states";
import { number } from "../units";

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["Tab, Shift Tab", "To the next or the last button, slider or panel"],
  ["← → on a slider", "One step; with Shift or Page Up and Page Down ten; Home and End to its ends"],
  ["← → on the panels", "Move the cursor; with Shift the part that is in sight"],
  ["+ −", "Zoom in and out around the cursor"],
  ["Backspace, 0", "To what was in sight before; to the whole run"],
  ["Two fingers", "On a panel or the time-sequence diagram: apart and together to zoom, sideways to move"],
  ["Escape", "Close a menu; take the cursor away"],
];

const STATES: readonly string[] = [
  "slow start",
  "congestion avoidance",
  "recovery",
  "time-out recovery",
  "startup",
  "drain",
  "probe_bw",
  "probe_bw up",
  "probe_rtt",
  "conservative slow start",
];

export function HelpPage() {
  const about = useSignal<About | null>(null);
  useEffect(() => void getJson<About>("/api/about").then((found) => (about.value = found), () => undefined), []);
  return (
    <main class="text-page">
      <h1>Help</h1>
      <section>
        <h2>How it works</h2>
        <p>
          You choose a scenario and change keys of it. The server on this computer simulates it, and the page draws what happens.
          A run is exact: the same scenario, point and run number give the same numbers, on every computer.
        </p>
        <p>
          All that you see is in the address. Copy the link, and it shows the same; the Back button of the browser undoes a change.
        </p>
        <p>
          <strong>Pin as A</strong> keeps the run and compares what you change with it. A is drawn thin and broken, B full, in common scales.
        </p>
        <p>
          A click on a link of the path shows its queue, a second click that of the other direction. <strong>drops</strong> marks each
          packet that the link drops, and each that it marks (CE).
        </p>
        <p>
          Drag over a panel, with the mouse or a finger, to zoom: the part in sight is drawn from a run of its own, in full detail.
          A double click shows all. On a touch screen one finger that goes up or down scrolls the page; two fingers on a panel or on the
          time-sequence diagram zoom and move it.
        </p>
      </section>
      <section>
        <h2>Keys</h2>
        <table class="numbers words">
          <caption class="unseen">Keys</caption>
          <thead class="unseen"><tr><th scope="col">key</th><th scope="col">does</th></tr></thead>
          <tbody>
            {KEYS.map(([keys, does]) => <tr key={keys}><th scope="row">{keys}</th><td>{does}</td></tr>)}
          </tbody>
        </table>
      </section>
      <section>
        <h2>States</h2>
        <p>The strip above the congestion window shows in which state each sender is.</p>
        <ul class="states">
          {STATES.map((name) => (
            <li key={name}>
              <span class={`state-swatch ${stateKind(name).color}`} aria-hidden="true" />
              <strong>{name}</strong> {stateKind(name).means}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>Words</h2>
        <dl>
          <dt>cwnd</dt>
          <dd>The congestion window: how much a sender may have outstanding for the sake of the path.</dd>
          <dt>ssthresh</dt>
          <dd>Below it cwnd grows by slow start, above it by congestion avoidance.</dd>
          <dt>flight size</dt>
          <dd>What was sent and is not acknowledged yet.</dd>
          <dt>point</dt>
          <dd>A scenario may sweep factors; a point is one level of each.</dd>
          <dt>warm-up</dt>
          <dd>The beginning of a run that counts for no metric.</dd>
        </dl>
      </section>
      <section>
        <h2>Limits</h2>
        <p>Lines show the first, least, greatest and last value of each column of pixels: no peak is lost. Tables show values at some times; the CSV export has all.</p>
        {about.value && <Limits about={about.value} />}
      </section>
    </main>
  );
}

function Limits({ about }: { about: About }) {
  const { limits } = about;
  return (
    <ul>
      <li>A run of up to {number(limits.live_segments ?? 0)} segments follows a slider; a larger one grows while it runs.</li>
      <li>A run of more than {number(limits.segments ?? 0)} segments is refused here; run it from the command line.</li>
      <li>A run stops after {number(limits.wall_s ?? 0)} s.</li>
      <li>This is ackclock {about.version}. Your scenarios are read from the folder {about.folder}.</li>
    </ul>
  );
}
