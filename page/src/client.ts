// The server, from here: JSON, frames, and whether it is there. Every call bears the token.

import { signal } from "@preact/signals";
import { EventReader } from "./events";
import { Frame, FrameReader } from "./frame";
import { keep, kept } from "./kept";
import type { RunState } from "./state";

/** What is wrong with what the person wrote. */
export interface Problem {
  readonly message: string;
  readonly key: string | null;
  readonly line: number | null;
}

/** The server understood and says no, with sentences. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problems: readonly Problem[],
  ) {
    super(problems.map((each) => each.message).join(" "));
  }
}

/** The server does not answer. */
export class Gone extends Error {}

export type Server = "there" | "gone" | "no token";

/** Whether the server answered the last time. */
export const server = signal<Server>("there");

const TOKEN_KEY = "ackclock-token";
const RETRY_MS = 2000;
/** A newer state may stop a run that has shown nothing for so long. */
const PATIENCE_MS = 400;

let token = "";

/** Where calls go: a notebook sends them to its kernel. */
export const transport: { fetch: (path: string, init: RequestInit) => Promise<Response> } = {
  fetch: (path, init) => fetch(path, init),
};

/**
 * Take the token out of a fragment `#token=TOKEN&to=/lab/...`, as `ackclock lab` prints it, or as this browser keeps it
 * (by port: an origin has one). Returns the fragment without it.
 */
export function takeToken(fragment: string): string {
  const found = /^#token=([^&]*)(?:&to=(.*))?$/.exec(fragment);
  if (!found) {
    token ||= kept(TOKEN_KEY) ?? "";
    return fragment;
  }
  token = found[1] ?? "";
  keep(TOKEN_KEY, token);
  return `#${found[2] ?? "/"}`;
}

/** Called once: another tab of this browser may get the token of a server that was started again. */
export function followToken(): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== TOKEN_KEY || !newValue) return;
    token = newValue;
    void ping();
  });
}

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  let response;
  try {
    response = await transport.fetch(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    missed();
    throw new Gone("The server does not answer.");
  }
  server.value = response.status === 401 ? "no token" : "there";
  if (!response.ok) throw new Refused(response.status, await problemsOf(response));
  return response;
}

async function problemsOf(response: Response): Promise<Problem[]> {
  try {
    const { problems } = (await response.json()) as { problems?: Problem[] };
    if (problems?.length) return problems;
  } catch {
    // No JSON: the status has to do.
  }
  return [{ message: `The server refused this (status ${response.status}).`, key: null, line: null }];
}

let retry: ReturnType<typeof setTimeout> | undefined;

/** Ask until the server answers; `server` tells those who wait. */
function missed(): void {
  server.value = "gone";
  clearTimeout(retry);
  retry = setTimeout(() => void ping(), RETRY_MS);
}

/** Whether the server is there is told by `server`. */
async function ping(): Promise<void> {
  await getJson("/api/about").catch(() => undefined);
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await call(path, signal ? { signal } : {})).json()) as T;
}

export async function postJson<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await call(path, post(body, signal))).json()) as T;
}

/** A text, like a report. */
export async function getText(path: string, signal?: AbortSignal): Promise<string> {
  return (await call(path, signal ? { signal } : {})).text();
}

/** One frame. */
export async function getFrame<Head>(path: string, signal?: AbortSignal): Promise<Frame<Head>> {
  const response = await call(path, signal ? { signal } : {});
  return new Frame<Head>(new Uint8Array(await response.arrayBuffer()));
}

/** Ask for something to be done of which there is nothing to read. */
export async function ask(method: "POST" | "DELETE", path: string): Promise<void> {
  await call(path, { method });
}

/** Events as they come, until the server ends them. */
export async function events<T>(path: string, onEvent: (event: T) => void, signal: AbortSignal): Promise<void> {
  const response = await call(path, { signal });
  const reader = new EventReader<T>();
  const stream = response.body!.getReader();
  for (;;) {
    const { done, value } = await readSome(stream, signal);
    if (done) return;
    for (const event of reader.push(value)) onEvent(event);
  }
}

