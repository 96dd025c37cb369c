// What the keys do in the animation.

import type { Player } from "./player";

/** Does what a key stands for; false if it stands for nothing. */
export function onKey(player: Player, key: string, shift: boolean): boolean {
  const [from, to] = player.window.peek();
  const by = shift ? -1 : 1;
  const actions: Record<string, () => void> = {
    " ": () => player.play(!player.playing.peek()),
    ArrowRight: () => player.step(1, shift),
    ArrowLeft: () => player.step(-1, shift),
    PageDown: () => player.go(player.time.peek() + (to - from) / 20),
    PageUp: () => player.go(player.time.peek() - (to - from) / 20),
    Home: () => player.go(from),
    End: () => player.go(to),
    d: () => player.toLoss(by),
    t: () => player.toTimeOut(by),
    "+": () => player.choose(player.speed.peek() * 2),
    "=": () => player.choose(player.speed.peek() * 2),
    "-": () => player.choose(player.speed.peek() / 2),
    Escape: () => void (player.picked.value = null),
  };
  const name = key.length === 1 ? key.toLowerCase() : key;
  actions[name]?.();
  return name in actions;
}
