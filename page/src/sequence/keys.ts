// What the keys do in the diagram.

import type { Diagram } from "./diagram";
import { isTrouble } from "./pick";

/** Does what a key stands for; false if it stands for nothing. */
export function onKey(diagram: Diagram, key: string, shift: boolean): boolean {
  const [from, to] = diagram.shown.peek();
  const picked = diagram.picked.peek();
  const around = picked >= 0 ? diagram.rows.peek()!.time[picked]! : (diagram.cursor.peek() ?? (from + to) / 2);
  const actions: Record<string, () => void> = {
    ArrowRight: () => (shift ? diagram.move(0.25) : diagram.step(1)),
    ArrowLeft: () => (shift ? diagram.move(-0.25) : diagram.step(-1)),
    ArrowDown: () => diagram.step(1, isTrouble),
    ArrowUp: () => diagram.step(-1, isTrouble),
    PageDown: () => diagram.move(0.8),
    PageUp: () => diagram.move(-0.8),
    Home: () => diagram.end(false),
    End: () => diagram.end(true),
    "+": () => diagram.zoom(0.5, around),
    "=": () => diagram.zoom(0.5, around),
    "-": () => diagram.zoom(2, around),
    "0": () => diagram.all(),
    f: () => diagram.fit(),
    Backspace: () => diagram.onBack?.(),
    Escape: () => diagram.unpick(),
  };
  actions[key]?.();
  return key in actions;
}
