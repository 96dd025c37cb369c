// The text of the scenario: a plain field with the numbers of its lines, and problems at their lines.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { LONGEST_TEXT, pack } from "../state";
import { Problems } from "../widgets/Problems";
import { changeRun, lab, problems, scenario } from "./session";

const REST_MS = 350;
let edits = 0;

export function TomlEditor() {
  const own = useComputed(() => lab.value?.run.source ?? null);
  const text = own.value ?? scenario.value?.text ?? "";
  const written = useSignal(text);
  const isLong = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLPreElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const gesture = useRef(`text ${++edits}`);
  useEffect(() => {
    // The address has another text: of the history, or of another scenario.
    if (document.activeElement !== field.current) written.value = text;
    void pack(text).then((packed) => (isLong.value = own.value !== null && packed.length > LONGEST_TEXT));
  }, [text]);
  const wrong = new Set(problems.value.map((each) => each.line).filter((each) => each !== null));
  const count = written.value.split("\n").length;
  const edit = (next: string) => {
    written.value = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => changeRun(() => ({ scenario: null, source: next }), gesture.current), REST_MS);
  };
  return (
    <div class="toml">
      <p class="hint">
        {own.value === null
          ? "The text of this scenario. What you change here becomes a scenario of your own, in the address of this page."
          : "Your own scenario. It is in the address of this page: copy the link or export the TOML to keep it."}
        {(lab.value?.run.sets.length ?? 0) > 0 && " The sliders' changes come on top of it; the export has both."}
      </p>
      <Problems problems={problems.value.filter((each) => each.line !== null)} />
      {isLong.value && <p class="hint warn">The text is too long for some programs' addresses. Export the TOML to keep it.</p>}
      <div class="toml-field">
        <pre ref={numbers} class="line-numbers" aria-hidden="true">
          {Array.from({ length: count }, (_, k) => (
            <span key={k} class={wrong.has(k + 1) ? "wrong" : ""}>{k + 1}{"\n"}</span>
          ))}
        </pre>
        <textarea
          ref={field}
          aria-label="TOML of the scenario"
          spellcheck={false}
          autocomplete="off"
          wrap="off"
          rows={Math.min(30, Math.max(10, count))}
          value={written.value}
          onInput={(event) => edit(event.currentTarget.value)}
          onFocus={() => (gesture.current = `text ${++edits}`)}
          onScroll={(event) => numbers.current && (numbers.current.scrollTop = event.currentTarget.scrollTop)}
        />
      </div>
    </div>
  );
}
