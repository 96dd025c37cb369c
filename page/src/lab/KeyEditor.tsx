// All keys of the scenario: what each is now, what it means, and a field to change it.

import { computed, signal, useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { getJson } from "../client";
import { Problems, problemsOf } from "../widgets/Problems";
import { keysOf, type KeyRow, type Schema } from "./schema";
import { check, hold, lab, problems, setKey } from "./session";
import { setOf } from "./sets";

const MOST_ROWS = 60;

const schema = signal<Schema | null>(null);
const rows = computed<readonly KeyRow[]>(() =>
  schema.value ? keysOf(schema.value, new Map(check.value?.keys.map((each) => [each.key, each.text]))) : [],
);

/** Rows with all words of a filter, in the key or in its meaning; those that are changed come first. */
export function filtered(all: readonly KeyRow[], filter: string, sets: readonly string[]): KeyRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ key, meaning, now }: KeyRow) => {
    const text = `${key} ${meaning} ${now ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const rank = ({ key, now }: KeyRow) => (setOf(sets, key) !== null ? 0 : now !== null ? 1 : 2);
  return all.filter(fits).sort((one, other) => rank(one) - rank(other));
}

export function KeyEditor() {
  const filter = useSignal("");
  const sets = useComputed(() => lab.value?.run.sets ?? []);
  useEffect(() => {
    if (!schema.peek()) void getJson<Schema>("/api/schema").then((found) => (schema.value = found), () => undefined);
  }, []);
  const found = filtered(rows.value, filter.value, sets.value);
  return (
    <div class="keys">
      <label class="unseen" for="key-filter">Filter of keys</label>
      <input
        id="key-filter"
        type="search"
        placeholder="Filter, like: ssthresh, queue limit"
        value={filter.value}
        onInput={(event) => (filter.value = event.currentTarget.value)}
      />
      <p class="count" role="status">
        {found.length === 0 ? "No key has these words." : `${found.length} keys${found.length > MOST_ROWS ? `; the first ${MOST_ROWS}` : ""}`}
      </p>
      <ul class="key-list">
        {found.slice(0, MOST_ROWS).map((row) => (
          <Row key={row.key} row={row} set={setOf(sets.value, row.key)} />
        ))}
      </ul>
    </div>
  );
}

/** A key that may be broken behind its dots. */
function broken(key: string): ComponentChildren {
  return key.split(".").flatMap((part, k) => (k ? [".", <wbr key={k} />, part] : [part]));
}

function Row({ row, set }: { row: KeyRow; set: string | null }) {
  const id = `key-${row.key}`;
  const shown = set ?? row.now ?? "";
  const commit = (text: string) => {
    if (text.trim() === shown) return;
    hold();
    setKey(row.key, text.trim() === "" ? null : text.trim());
  };
  return (
    <li class={set === null ? "" : "is-set"}>
      <label for={id}>{broken(row.key)}</label>
      <input
        id={id}
        type="text"
        value={shown}
        placeholder={row.example ? `like ${row.example}` : "not set"}
        list={row.choices.length ? `${id}-choices` : undefined}
        aria-describedby={`${id}-meaning`}
        spellcheck={false}
        onChange={(event) => commit(event.currentTarget.value)}
      />
      {row.choices.length > 0 && (
        <datalist id={`${id}-choices`}>
          {row.choices.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {set !== null && (
        <button type="button" class="reset" aria-label={`Reset ${row.key}`} title="As the scenario has it" onClick={() => setKey(row.key, null)}>
          ↺
        </button>
      )}
      <p id={`${id}-meaning`} class="meaning">{row.meaning}</p>
      <Problems problems={problemsOf(problems.value, row.key)} />
    </li>
  );
}
