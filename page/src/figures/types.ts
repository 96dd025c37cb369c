// Figures of means and of shares. Those of reports and notebooks are as `ackclock.lab.charts` writes them.

import type { SeriesLook } from "./looks";

export interface AxisHead {
  readonly label: string;
  readonly unit: string;
  /** Of "words", 0, 1, 2 ... are the levels. */
  readonly scale: "linear" | "log" | "symlog" | "words";
  readonly low: number;
  readonly high: number;
  /** Where it has numbers; empty: anywhere will do. */
  readonly ticks: readonly number[];
  /** Of "symlog", where its logarithmic part begins. */
  readonly linear_below: number;
}

/** Number of its series, and the names of its arrays. */
export interface LineHead {
  readonly series: number;
  readonly x: string;
  readonly y: string;
  readonly levels?: string;
  readonly lo?: string;
  readonly hi?: string;
  readonly n?: string;
}

export interface ChartHead {
  readonly kind: "chart";
  readonly of: "means" | "shares";
  readonly title: string;
  readonly source: string;
  readonly x: AxisHead;
  readonly y: AxisHead;
  /** What the series are levels of. */
  readonly heading: string;
  readonly series: readonly string[];
  /** How they look, where that is not by their numbers. */
  readonly looks?: readonly SeriesLook[];
  /** Of means, the levels along the axis. */
  readonly levels: readonly string[];
  /** What stands above all panels; may be empty. */
  readonly above: string;
  /** Of shares, whether they are those up to a value. */
  readonly rises: boolean;
  /** A value to compare with, like what a search is for. */
  readonly target?: { readonly name: string; readonly y: number };
  readonly panels: readonly { readonly title: string; readonly lines: readonly LineHead[] }[];
}

/** A frame of the server, or what the page has made of rows. */
export interface ChartFrame {
  readonly head: ChartHead;
  array(name: string): ArrayLike<number>;
}
