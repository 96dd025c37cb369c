// The data of a page: frames in base64 beside each figure.

import { FrameReader, type Frame } from "../frame";
import type { ChartFrame, ChartHead } from "../figures/types";
import type { RunFrame } from "../lab/types";
import type { SegmentsHead } from "../sequence/types";
import type { RunState } from "../state";

/** What was run. */
export interface AboutHead {
  readonly kind: "about";
  /** Tells it from others on the page. */
  readonly name: string;
  readonly caption: string;
  /** Where a lab on this computer is, "http://127.0.0.1:8737/". */
  readonly lab: string;
  /** What runs it again there; null: nothing does. */
  readonly state: RunState | null;
  /** What to say if the lab may give another run. */
  readonly note: string | null;
}

export interface DiagramHead extends SegmentsHead {
  readonly kind: "segments";
  /** What is not in it. */
  readonly note: string | null;
}

/** What a figure draws. */
export interface Drawn {
  readonly chart: ChartFrame | null;
  readonly run: RunFrame | null;
  readonly segments: Frame<DiagramHead> | null;
  readonly about: AboutHead | null;
}

/** The bytes of a text in base64. */
export function bytesOf(text: string): Uint8Array {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

/** What the frames of a figure draw. Throws where there is nothing to draw. */
export function drawnOf(bytes: Uint8Array): Drawn {
  const frames = new FrameReader().push(bytes);
  const of = (kind: string) => frames.find((each) => each.head["kind"] === kind) ?? null;
  const drawn = {
    chart: of("chart") as Frame<ChartHead> | null,
    run: of("run") as RunFrame | null,
    segments: of("segments") as Frame<DiagramHead> | null,
    about: (of("about")?.head as AboutHead | undefined) ?? null,
  };
  if (!drawn.chart && !drawn.run) throw new Error("a figure has no data that this page can draw");
  return drawn;
}
