// Sliders with number fields for the keys that matter, choices and switches.

import { useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { idOf } from "../widgets/ids";
import { Problems, problemsOf } from "../widgets/Problems";
import { PLACES, placeOf, spanOf, stepped, valueAt, type Span } from "./scales";
import { asWritten, check, hold, lab, problems, setKey, setting, sliders } from "./session";
import { numberOf, setOf, textOf } from "./sets";
import type { Slider } from "./types";

/** Arrow keys within this time are one entry of the history. */
const PAUSE_MS = 1000;
const PAGE = 10;

/** Only these keys, where a lesson shows a few. */
export function Sliders({ only }: { only?: readonly string[] }) {
  const shown = sliders.value.filter((each) => !only || only.includes(each.key));
  if (shown.length === 0) return null;
  return (
    <div class="sliders">
      {shown.map((slider) => (
        <Field key={slider.key} slider={slider} />
      ))}
    </div>
  );
}

function Field({ slider }: { slider: Slider }) {
  const text = useComputed(() => setOf(lab.value?.run.sets ?? [], slider.key));
  const found = useComputed(() => JSON.stringify(problemsOf(problems.value, slider.key)));
  const span = spanOf(slider);
  const id = idOf(`slider-${slider.key}`);
  const isNumber = slider.kind === "quantity" || slider.kind === "number";
  return (
    <div class={`field ${slider.kind}`}>
      <label for={id} title={`${slider.key}: ${slider.help}`}>{slider.label}</label>
      {isNumber && span && <NumberSlider id={id} slider={slider} span={span} text={text.value} />}
      {isNumber && !span && <TextField id={id} slider={slider} text={text.value} />}
      {slider.kind === "choice" && <Choice id={id} slider={slider} text={text.value} />}
      {slider.kind === "switch" && <Switch id={id} slider={slider} text={text.value} />}
      {text.value !== setOf(setting.value?.sets ?? [], slider.key) && (
        <button type="button" class="reset" aria-label={`Reset ${slider.label}`} title="As the scenario has it" onClick={() => setKey(slider.key, null, undefined, slider.resets)}>
          ↺
        </button>
      )}
      <Problems problems={JSON.parse(found.value) as ReturnType<typeof problemsOf>} />
    </div>
  );
}

/** The number now: what is set, else what the server read. Null: another unit, or no number. */
function valueOf(slider: Slider, text: string | null): number | null {
  if (text !== null) return numberOf(slider, text);
  const found = asWritten(slider).value;
  return typeof found === "number" ? found : null;
}

let gestures = 0;

/** A name of the gesture that is under way: a drag is one, and so are arrow keys in a row. */
function useGesture(): { begin: () => void; name: () => string } {
  const state = useRef({ name: "", last: 0 });
  return {
    begin: () => (state.current = { name: `slider ${++gestures}`, last: Infinity }),
    name: () => {
      const now = performance.now();
      if (now - state.current.last > PAUSE_MS || state.current.name === "") state.current.name = `slider ${++gestures}`;
      if (state.current.last !== Infinity) state.current.last = now;
      return state.current.name;
    },
  };
}

function NumberSlider({ id, slider, span, text }: { id: string; slider: Slider; span: Span; text: string | null }) {
  const gesture = useGesture();
  const value = valueOf(slider, text);
  // A text in another unit: the server tells the number.
  const told = check.value?.values[slider.key]?.value;
  const place = placeOf(value ?? (typeof told === "number" ? told : span.low), span);
  const set = (next: number) => setKey(slider.key, textOf(slider, next), gesture.name());
  const onKey = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    const end = event.key === "Home" ? span.low : event.key === "End" ? span.high : null;
    if (by === undefined && end === null) return;
    event.preventDefault();
    set(end ?? stepped(value ?? span.low, by! * (event.shiftKey ? PAGE : 1), span));
  };
  return (
    <>
      <input
        id={id}
        type="range"
        min={0}
        max={PLACES}
        step={1}
        value={place}
        aria-valuetext={value === null ? (text ?? "") : textOf(slider, value)}
        aria-describedby={`${id}-help`}
        onPointerDown={gesture.begin}
        onInput={(event) => set(valueAt(event.currentTarget.valueAsNumber, span))}
        onKeyDown={onKey}
      />
      <TextField id={`${id}-number`} slider={slider} text={text} label={`${slider.label}, number`} />
      <span id={`${id}-help`} class="unseen">{slider.help}</span>
    </>
  );
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: PAGE,
  PageDown: -PAGE,
};

/** A number in the slider's unit, or any text that the key may have: "2 rtt", "= 3 * base". */
function TextField({ id, slider, text, label }: { id: string; slider: Slider; text: string | null; label?: string }) {
  const value = valueOf(slider, text);
  const shown = value === null ? (text ?? asWritten(slider).text) : String(value);
  // What is typed outlives an answer of the server that comes meanwhile.
  const draft = useSignal<string | null>(null);
  const commit = (written: string) => {
    draft.value = null;
    const trimmed = written.trim();
    if (trimmed === shown || trimmed === "") return;
    hold();
    const number = Number(trimmed);
    setKey(slider.key, Number.isFinite(number) ? textOf(slider, number) : trimmed);
  };
  return (
    <span class="number-field">
      <input
        id={id}
        type="text"
        inputMode="decimal"
        value={draft.value ?? shown}
        aria-label={label}
        onInput={(event) => (draft.value = event.currentTarget.value)}
        onChange={(event) => commit(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && commit(event.currentTarget.value)}
      />
      <span class="unit">{value !== null && slider.unit}</span>
    </span>
  );
}

function Choice({ id, slider, text }: { id: string; slider: Slider; text: string | null }) {
  const now = text ?? String(asWritten(slider).value ?? "");
  const choices = slider.choices ?? [];
  const isKnown = choices.some((each) => String(each.value) === now);
  return (
    <select id={id} value={now} title={slider.help} onChange={(event) => setKey(slider.key, event.currentTarget.value, undefined, slider.resets)}>
      {!isKnown && <option value={now}>{now}</option>}
      {choices.map((each) => (
        <option key={String(each.value)} value={String(each.value)}>{each.label}</option>
      ))}
    </select>
  );
}

function Switch({ id, slider, text }: { id: string; slider: Slider; text: string | null }) {
  const isOn = text === null ? asWritten(slider).value === true : text === "true";
  return (
    <input
      id={id}
      type="checkbox"
      checked={isOn}
      title={slider.help}
      onChange={(event) => setKey(slider.key, String(event.currentTarget.checked))}
    />
  );
}
