// What the forms that begin a job have in common.

import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { getJson, Refused, type Problem } from "../client";
import type { About } from "../lab/types";
import { Problems } from "../widgets/Problems";
import { begin } from "./store";

const processors = signal(1);
let isAsked = false;

/** Of this computer; 1 until the server told. */
export function useProcessors(): number {
  useEffect(() => {
    if (isAsked) return;
    isAsked = true;
    getJson<About>("/api/about").then((found) => (processors.value = found.processors), () => (isAsked = false));
  }, []);
  return processors.value;
}

/** A whole number of at least 1, as it is written; what is none gives `usual`. */
export function countOf(text: string, usual: number): number {
  const value = Number(text.trim());
  return Number.isInteger(value) && value >= 1 ? value : usual;
}

interface FormProps {
  readonly label: string;
  readonly children: ComponentChildren;
  /** Of the button: "Compare". */
  readonly action: string;
  /** What is asked for, when the button is pressed; a text says why it cannot be. */
  readonly body: () => unknown | string;
  readonly onBegun: (id: string) => void;
  readonly isReady?: boolean;
}

/** Fields with a button that begins a job, and what is wrong with it. */
export function JobForm({ label, children, action, body, onBegun, isReady = true }: FormProps) {
  const problems = useSignal<readonly Problem[]>([]);
  const isBusy = useSignal(false);
  const submit = async () => {
    if (isBusy.value) return;
    const asked = body();
    if (typeof asked === "string") {
      problems.value = [{ message: asked, key: null, line: null }];
      return;
    }
    isBusy.value = true;
    problems.value = [];
    try {
      onBegun(await begin(asked));
    } catch (error) {
      if (error instanceof Refused) problems.value = error.problems;
    }
    isBusy.value = false;
  };
  return (
    <form
      class="job-form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      <button type="submit" class="primary" disabled={!isReady || isBusy.value}>{isBusy.value ? "Begins …" : action}</button>
      <div class="job-problems" role="alert"><Problems problems={problems.value} /></div>
    </form>
  );
}

export function TextField({ id, label, value, onValue, wide = false, hint, isNumber = false }: {
  id: string;
  label: string;
  value: string;
  onValue: (text: string) => void;
  wide?: boolean;
  hint?: string;
  isNumber?: boolean;
}) {
  return (
    <span class={`job-field ${wide ? "wide" : ""}`}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={isNumber ? "numeric" : undefined}
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      {hint && <span id={`${id}-hint`} class="hint">{hint}</span>}
    </span>
  );
}