/** A file, with the name that the server gives it. */
export async function postFile(path: string, body: unknown): Promise<{ blob: Blob; name: string }> {
  const response = await call(path, post(body));
  const found = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "");
  return { blob: await response.blob(), name: found?.[1] ?? "ackclock" };
}

/** Frames as they come. False: the server left off, since a newer order came. */
export async function frames<Head>(
  path: string,
  body: unknown,
  onFrame: (frame: Frame<Head>) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  const response = await call(path, post(body, signal));
  if (response.status === 204 || !response.body) return false;
  const reader = new FrameReader();
  const stream = response.body.getReader();
  for (;;) {
    const { done, value } = await readSome(stream, signal);
    if (done) return true;
    for (const frame of reader.push(value)) onFrame(frame as unknown as Frame<Head>);
  }
}

async function readSome(
  stream: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await stream.read();
  } catch (error) {
    if (signal?.aborted) throw error;
    missed();
    throw new Gone("The server went away.");
  }
}

function post(body: unknown, signal?: AbortSignal): RequestInit {
  const init = { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  return signal ? { ...init, signal } : init;
}

/** What the server is asked to run and to show. */
export interface Order {
  readonly state: RunState;
  readonly show: readonly string[];
  readonly flows: readonly string[] | null;
  readonly link: string | null;
  readonly window: readonly [number, number] | null;
  readonly width: number;
}

export interface RunEvents<Head> {
  /** A frame of an order, which may not be the newest. */
  readonly onFrame: (frame: Frame<Head>, order: Order) => void;
  readonly onError: (error: Error) => void;
  /** The newest order is answered, or failed. */
  readonly onIdle?: () => void;
}

/** Slots of two tabs, and of one tab before and after a reload, are different ones. */
const TAB = Math.random().toString(36).slice(2, 10);
let orders = 0;

/**
 * The runs of one slot: one is under way at most, and the newest order wins.
 *
 * A newer order stops a run as soon as its first picture is there. So each drag shows pictures all the way, and what
 * takes long is never waited for.
 */
export class Run<Head> {
  #wanted: Order | null = null;
  #abort: AbortController | null = null;
  #hasShown = false;
  #began = 0;

  constructor(
    readonly slot: string,
    readonly events: RunEvents<Head>,
  ) {}

  ask(order: Order): void {
    this.#wanted = order;
    if (!this.#abort) void this.#start();
    else this.#makeWay();
  }

  /** Stop what is under way, and forget what is wanted. */
  stop(): void {
    this.#wanted = null;
    this.#abort?.abort();
  }

  #makeWay(): void {
    const abort = this.#abort;
    const left = PATIENCE_MS - (performance.now() - this.#began);
    if (this.#hasShown || left <= 0) abort?.abort();
    else setTimeout(() => this.#wanted && this.#abort === abort && abort?.abort(), left);
  }

  async #start(): Promise<void> {
    while (this.#wanted) {
      const order = this.#wanted;
      this.#wanted = null;
      const abort = (this.#abort = new AbortController());
      this.#hasShown = false;
      this.#began = performance.now();
      try {
        const { state, ...rest } = order;
        const body = { ...state, ...rest, slot: `${TAB}/${this.slot}`, order: ++orders };
        await frames<Head>("/api/run", body, (frame) => this.#show(frame, order, abort), abort.signal);
      } catch (error) {
        // Of an order that is no longer wanted nobody wants to know why it failed.
        if (!abort.signal.aborted && !this.#wanted) this.events.onError(error as Error);
      }
    }
    this.#abort = null;
    this.events.onIdle?.();
  }

  #show(frame: Frame<Head>, order: Order, abort: AbortController): void {
    if (abort.signal.aborted) return;
    this.#hasShown = true;
    this.events.onFrame(frame, order);
    if (this.#wanted) abort.abort();
  }
}
