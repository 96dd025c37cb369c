// The packets on the path, as an animation.

import "../canvas/canvas.css";
import "./packets.css";
import { useSignal, useSignalEffect, type Signal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useGestures, type Gestures } from "../canvas/gestures";
import { ReadOut, type Story } from "../canvas/ReadOut";
import { usePainting, useSize } from "../canvas/surface";
import { counted, digits, instant } from "../words";
import type { Frame } from "../frame";
import { palette } from "../theme";
import { useOwnId } from "../widgets/ids";
import { Controls } from "./Controls";
import { paint } from "./draw";
import { EventTable } from "./EventTable";
import { onKey } from "./keys";
import { roomFor } from "./layout";
import { Legend } from "./Legend";
import { Player } from "./player";
import { happenings, linkStory, story } from "./story";
import { TimeBar } from "./TimeBar";
import { fullestOf } from "./draw-time-bar";
import { time as timeText } from "../units";
import type { Range } from "../view";
import type { HostEvents, PacketsHead, PathFacts } from "./types";

export interface PlayerProps {
  /** Null: there are no rows yet. */
  readonly frame: Frame<PacketsHead> | null;
  readonly path: PathFacts | null;
  /** The time of the animation, which the panels show. */
  readonly now: Signal<number | null>;
  readonly cursor: Signal<number | null>;
  /** The times to play, s: those of the frame if it is not given. What the frame has before is seen under way. */
  readonly range?: Range;
  /** Time-outs and fast retransmits. */
  readonly events: readonly HostEvents[];
  /** Numbers of the flows that the panels draw, in their order: they have the same colours here. */
  readonly drawn?: readonly number[];
  /** What was run: title, point, seed. */
  readonly caption?: string;
  readonly stale?: boolean;
  readonly message?: string | null;
}

const NONE: readonly number[] = [];
const NO_MOTION = "(prefers-reduced-motion: reduce)";
/** Where movement is not wanted, the picture changes so often, s. */
const STEP_S = 1;

export function PacketPlayer(props: PlayerProps) {
  const { frame, path, events, now, range = null, drawn = NONE } = props;
  const player = useMemo(() => new Player(now), [now]);
  useLayoutEffect(() => {
    player.leave();
    player.frame.value = frame;
    player.path.value = path;
    player.events.value = events;
    player.drawn.value = drawn;
    player.range.value = range;
  }, [player, frame, path, events, drawn, range]);
  usePlaying(player);
  const table = useSignal(false);
  const journeys = player.journeys.value;
  return (
    <div class="packets" role="group" aria-label="Packets on the path" aria-busy={props.stale === true}>
      <div class="bar">
        <h3>
          <span class="what">Packets on the path</span>
        </h3>
        <Controls player={player} table={table} />
      </div>
      {props.caption ? <p class="caption">{props.caption}</p> : null}
      <Picture player={player} message={props.message ?? (journeys ? null : "No packets yet.")} />
      {journeys ? <TimeBar player={player} cursor={props.cursor} /> : null}
      <Legend player={player} />
      <Told player={player} />
      <Notes player={player} />
      {table.value && journeys ? (
        player.playing.value ? (
          <p class="note">The table is there when the animation stands still.</p>
        ) : (
          <EventTable journeys={journeys} time={player.time.value} />
        )
      ) : null}
    </div>
  );
}

/** Lets the time go by while it plays. */
function usePlaying(player: Player): void {
  useSignalEffect(() => {
    if (!player.playing.value) return undefined;
    const still = matchMedia(NO_MOTION).matches;
    let [last, handle] = [performance.now(), 0];
    const tick = (at: number) => {
      const passed = (at - last) / 1000;
      if (!still || passed >= STEP_S) {
        last = at;
        // A tab that was hidden does not jump.
        player.advance(Math.min(passed, still ? STEP_S : 0.1));
      }
      handle = requestAnimationFrame(tick);
    };
    handle = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(handle);
  });
}

function Picture({ player, message }: { readonly player: Player; readonly message: string | null }) {
  const keys = useOwnId();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useSize(box, player.size);
  usePainting(canvas, player.size, (pen, size, element) => {
    paint(pen, palette.value, player, size);
    // How much is drawn, of how much: tests read it.
    element.dataset.packets = String(player.picture.value?.moving ?? 0);
    element.dataset.bars = String(player.picture.value?.bars ?? 0);
    element.dataset.waiting = String(player.picture.value?.queue.reduce((sum, each) => sum + each.waiting, 0) ?? 0);
    element.dataset.falling = String(player.scene.value?.falling.length ?? 0);
  });
  useGestures(
    box,
    useMemo(() => gesturesOf(player), [player]),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (onKey(player, event.key, event.shiftKey)) event.preventDefault();
  };
  const room = roomFor(player.layout.value);
  return (
    <>
      <div class="scroller">
        <div
          ref={box}
          class="picture"
          style={{ minWidth: `${room.width}px`, height: `${room.height}px` }}
          tabIndex={0}
          role="application"
          aria-roledescription="animation"
          aria-label={summary(player)}
          aria-describedby={keys}
          onKeyDown={onKeyDown}
        >
          <canvas ref={canvas} aria-hidden="true" />
          {message ? <p class="message">{message}</p> : null}
        </div>
      </div>
      <p class="hidden" id={keys}>
        Space plays and pauses. Left and right step from event to event, with Shift those of the packet that is
        followed. D goes to the next drop, T to the next time-out, with Shift to the one before. Plus and minus change
        the speed.
      </p>
    </>
  );
}

