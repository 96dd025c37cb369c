// What the server says of scenarios and runs. The names are the server's.

import type { Problem } from "../client";
import type { Frame } from "../frame";

export interface About {
  readonly version: string;
  readonly processors: number;
  readonly flavors: readonly { readonly name: string; readonly summary: string }[];
  readonly queues: readonly { readonly name: string; readonly title: string }[];
  readonly folder: string;
  readonly limits: Readonly<Record<string, number>>;
}

export interface ScenarioCard {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly folder: string;
  readonly see: string;
  readonly commands: readonly string[];
  readonly flows: number | null;
  readonly duration_s: number | null;
}

export interface Choice {
  readonly value: string | number | boolean;
  readonly label: string;
}

export interface Slider {
  readonly key: string;
  readonly label: string;
  readonly kind: "quantity" | "number" | "choice" | "switch";
  readonly unit?: string | null;
  readonly scale?: "log" | "linear" | null;
  readonly low?: number | null;
  readonly high?: number | null;
  readonly step?: number | null;
  readonly value: number | string | boolean | null;
  readonly choices?: readonly Choice[] | null;
  /** Keys that lose their meaning when this one changes. */
  readonly resets?: readonly string[];
  readonly help: string;
}

export interface Scenario extends ScenarioCard {
  readonly text: string;
  readonly sliders: readonly Slider[];
}

export interface PathNode {
  readonly name: string;
  readonly kind: "host" | "router" | "switch";
}

export interface PathLink {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly rate: string;
  readonly delay: string;
  readonly queue: string;
  readonly notes: readonly string[];
  readonly bottleneck: boolean;
  readonly rate_bit_s: number | null;
  readonly delay_s: number | null;
  readonly limit_packets: number | null;
}

export interface PathFlow {
  readonly name: string;
  readonly group: string | null;
  readonly from: string;
  readonly to: string;
  readonly by: readonly string[];
  readonly flavor: string;
  readonly workload: string;
  readonly count: number;
}

export interface Path {
  readonly nodes: readonly PathNode[];
  readonly links: readonly PathLink[];
  readonly flows: readonly PathFlow[];
  /** Links of a large network that are not told. */
  readonly hidden_links: number;
}

export interface Facts {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Check {
  readonly ok: boolean;
  readonly problems: readonly Problem[];
  readonly title: string;
  readonly description: string;
  readonly one_line: string;
  readonly duration_s: number;
  readonly warm_up_s: number;
  readonly factors: readonly { readonly name: string; readonly levels: readonly string[] }[];
  readonly points: readonly { readonly number: number; readonly levels: readonly number[] }[];
  readonly point: number;
  readonly values: Readonly<Record<string, { readonly value: number | string | boolean | null; readonly text: string }>>;
  readonly keys: readonly { readonly key: string; readonly text: string }[];
  readonly sliders: readonly Slider[];
  readonly path: Path;
  readonly tables: readonly Facts[];
  readonly cost: {
    readonly segments: number;
    readonly estimate_s: number;
    readonly verdict: "live" | "preview" | "job" | "refused";
    readonly sentence: string;
  };
}

export type PanelId = "cwnd" | "rtt" | "queue" | "goodput";

export interface SeriesHead {
  readonly id: string;
  readonly name: string;
  readonly flow: number | null;
  readonly connection: number;
  readonly step: boolean;
  /** Of steps, when the last value holds no more: at the end of what was recorded, or with the flow's last event. */
  readonly until?: number | null;
  readonly x: string;
  readonly y: string;
}

export interface PanelHead {
  readonly id: PanelId;
  readonly title: string;
  readonly unit: string;
  readonly series: readonly SeriesHead[];
  readonly limits: readonly { readonly name: string; readonly y: number }[];
}

export interface FlowHead {
  readonly number: number;
  readonly name: string;
  readonly group: string | null;
  readonly flavor: string;
}

export interface StripHead {
  readonly flow: number;
  readonly connection: number;
  /** When the last state holds no more; by default at the end of the run. */
  readonly until?: number;
  readonly x: string;
  readonly state: string;
}

export type MarkKind = "timeout" | "fast retransmit" | "drop" | "mark";

export interface Metric {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly value: number | null;
  readonly text: string;
  /** The scenario asks for it in its table. */
  readonly shown: boolean;
}

export interface Distribution {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly series: readonly {
    readonly name: string;
    readonly flow: number | null;
    readonly x: string;
    readonly y: string;
  }[];
}

export interface RunHead {
  readonly kind: "run";
  readonly done: number;
  readonly simulated_s: number;
  readonly duration_s: number;
  readonly warm_up_s: number;
  readonly window: readonly [number, number];
  /** Whether somebody has chosen the window. */
  readonly is_chosen: boolean;
  readonly smss_bytes: number;
  readonly notes: readonly string[];
  readonly flows: readonly FlowHead[];
  readonly link: { readonly name: string; readonly rate_bit_s: number | null; readonly limit_packets: number | null } | null;
  readonly panels: readonly PanelHead[];
  readonly strips: readonly StripHead[];
  readonly marks: readonly { readonly kind: MarkKind; readonly flow: number | null; readonly x: string }[];
  readonly metrics?: readonly Metric[];
  readonly flow_metrics?: readonly { readonly flow: number; readonly values: readonly Metric[] }[];
  readonly distributions?: readonly Distribution[];
}

export type RunFrame = Frame<RunHead>;
