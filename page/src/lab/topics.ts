// What the scenarios that come with ackclock are about.

import type { ScenarioCard } from "./types";

export const TOPICS: readonly (readonly [title: string, ids: readonly string[]])[] = [
  ["Your own", []],
  ["How TCP works", ["slow_start", "start_up", "receive_window", "drops_in_a_window", "tail_losses", "loss_events"]],
  ["Queues and buffers", ["bufferbloat", "buffer_sizing", "red", "fq_codel", "l4s", "dctcp_incast", "data_centre_flows", "policer", "self_similar"]],
  ["Flavors side by side", ["bbr_and_cubic", "classic_and_modern", "rtt_unfairness", "parking_lot", "newreno_background"]],
  ["Radio and space", ["lossy_path", "lte", "handover", "starlink", "satellite"]],
  ["Applications", ["web_browsing", "speed_test", "video_over_lte", "rpc"]],
  ["ATM", ["atm_ubr", "guaranteed_rate", "guaranteed_frame_rate", "erica_parking_lot", "web_over_abr"]],
  ["More", []],
];

/** Scenarios by topic, in the order above; topics without one are left away. */
export function byTopic(cards: readonly ScenarioCard[]): { title: string; cards: ScenarioCard[] }[] {
  const topicOf = ({ id, folder }: ScenarioCard) =>
    folder === "yours" ? "Your own" : (TOPICS.find(([, ids]) => ids.includes(id))?.[0] ?? "More");
  return TOPICS.map(([title, ids]) => ({
    title,
    cards: cards.filter((each) => topicOf(each) === title).sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)),
  })).filter((each) => each.cards.length > 0);
}
