// What the time-sequence diagram is given.

/** Head of a frame of segments; its arrays are the columns of the table `segments`. */
export interface SegmentsHead {
  readonly flow: string;
  readonly connection: number;
  /** Connections that the flow has had. */
  readonly connections: number;
  /** Those that have rows in these times. */
  readonly in_window?: readonly number[];
  /** The times that the rows were asked for, s. */
  readonly window: readonly [number, number];
  readonly smss_bytes: number;
  readonly duration_s: number;
}
