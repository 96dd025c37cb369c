// What is in sight and under the pointer: shared by the panels, the diagram and the animation.

import { signal } from "@preact/signals";

/** From when to when, s. */
export type Range = readonly [from: number, to: number];

/** The time in sight; null: all of the run. */
export const window = signal<Range | null>(null);
/** The time under the pointer, s; null: the pointer is elsewhere. */
export const cursor = signal<number | null>(null);
/** The time of the animation, s; null: it has not begun. */
export const now = signal<number | null>(null);
/** Name of the flow that the diagram shows; null: the first. */
export const selectedFlow = signal<string | null>(null);
/** Name of the link that the queue panel shows; null: the bottleneck. */
export const selectedLink = signal<string | null>(null);
