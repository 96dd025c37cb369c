// What is told of a packet, and of an instant.

import type { Story } from "../canvas/ReadOut";
import { counted, decimalsOfInstants, digits, instant } from "../words";
import { quantity } from "../units";
import type { Journeys } from "./journeys";
import type { LinkHead, PathFacts } from "./types";

type LinkFacts = PathFacts["links"][number];

/** An instant at which something happens to a packet. */
export interface Happening {
  readonly row: number;
  readonly text: string;
}

/** "data 43,440 to 44,888 of flow 1", "ACK 43,440 of flow 1". */
export function nameOf(journeys: Journeys, row: number): string {
  const { rows, head } = journeys;
  const kind = rows.kind(row);
  const flow = head.flows.find((each) => each.number === rows.flow[row])?.name ?? `flow ${rows.flow[row]! + 1}`;
  const low = digits(rows.low[row]!);
  const what =
    kind === "data"
      ? `data ${low} to ${digits(rows.high[row]!)}${rows.sentAgain[row] ? ", sent again," : ""}`
      : kind === "ack"
        ? `ACK ${low}`
        : kind.length > 3
          ? kind
          : kind.toUpperCase();
  return `${what} of ${flow}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What is known of a packet at a link at a time. */
export function story(journeys: Journeys, row: number, time: number): Story {
  const { rows, head, start, gone } = journeys;
  const link = head.links[rows.link[row]!]!;
  const waits = start[row]! - rows.offered[row]!;
  // All of a packet in one form.
  const its = [rows.offered[row]!, start[row]!, rows.left[row]!, gone[row]!].filter(Number.isFinite).sort((a, b) => a - b);
  const decimals = decimalsOfInstants(its);
  const at = (when: number) => instant(when, decimals);
  const facts = [
    {
      name: "Packet",
      text: `${counted(rows.bytes[row]!, "byte")}${rows.sentAgain[row] ? ", sent again" : ""}${rows.marked[row] ? ", marked CE" : ""}`,
    },
    { name: "Now", text: nowText(journeys, row, time) },
  ];
  if (journeys.isLost(row) && Number.isNaN(rows.left[row]!)) {
    facts.push({ name: "Lost", text: `at ${at(gone[row]!)}, as it came to ${link.name}: ${rows.lost(row)}` });
    return { title: capital(nameOf(journeys, row)), facts };
  }
  const sent = Number.isNaN(rows.left[row]!)
    ? "not sent by the end of the run"
    : `sent at ${at(start[row]!)}${waits > 0 ? ` after ${quantity(waits, "s")} in the queue` : " at once"}`;
  facts.push({ name: "Link", text: `${link.name}: came at ${at(rows.offered[row]!)}, ${sent}` });
  if (journeys.isLost(row)) facts.push({ name: "Lost", text: `${rows.lost(row)}, about ${at(gone[row]!)}` });
  else if (!Number.isNaN(rows.arrived[row]!))
    facts.push({ name: "Then", text: `arrives at ${link.to} at ${at(rows.arrived[row]!)}` });
  return { title: capital(nameOf(journeys, row)), facts };
}

/** What is known of a link. */
export function linkStory(link: LinkHead, facts: LinkFacts | undefined, waiting: number, moving: number): Story {
  const known = facts
    ? [
        { name: "Rate", text: facts.rate },
        { name: "Delay", text: facts.delay },
        { name: "Queue", text: facts.queue },
      ]
    : [];
  return {
    title: `Link ${link.name}`,
    facts: [...known, { name: "Now", text: `${digits(waiting)} wait, ${digits(moving)} under way` }],
  };
}

function nowText(journeys: Journeys, row: number, time: number): string {
  const { from, to, name } = journeys.head.links[journeys.rows.link[row]!]!;
  switch (journeys.placeAt(row, time)) {
    case "before":
      return `not yet at ${name}`;
    case "waiting":
      return `waits at ${from}`;
    case "sending":
      return `${from} is sending it`;
    case "on the wire":
      return `under way to ${to}`;
    case "lost":
      return "lost";
    case "past":
      return `has arrived at ${to}`;
  }
}

/** What happens to packets at an instant, the uncommon first. */
export function happenings(journeys: Journeys, time: number): Happening[] {
  const { rows, head, gone } = journeys;
  const found: Happening[] = [];
  for (let row = 0; row < journeys.count; row += 1) {
    const link = head.links[rows.link[row]!]!;
    const lost = journeys.isLost(row);
    const add = (text: string) => found.push({ row, text: `${capital(nameOf(journeys, row))} ${text}` });
    if (gone[row] === time && lost) add(`is lost at ${link.name}: ${rows.lost(row)}.`);
    else if (rows.offered[row] === time) add(`comes to ${link.name}.`);
    if (rows.left[row] === time && gone[row] !== time) add(`has left ${link.from}.`);
    if (gone[row] === time && !lost) add(`arrives at ${link.to}.`);
  }
  const rank = ({ row }: Happening) => (journeys.isLost(row) ? 0 : rows.sentAgain[row] ? 1 : 2);
  return found.sort((a, b) => rank(a) - rank(b));
}
