// The picture of one run: its newest frame, and what is to say of it.

import { signal } from "@preact/signals";
import { Gone, Refused, Run, type Order, type Problem } from "../client";
import type { RunFrame, RunHead } from "./types";

export class Picture {
  /** The newest frame; null: there is none yet. */
  readonly frame = signal<RunFrame | null>(null);
  /** The last complete one: metrics and distributions. */
  readonly complete = signal<RunFrame | null>(null);
  /** The picture belongs to an earlier state. */
  readonly stale = signal(false);
  /** Why there is no picture of this state. */
  readonly problems = signal<readonly Problem[]>([]);
  readonly #run: Run<RunHead>;
  #pending: { readonly frame: RunFrame; readonly order: Order } | null = null;
  /** What the picture is of, or will be; "": nothing. */
  #asked = "";
  /** The newest order. */
  #order: Order | null = null;

  constructor(slot: string) {
    this.#run = new Run(slot, {
      onFrame: (frame, order) => this.#take(frame, order),
      onError: (error) => this.#fail(error),
    });
  }

  /** The address has more in it than what is run: what is there, or under way, is not asked for again. */
  ask(order: Order): void {
    const asked = JSON.stringify(order);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#order = order;
    this.stale.value = true;
    this.#run.ask(order);
  }

  /** This is wanted, but cannot be asked for now: a picture of another state is one of before. */
  wait(order: Order): void {
    if (JSON.stringify(order) !== this.#asked) this.refuse();
  }

  /** Stop, and show nothing. */
  clear(): void {
    this.#leave();
    this.frame.value = this.complete.value = null;
    this.stale.value = false;
    this.problems.value = [];
  }

  /** Keep the picture as one of an earlier state: this one is not run. */
  refuse(): void {
    this.#leave();
    this.stale.value = this.frame.value !== null;
    this.problems.value = [];
  }

  #leave(): void {
    this.#run.stop();
    this.#pending = null;
    this.#asked = "";
  }

  /** Frames may come faster than the screen shows them: the newest one is drawn. */
  #take(frame: RunFrame, order: Order): void {
    if (this.#pending === null) requestAnimationFrame(() => this.#show());
    this.#pending = { frame, order };
  }

  #show(): void {
    if (!this.#pending) return;
    const { frame, order } = this.#pending;
    this.#pending = null;
    // While a slider moves there are pictures all the way; all but the last one are of earlier states.
    this.stale.value = order !== this.#order;
    this.problems.value = [];
    if (frame.head.done >= 1) this.complete.value = frame;
    this.frame.value = frame;
  }

  #fail(error: Error): void {
    this.#asked = "";
    if (error instanceof Gone) return;
    this.problems.value = error instanceof Refused ? error.problems : [{ message: error.message, key: null, line: null }];
  }
}
