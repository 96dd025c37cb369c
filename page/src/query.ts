// What follows "?" in the address of a page: pairs of a key and a text.

import { go, route } from "./navigation";
import type { Query } from "./state";

/** The text of a key; null where there is none. */
export function textOf(query: Query, key: string): string | null {
  return query.find(([each]) => each === key)?.[1] ?? null;
}

/** A query with some texts changed; null takes a key out. */
export function changed(query: Query, texts: Readonly<Record<string, string | null>>): Query {
  const kept = query.filter(([key]) => !(key in texts));
  const added = Object.entries(texts).filter((each): each is [string, string] => each[1] !== null);
  return [...kept, ...added];
}

/** The query of the page that is shown. */
export function queryNow(): Query {
  const now = route.value;
  return now && "query" in now ? now.query : [];
}

/** Change texts in the address of the page that is shown, as one entry of the history for a gesture. */
export function ask(texts: Readonly<Record<string, string | null>>, gesture?: string): void {
  const now = route.value;
  if (now && "query" in now) go({ ...now, query: changed(now.query, texts) }, gesture);
}
