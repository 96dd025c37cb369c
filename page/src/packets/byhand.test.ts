// Packets written by hand, for the tests.

import { Journeys, type PacketRows } from "./journeys";
import type { PacketsHead } from "./types";

export interface Row {
  readonly link?: number;
  readonly packet?: number;
  readonly flow?: number;
  readonly offered: number;
  readonly left?: number;
  readonly arrived?: number;
  /** By default a packet that is lost and never left is dropped as it comes. */
  readonly dropped?: number;
  readonly bytes?: number;
  readonly again?: number;
  readonly marked?: number;
  readonly kind?: string;
  readonly lost?: string;
}

/** Links of 8 kbit/s: 1000 bytes take a second. */
export function journeysOf(
  list: readonly Row[],
  links = [{ name: "l", from: "a", to: "b", rate_bit_s: 8000, delay_s: 2 }],
  window: [number, number] = [0, 100],
): Journeys {
  const column = (of: (row: Row) => number | undefined, otherwise: number) => list.map((row) => of(row) ?? otherwise);
  const head: PacketsHead = { links, flows: [{ number: 0, name: "flow 1" }], window };
  const rows: PacketRows = {
    link: column((row) => row.link, 0),
    flow: column((row) => row.flow, 0),
    packet: list.map((row, at) => row.packet ?? at),
    offered: column((row) => row.offered, NaN),
    left: column((row) => row.left, NaN),
    arrived: column((row) => row.arrived, NaN),
    dropped: column(
      (row) => row.dropped ?? (row.lost !== undefined && row.left === undefined ? row.offered : undefined),
      NaN,
    ),
    low: column(() => 0, 0),
    high: column(() => 1000, 0),
    bytes: column((row) => row.bytes, 1000),
    sentAgain: column((row) => row.again, 0),
    marked: column((row) => row.marked, 0),
    kind: (row) => list[row]?.kind ?? "data",
    lost: (row) => list[row]?.lost ?? "",
  };
  return new Journeys(head, rows);
}
