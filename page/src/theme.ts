// Light or dark: as the system prefers, or as the switch says. Canvases read the colours from `palette`.

import { computed, effect, signal } from "@preact/signals";
import { kept, keep } from "./kept";

export type Choice = "system" | "light" | "dark";

/** Colours by the name of their custom property, without the dashes. */
export type Palette = (name: string) => string;

const KEY = "ackclock-theme";
const CHOICES: readonly Choice[] = ["system", "light", "dark"];

/** What the switch says. */
export const choice = signal<Choice>("system");
const systemIsDark = signal(false);
export const theme = computed<"light" | "dark">(() =>
  choice.value === "system" ? (systemIsDark.value ? "dark" : "light") : choice.value,
);

/** The colours now. Reading it in an effect or a component subscribes to a change of the theme. */
export const palette = signal<Palette>(() => "#000000");

/** The choice after this one, for a switch. */
export function next(now: Choice): Choice {
  return CHOICES[(CHOICES.indexOf(now) + 1) % CHOICES.length] ?? "system";
}

export function choose(wanted: Choice): void {
  choice.value = wanted;
  keep(KEY, wanted);
}

/** Called once, before the first picture. */
export function startTheme(): void {
  const stored = kept(KEY);
  choice.value = CHOICES.find((each) => each === stored) ?? "system";
  const query = matchMedia("(prefers-color-scheme: dark)");
  systemIsDark.value = query.matches;
  query.addEventListener("change", () => (systemIsDark.value = query.matches));
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    const style = getComputedStyle(document.documentElement);
    const colors = new Map<string, string>();
    palette.value = (name) => {
      const color = colors.get(name) ?? style.getPropertyValue(`--${name}`).trim();
      colors.set(name, color);
      return color;
    };
  });
}
