// What the server says to one question, for a page that shows it.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { getJson, postJson, Refused, server, type Problem } from "./client";

export interface Answer<T> {
  /** The last answer; null: there is none yet. */
  readonly value: T | null;
  /** The answer belongs to an earlier question. */
  readonly isStale: boolean;
  /** Why there is no answer to this one. */
  readonly problems: readonly Problem[];
}

/**
 * Ask, and ask again when the question changes or the server is back.
 *
 * @param path null: nothing is asked
 * @param body of a POST; without one it is a GET
 * @param version asks the same again when it changes
 */
export function useAnswer<T>(path: string | null, body?: unknown, version: unknown = 0): Answer<T> {
  const found = useSignal<Answer<T> & { key: string }>({ value: null, isStale: false, problems: [], key: "" });
  const key = JSON.stringify([path, body]);
  const isThere = server.value === "there";
  useEffect(() => {
    if (path === null || !isThere) return;
    const abort = new AbortController();
    const asked = body === undefined ? getJson<T>(path, abort.signal) : postJson<T>(path, body, abort.signal);
    asked.then(
      (value) => !abort.signal.aborted && (found.value = { value, isStale: false, problems: [], key }),
      (error: unknown) => {
        if (abort.signal.aborted || !(error instanceof Refused)) return;
        found.value = { value: null, isStale: false, problems: error.problems, key };
      },
    );
    return () => abort.abort();
  }, [key, isThere, version]);
  return { ...found.value, isStale: path !== null && found.value.value !== null && found.value.key !== key };
}

