// Where things are in the panels: all have the same place for their axis, so that one time is one vertical line.

export interface Gutters {
  readonly left: number;
  readonly right: number;
}

const WIDE = 640;

/** Pixels beside the plot: numbers of the axis on the left, names of lines on the right where there is room. */
export function guttersOf(width: number): Gutters {
  return width >= WIDE ? { left: 78, right: 98 } : { left: 50, right: 16 };
}

/** Whether there is room for names beside the lines' ends. */
export function hasNames({ right }: Gutters): boolean {
  return right >= 40;
}

/** The pixel of a time, and back, for a plot between the gutters. */
export function xOf(time: number, [from, to]: readonly [number, number], width: number, gutters: Gutters): number {
  return gutters.left + ((time - from) / (to - from)) * (width - gutters.left - gutters.right);
}

export function timeAt(x: number, [from, to]: readonly [number, number], width: number, gutters: Gutters): number {
  const share = (x - gutters.left) / (width - gutters.left - gutters.right);
  return from + Math.min(1, Math.max(0, share)) * (to - from);
}
