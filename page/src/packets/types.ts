// What the packet animation is given.

/** Head of a frame of packets; its arrays are the columns of the table `packets`. */
export interface PacketsHead {
  readonly links: readonly LinkHead[];
  readonly flows: readonly FlowHead[];
  /** The times that the rows were asked for, s. */
  readonly window: readonly [number, number];
}

export interface LinkHead {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly rate_bit_s: number | null;
  readonly delay_s: number | null;
}

export interface FlowHead {
  readonly number: number;
  readonly name: string;
}

/** What the animation needs to know of the path beside the frame: the server's answer has more. */
export interface PathFacts {
  readonly nodes: readonly { readonly name: string; readonly kind: string }[];
  readonly links: readonly {
    readonly name: string;
    readonly rate: string;
    readonly delay: string;
    readonly queue: string;
    readonly limit_packets: number | null;
  }[];
  /** The first flow of each group, with the names of the links that its data cross. */
  readonly flows: readonly { readonly by: readonly string[] }[];
}

/** What happened at a host, at some times: a time-out, a fast retransmit. Drops and marks are in the frame. */
export interface HostEvents {
  readonly kind: string;
  /** Number of the flow. */
  readonly flow: number | null;
  /** Ascending, s. */
  readonly times: ArrayLike<number>;
}
