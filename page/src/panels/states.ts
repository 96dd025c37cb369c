// The states of senders: which colour each has, and what it means.

export interface StateKind {
  /** Custom property of the theme. */
  readonly color: string;
  readonly means: string;
}

const KINDS: readonly (readonly [pattern: RegExp, kind: StateKind])[] = [
  [/time-?out|rto/, { color: "state-timeout", means: "The timer expired; what was outstanding counts as lost, and cwnd begins anew." }],
  [/recovery|fast retransmit/, { color: "state-recovery", means: "A loss was noticed by ACKs; what is missing is sent again." }],
  [/conservative slow start/, { color: "state-probe", means: "HyStart++ saw the RTT rise and lets cwnd grow more slowly." }],
  [/slow start|startup/, { color: "state-start", means: "The rate doubles every round trip until the path is full." }],
  [/drain|probe_?bw.*(down|0\.75)/, { color: "state-drain", means: "BBR sends less than the path carries, until its own queue is empty." }],
  [/probe_?rtt/, { color: "state-idle", means: "BBR sends little for a moment, to see the RTT of an empty queue." }],
  [/probe_?bw.*(up|refill|1\.25)|refill|probe up/, { color: "state-probe", means: "BBR sends more for a moment, to see whether the path carries more." }],
  [/probe_?bw|cruise|avoidance/, { color: "state-avoidance", means: "The sender is near the rate of the path and changes it slowly." }],
];
const OTHER: StateKind = { color: "state-idle", means: "A phase of this flavor." };

export function stateKind(name: string): StateKind {
  return KINDS.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? OTHER;
}
