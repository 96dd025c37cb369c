// Names of flows and of factors.

import type { Path } from "./types";

/** More names than these are not listed. */
export const MOST_NAMES = 200;

/** The names of all flows: of a group the server tells the first one, "web 1", and how many there are. */
export function namesOf(flows: Path["flows"]): string[] {
  return flows
    .flatMap(({ name, count }) => {
      const stem = name.replace(/ 1$/, "");
      if (count === 1 || stem === name) return [name];
      return Array.from({ length: Math.min(count, MOST_NAMES) }, (_, k) => `${stem} ${k + 1}`);
    })
    .slice(0, MOST_NAMES);
}

/** The name of a factor that is a key: the last words of the key, "queue limit", "TCP flavor". */
export function shortName(factor: string): string {
  const text = factor.split(".").slice(-2).join(" ").replaceAll("_", " ");
  return text.replace(/\b(tcp|rtt|ecn|mss)\b/g, (word) => word.toUpperCase());
}
