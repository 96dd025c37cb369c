// The kernel in the place of the server: what the page asks goes into traits of the widget's model, and so do answers.

import { FrameReader } from "../frame";

/** What anywidget gives of the widget's model. */
export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, callback: () => void): void;
  off(event: string, callback: () => void): void;
}

/** Questions of two cells, and of one cell before and after it was run again, are different ones. */
const CELL = Math.random().toString(36).slice(2, 10);
let questions = 0;

/** Calls of the lab, answered by the kernel. */
export function kernel(model: Model): (path: string, init: RequestInit) => Promise<Response> {
  return (path, init) => {
    if (path === "/api/check") return check(model, bodyOf(init));
    if (path === "/api/run") return run(model, bodyOf(init), init.signal ?? null);
    return Promise.resolve(json({ problems: [{ message: `A notebook has no ${path}.`, key: null, line: null }] }, 404));
  };
}

/** A trait of bytes; empty if there are none yet. */
export function bytesOf(value: unknown): Uint8Array {
  return value instanceof DataView ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array();
}

function bodyOf(init: RequestInit): Record<string, unknown> {
  return JSON.parse(String(init.body)) as Record<string, unknown>;
}

function json(content: unknown, status = 200): Response {
  return new Response(JSON.stringify(content), { status, headers: { "Content-Type": "application/json" } });
}

function check(model: Model, state: Record<string, unknown>): Promise<Response> {
  const number = `${CELL} ${++questions}`;
  return new Promise((resolve) => {
    const read = () => {
      const its = model.get("answer") as { number?: string; answer?: unknown };
      if (its.number !== number) return;
      model.off("change:answer", read);
      resolve(json(its.answer));
    };
    model.on("change:answer", read);
    model.set("question", { ...state, number });
    model.save_changes();
  });
}

interface RunHead {
  readonly order: number;
  readonly done: number;
}

/** The frames of a run as a stream; a refusal as the server would say it. */
function run(model: Model, asked: Record<string, unknown>, signal: AbortSignal | null): Promise<Response> {
  return new Promise((resolve, reject) => {
    let stream: ReadableStreamDefaultController<Uint8Array> | null = null;
    const close = () => {
      model.off("change:frame", onFrame);
      model.off("change:refused", onRefused);
      signal?.removeEventListener("abort", onAbort);
    };
    const onFrame = () => {
      const bytes = bytesOf(model.get("frame"));
      const [frame] = new FrameReader().push(bytes);
      const head = frame?.head as RunHead | undefined;
      if (head?.order !== asked["order"]) return;
      if (!stream) resolve(new Response(new ReadableStream({ start: (its) => void (stream = its), cancel: close })));
      stream!.enqueue(bytes);
      if (head!.done < 1) return;
      close();
      stream!.close();
    };
    const onRefused = () => {
      const its = model.get("refused") as { order?: number; problems?: unknown };
      if (its.order !== asked["order"]) return;
      close();
      resolve(json({ problems: its.problems }, 422));
    };
    const onAbort = () => {
      close();
      if (stream) stream.error(signal?.reason);
      else reject(signal?.reason as Error);
    };
    model.on("change:frame", onFrame);
    model.on("change:refused", onRefused);
    signal?.addEventListener("abort", onAbort);
    model.set("order", asked);
    model.save_changes();
  });
}
