// One panel: title, what its strokes mean, the plot, and its table.

import { effect, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { LEAST_S } from "../canvas/range";
import type { PanelId } from "../lab/types";
import { look as lookOf } from "../series";
import { palette } from "../theme";
import { time } from "../units";
import { Chart } from "./chart";
import { contentOf, panelOf } from "./content";
import { guttersOf, hasNames } from "./layout";
import { look } from "./moves";
import { PanelTable } from "./PanelTable";
import { readings, Readout, type Remark } from "./Readout";
import { stateKind } from "./states";
import { labelOf, useScope, type Scope } from "./scope";
import { stateAt } from "./stateStrips";

const AXIS_PX = 26;

interface Props {
  readonly id: PanelId;
  readonly width: number;
  readonly height: number;
  readonly hasTimes: boolean;
}

export function TimePanel({ id, width, height, hasTimes }: Props) {
  const scope = useScope();
  const title = useComputed(() => titleOf(id, scope));
  const hasTable = useSignal(false);
  const named = useComputed(() => quantitiesOf(id, scope, true));
  const unnamed = useComputed(() => quantitiesOf(id, scope, false));
  const quantities = hasNames(guttersOf(width)) ? named : unnamed;
  return (
    <section class="panel" aria-label={labelOf(title.value, scope)}>
      <header class="panel-head">
        <h3>{title}<Unit id={id} /></h3>
        <Quantities names={quantities.value} />
        <button
          type="button"
          class="quiet"
          aria-expanded={hasTable.value}
          aria-label={`Table of ${title.value.toLowerCase()}`}
          onClick={() => (hasTable.value = !hasTable.value)}
        >
          Table
        </button>
      </header>
      <Plot id={id} width={width} height={height} hasTimes={hasTimes} />
      {hasTable.value && <PanelTable id={id} title={title.value} />}
    </section>
  );
}

function titleOf(id: PanelId, { live }: Scope): string {
  const head = live.frame.value?.head;
  const title = panelOf(live.frame.value, id)?.title ?? "";
  return id === "queue" && head?.link ? `Queue of ${head.link.name}` : title;
}

/** The unit of its axis, right above it. */
function Unit({ id }: { id: PanelId }) {
  const { units } = useScope();
  const unit = useComputed(() => units.value[id] ?? "");
  return <span class="axis-unit">{unit.value && `, ${unit.value}`}</span>;
}

/** What the strokes of this panel mean, where that does not stand at the ends of its lines. */
function quantitiesOf(id: PanelId, { live, pinned }: Scope, isNamed: boolean): string {
  const frame = live.frame.value;
  if (!frame || pinned.frame.value || (isNamed && frame.head.flows.length <= 1)) return "";
  const names = [...new Set(panelOf(frame, id)?.series.map((each) => each.name))];
  return names.length > 1 ? names.join("\n") : "";
}

function Quantities({ names }: { names: string }) {
  return (
    <ul class="legend">
      {names.split("\n").filter(Boolean).map((name) => {
        const { dash, width, color, alpha } = lookOf(() => "currentColor", name, null);
        return (
          <li key={name}>
            <svg width="26" height="8" aria-hidden="true">
              <path d="M0 4H26" stroke={color} stroke-width={width} stroke-dasharray={dash.join(" ")} opacity={alpha} />
            </svg>
            {name}
          </li>
        );
      })}
    </ul>
  );
}

function Plot({ id, width, height, hasTimes }: Props) {
  const scope = useScope();
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const tall = height + (hasTimes ? AXIS_PX : 0);
  useEffect(() => {
    const made = new Chart(host.current!, panelOf((scope.live.frame.peek() ?? scope.pinned.frame.peek()), id)?.unit ?? "", hasTimes, { width, height: tall, gutters: guttersOf(width) }, {
      onCursor: (at) => (scope.cursor.value = at),
      onZoom: (range) => look(scope, range),
      onAll: () => look(scope, null),
      pinched: {
        range: () => scope.range.peek(),
        whole: () => [0, scope.duration.peek()],
        least: LEAST_S,
        show: (range, goesOn) => look(scope, range, goesOn),
      },
    });
    chart.current = made;
    scope.charts.set(id, made);
    const readout = new Readout(made.over);
    const ends = [effect(() => draw(id, scope, made)), effect(() => follow(id, scope, made, readout))];
    return () => {
      for (const end of ends) end();
      scope.charts.delete(id);
      made.destroy();
    };
  }, [id, hasTimes, scope]);
  useEffect(() => chart.current?.resize(width, tall, guttersOf(width)), [width, tall]);
  return <div ref={host} class="plot" />;
}

function draw(id: PanelId, { live, pinned, range, units }: Scope, chart: Chart): void {
  const shown = { live: live.frame.value, pinned: pinned.frame.value, range: range.value, palette: palette.value };
  const content = contentOf(id, shown);
  if (!content) return;
  chart.show(content);
  const unit = chart.scale.unit;
  if (units.peek()[id] !== unit) units.value = { ...units.peek(), [id]: unit };
}

function follow(id: PanelId, scope: Scope, chart: Chart, readout: Readout): void {
  const at = scope.cursor.value;
  chart.point(at);
  const [from, to] = scope.range.peek();
  const content = chart.content;
  if (at === null || !content || at < from || at > to) return readout.hide();
  const remarks = id === "cwnd" ? states(scope, at) : [];
  readout.show(chart.at(at), time(at, to - from), readings(content.lines, at, chart.scale), remarks);
}

/** The states at a time, in the box of the congestion window: the strips are right above it. */
function states({ strips }: Scope, at: number): Remark[] {
  return strips
    .peek()
    .map((strip) => ({ name: strip.name, state: stateAt(strip, at) }))
    .filter(({ state }) => state !== "")
    .map(({ name, state }) => ({
      color: palette.peek()(stateKind(state).color),
      text: name === "state" ? state : `${name}: ${state}`,
    }));
}
