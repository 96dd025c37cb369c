// Detail of a run: a frame that the server makes for the part in sight, and again for another one.

import { signal } from "@preact/signals";
import { frames, Gone, Refused } from "../client";
import type { Frame } from "../frame";
import type { RunState } from "../state";
import type { Range } from "../view";

/** What is asked for, beside the times. */
export interface Wanted {
  readonly run: RunState;
  readonly [key: string]: unknown;
}

/** A drag asks once, when it rests. */
const REST_MS = 150;
/** So much more is asked for on both sides, as a share: what came before is seen, and a step aside needs no other run. */
const ASIDE = 0.25;

/** The detail of one kind: the newest wish wins, and what is there already is not asked for again. */
export class Asked<Head extends { readonly window: Range; readonly duration_s: number }> {
  readonly frame = signal<Frame<Head> | null>(null);
  /** The frame belongs to an earlier state, or does not have all that is in sight. */
  readonly stale = signal(false);
  /** Why there is no frame of what is in sight. */
  readonly message = signal<string | null>(null);
  #abort: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the frame is of. */
  #key = "";

  /** `before` is the least that is asked for before the part in sight, s. */
  constructor(
    private readonly path: string,
    private readonly before = 0,
    private readonly get: typeof frames<Head> = frames,
  ) {}

  ask(wanted: Wanted, range: Range, duration: number): void {
    const key = JSON.stringify(wanted);
    const known = this.frame.peek()?.head.window;
    this.#abort?.abort();
    clearTimeout(this.#timer);
    this.message.value = null;
    this.stale.value = key !== this.#key || !known || range[0] < known[0] || range[1] > known[1];
    if (this.stale.value) this.#timer = setTimeout(() => void this.#get(wanted, key, range, duration), REST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

  async #get({ run, ...rest }: Wanted, key: string, [from, to]: Range, duration: number): Promise<void> {
    const abort = (this.#abort = new AbortController());
    const aside = ASIDE * (to - from);
    const wide: Range = [Math.max(0, from - Math.max(aside, this.before)), Math.min(duration, to + aside)];
    const take = (frame: Frame<Head>) => {
      if (abort.signal.aborted) return;
      this.#key = key;
      this.frame.value = frame;
      this.stale.value = false;
    };
    const get = (times: Range) =>
      this.get(this.path, { ...run, ...rest, from: times[0], to: times[1] }, take, abort.signal);
    try {
      const isWider = wide[0] < from || wide[1] > to;
      // There may be too many rows with what is aside.
      await get(wide).catch((error: unknown) =>
        isWider && error instanceof Refused ? get([from, to]) : Promise.reject(error),
      );
    } catch (error) {
      if (!abort.signal.aborted && !(error instanceof Gone))
        this.message.value = sentence(error instanceof Error ? error.message : String(error));
    }
  }
}

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
