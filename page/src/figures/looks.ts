// How each series of a figure looks: colour, stroke and marker, as in the printed figure.

import type { ChartHead } from "./types";

export interface SeriesLook {
  readonly color: string;
  readonly dash: string | undefined;
  /** Of a marker of 8 pixels around 0,0. */
  readonly marker: string;
}

const DASHES = [undefined, "8 2.5", "8 2.5 1.5 2.5", "2.5 2", "12 3", "5 2", "12 3 3 3", "5 2 1.5 2 1.5 2"];
const MARKERS = [
  "M4 0A4 4 0 1 1-4 0A4 4 0 1 1 4 0Z",
  "M-3.5-3.5H3.5V3.5H-3.5Z",
  "M0-4.5 4.5 3.5H-4.5Z",
  "M0-5 5 0 0 5-5 0Z",
  "M0 4.5 4.5-3.5H-4.5Z",
  "M-1.5-4.5H1.5V-1.5H4.5V1.5H1.5V4.5H-1.5V1.5H-4.5V-1.5H-1.5Z",
  "M-4.5-2.5-2.5-4.5 0-2 2.5-4.5 4.5-2.5 2 0 4.5 2.5 2.5 4.5 0 2-2.5 4.5-4.5 2.5-2 0Z",
  "M0-4.5 4.5-1 2.8 4H-2.8L-4.5-1Z",
];

/** The look of a series of a figure. */
export function lookIn({ looks }: ChartHead, number: number): SeriesLook {
  return looks?.[number] ?? seriesLook(number);
}

/** The look of series `number`, from 0; after eight the strokes and markers change places. */
export function seriesLook(number: number): SeriesLook {
  const turn = Math.floor(number / 8);
  return {
    color: `var(--series-${(number % 8) + 1})`,
    dash: DASHES[(number + turn) % 8],
    marker: MARKERS[(number + 3 * turn) % 8] ?? "",
  };
}
