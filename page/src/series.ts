// How each series looks: the colour says which flow, the stroke says which quantity, a thin broken line is run A.

import type { Palette } from "./theme";

/** A line on a canvas. */
export interface Look {
  readonly color: string;
  readonly width: number;
  readonly dash: readonly number[];
  readonly alpha: number;
}

/** The pinned run or the live one. */
export type Side = "A" | "B";

const COLORS = 8;
/** Quantities that explain the first one of their panel: broken, or paler. */
const HELPERS: Readonly<Record<string, Pick<Look, "dash" | "alpha">>> = {
  ssthresh: { dash: [7, 3], alpha: 1 },
  "flight size": { dash: [], alpha: 0.5 },
  RTT: { dash: [], alpha: 0.5 },
};
const PINNED = [5, 3];

/** The colour of the flow that is drawn as number `index`, from 0. */
export function flowColor(palette: Palette, index: number): string {
  return palette(`series-${(index % COLORS) + 1}`);
}

/** What belongs to a link and to no flow: a colour that the first flows do not have. */
export const LINK_COLOR = 4;

/** How a quantity of a flow looks; null: it belongs to a link. */
export function look(palette: Palette, quantity: string, index: number | null, side: Side = "B"): Look {
  const color = flowColor(palette, index ?? LINK_COLOR);
  if (side === "A") return { color, width: 1.2, dash: PINNED, alpha: 1 };
  const helper = HELPERS[quantity];
  return helper ? { color, width: 1, ...helper } : { color, width: 1.7, dash: [], alpha: 1 };
}

/** Whether a quantity is the first one of its panel; the others are left away where two runs are compared. */
export function isMain(quantity: string): boolean {
  return !(quantity in HELPERS);
}