const gesturesOf = (player: Player): Gestures => ({
  point: (x, y) => player.point(x, y),
  leave: () => player.leave(),
  click: () => player.pick(),
  drag: () => undefined,
  dropped: () => undefined,
});

/** What the frame has, in a sentence: it does not change while the animation plays. */
function summary(player: Player): string {
  const journeys = player.journeys.value;
  if (!journeys) return "No packets yet";
  const { links, flows } = journeys.head;
  const window = player.window.value;
  const length = window[1] - window[0];
  return `Packets of ${counted(flows.length, "flow")} on ${counted(links.length, "link")} from ${timeText(window[0], length)} to ${timeText(window[1], length)}`;
}

/** What is told: of a packet, or of the instant. */
function Told({ player }: { readonly player: Player }) {
  const [journeys, row, time] = [player.journeys.value, player.told.value, player.time.value];
  const playing = player.playing.value;
  const link = player.overLink.value;
  const its: Story | null = !journeys
    ? null
    : player.hovered.value < 0 && link >= 0
      ? ofLink(player, link)
      : row >= 0
        ? story(journeys, row, time)
        : ofInstant(player, time, playing);
  const said =
    !journeys || playing
      ? ""
      : `${player.clock.value}. ${happenings(journeys, time)
          .slice(0, 3)
          .map((each) => each.text)
          .join(" ")}`;
  return (
    <>
      <ReadOut story={its} hint="No packets yet." />
      <p class="hidden" role="status">
        {said}
      </p>
    </>
  );
}

function ofLink(player: Player, link: number): Story {
  const [head, scene] = [player.journeys.value!.head.links[link]!, player.scene.value!];
  const facts = player.path.value?.links.find((each) => each.name === head.name);
  return linkStory(head, facts, scene.waiting[link]!.length, scene.moving[link]!.length);
}

function ofInstant(player: Player, time: number, playing: boolean): Story {
  const [journeys, scene] = [player.journeys.value!, player.scene.value!];
  const moving = scene.moving.reduce((sum, rows) => sum + rows.length, 0);
  const waits = scene.waiting.flatMap((rows, link) =>
    rows.length > 0 ? [`${digits(rows.length)} at ${journeys.head.links[link]!.name}`] : [],
  );
  const facts = [
    { name: "Links", text: `${counted(moving, "packet")} under way` },
    { name: "Wait", text: waits.length > 0 ? waits.join(", ") : "no packet" },
  ];
  const all = playing ? [] : happenings(journeys, time);
  if (all.length > 0)
    facts.push({
      name: "Now",
      text:
        all
          .slice(0, 3)
          .map((each) => each.text)
          .join(" ") + (all.length > 3 ? ` And ${counted(all.length - 3, "other event")}.` : ""),
    });
  return { title: player.clock.value, facts };
}

/** What the picture does not show. */
function Notes({ player }: { readonly player: Player }) {
  const [its, journeys] = [player.picture.value, player.journeys.value];
  if (!its || !journeys) return null;
  const notes = [];
  if (its.bars < its.moving)
    notes.push(
      `${digits(its.moving)} packets in ${digits(its.bars)} bars: those closer than a pixel are drawn as one.`,
    );
  const coarse = its.queue.flatMap((queue, link) => (queue.scale > 1 && queue.waiting > 0 ? [link] : []));
  if (coarse.length === 1)
    notes.push(
      `A bar in the queue of ${journeys.head.links[coarse[0]!]!.name} is ${digits(its.queue[coarse[0]!]!.scale)} packets.`,
    );
  else if (coarse.length > 1)
    notes.push(
      `A bar in a queue is up to ${digits(Math.max(...coarse.map((link) => its.queue[link]!.scale)))} packets.`,
    );
  if (player.time.value < journeys.completeFrom)
    notes.push(`Packets that came to a link before ${instant(journeys.head.window[0])} are not shown.`);
  const fullest = fullestOf(player);
  if (fullest >= 0)
    notes.push(
      `The area of the time bar is the queue of ${journeys.head.links[fullest]!.name}, up to ${counted(journeys.mostWaiting[fullest]!, "packet")}.`,
    );
  return <p class="note">{notes.join(" ")}</p>;
}
