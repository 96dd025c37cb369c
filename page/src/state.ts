// What is seen, as an address and back. The address is all there is: sent as a link it shows the same numbers.

import type { Range } from "./view";

/** What is run, in the words of the server: a scenario by its id or by its text, and `key=value` as in --set. */
export interface RunState {
  readonly scenario: string | null;
  readonly source: string | null;
  readonly sets: readonly string[];
  readonly point: number;
  readonly replication: number;
}

/** What the lab shows. */
export interface LabState {
  readonly run: RunState;
  /** Run A, with which the live run B is compared. */
  readonly pin: RunState | null;
  readonly window: Range | null;
  /** Time of the animation, s. */
  readonly time: number | null;
  /** Names of the flows that are drawn; empty: the first few. The diagram shows the first of them. */
  readonly flows: readonly string[];
  readonly link: string | null;
  /** Parts below the panels that are open: "sequence", "packets" ... */
  readonly open: readonly string[];
}

export type Route =
  | { readonly page: "start" | "lessons" | "campaigns" | "studies" | "jobs" | "help" }
  | { readonly page: "lab"; readonly lab: LabState }
  /** A page of a part; `id` and what follows "?" belong to that part. */
  | { readonly page: "lesson" | "campaign" | "study" | "job"; readonly id: string; readonly query: Query }
  | { readonly page: "campaign run"; readonly id: string; readonly number: number; readonly query: Query }
  | { readonly page: "missing"; readonly path: string };

export type Query = readonly (readonly [key: string, value: string])[];

/** The longest text that an address holds, in characters of the address. */
export const LONGEST_TEXT = 8192;

const PARTS = { lesson: "lessons", campaign: "campaigns", study: "studies", job: "jobs" } as const;
const LISTS = {
  "": "start",
  lessons: "lessons",
  campaigns: "campaigns",
  studies: "studies",
  jobs: "jobs",
  help: "help",
} as const;

export function labOf(run: Partial<RunState>): LabState {
  const whole = { scenario: null, source: null, sets: [], point: 0, replication: 0, ...run };
  return { run: whole, pin: null, window: null, time: null, flows: [], link: null, open: [] };
}

/** The address of a route: what follows "#". */
export async function address(route: Route): Promise<string> {
  if (route.page === "lab") return labAddress(route.lab);
  if (route.page === "missing") return route.path;
  if (route.page === "campaign run") {
    return `/campaigns/${path(route.id)}/runs/${route.number}${query(route.query)}`;
  }
  if (route.page === "start") return "/";
  if ("id" in route) return `/${PARTS[route.page]}/${path(route.id)}${query(route.query)}`;
  return `/${route.page}`;
}

/** The route of an address, with or without "#". What cannot be read is left away. */
export async function parse(fragment: string): Promise<Route> {
  const [place = "", rest = ""] = split(fragment.replace(/^#/, ""), "?");
  const [first = "", ...others] = place.replace(/^\//, "").split("/").map(unquote);
  const id = others.join("/");
  if (first === "lab") return parseLab(id, read(rest), place);
  if (id === "" && first in LISTS) return { page: LISTS[first as keyof typeof LISTS] };
  const at = others.lastIndexOf("runs");
  const number = Number(others[at + 1]);
  if (first === "campaigns" && at > 0 && at === others.length - 2 && Number.isInteger(number) && number >= 0) {
    return { page: "campaign run", id: others.slice(0, at).join("/"), number, query: read(rest) };
  }
  const page = (Object.keys(PARTS) as (keyof typeof PARTS)[]).find((each) => PARTS[each] === first);
  return page ? { page, id, query: read(rest) } : { page: "missing", path: place };
}

async function labAddress(lab: LabState): Promise<string> {
  const pairs: [string, string][] = await runPairs(lab.run);
  if (lab.window) pairs.push(["x", lab.window.join(",")]);
  if (lab.time !== null) pairs.push(["t", String(lab.time)]);
  for (const flow of lab.flows) pairs.push(["flow", flow]);
  if (lab.link !== null) pairs.push(["link", lab.link]);
  for (const part of lab.open) pairs.push(["open", part]);
  if (lab.pin) pairs.push(["pin", runPlace(lab.pin) + query(await runPairs(lab.pin))]);
  return `/lab${runPlace(lab.run)}${query(pairs)}`;
}

function runPlace(run: RunState): string {
  return run.scenario === null ? "" : `/${path(run.scenario)}`;
}

async function runPairs(run: RunState): Promise<[string, string][]> {
  const pairs: [string, string][] = [];
  if (run.source !== null) pairs.push(["toml", await pack(run.source)]);
  for (const set of run.sets) pairs.push(["set", set]);
  if (run.point) pairs.push(["point", String(run.point)]);
  if (run.replication) pairs.push(["rep", String(run.replication)]);
  return pairs;
}

async function parseLab(id: string, pairs: Query, place: string): Promise<Route> {
  const run = await parseRun(id, pairs);
  if (!run) return { page: "missing", path: place };
  const [pinPlace, pinRest] = split(value(pairs, "pin") ?? "", "?");
  const pin = await parseRun((pinPlace ?? "").replace(/^\//, "").split("/").map(unquote).join("/"), read(pinRest ?? ""));
  const [from, to, ...more] = (value(pairs, "x") ?? "").split(",").map(finite);
  const isWindow = from !== undefined && to !== undefined && more.length === 0 && from < to;
  const lab: LabState = {
    run,
    pin,
    window: isWindow ? [from, to] : null,
    time: finite(value(pairs, "t") ?? "") ?? null,
    flows: values(pairs, "flow"),
    link: value(pairs, "link"),
    open: values(pairs, "open"),
  };
  return { page: "lab", lab };
}

async function parseRun(id: string, pairs: Query): Promise<RunState | null> {
  const packed = value(pairs, "toml");
  const source = packed === null ? null : await unpack(packed);
  if ((id === "") === (source === null)) return null;
  return {
    scenario: id === "" ? null : id,
    source,
    sets: values(pairs, "set"),
    point: whole(value(pairs, "point")),
    replication: whole(value(pairs, "rep")),
  };
}

/** A number; undefined for what is none ("" among it). */
function finite(text: string): number | undefined {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : undefined;
}

function whole(text: string | null): number {
  const number = Number(text ?? 0);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

function value(pairs: Query, key: string): string | null {
  return pairs.find(([each]) => each === key)?.[1] ?? null;
}

function values(pairs: Query, key: string): string[] {
  return pairs.filter(([each]) => each === key).map(([, text]) => text);
}

function path(id: string): string {
  return id.split("/").map(quote).join("/");
}

function query(pairs: Query): string {
  if (pairs.length === 0) return "";
  // The first "=" ends the key.
  return `?${pairs.map(([key, text]) => `${quote(key).replaceAll("=", "%3D")}=${quote(text)}`).join("&")}`;
}

function read(text: string): Query {
  if (text === "") return [];
  return text.split("&").map((pair) => {
    const [key = "", its = ""] = split(pair, "=");
    return [unquote(key), unquote(its)] as const;
  });
}

/** Cut at the first `mark`. */
function split(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** As encodeURIComponent, but what needs no escape here stays legible: set=topology.bottleneck.rate=10+Mbit/s. */
function quote(text: string): string {
  return encodeURIComponent(text).replace(/%(20|3D|2C|3A|2F)/g, (_, code: string) =>
    code === "20" ? "+" : String.fromCharCode(parseInt(code, 16)),
  );
}

function unquote(text: string): string {
  const plain = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

let lastPacked: readonly [text: string, packed: string] | null = null;

/** Deflated text in base64url. */
export async function pack(text: string): Promise<string> {
  // A slider changes the sets and not the text, many times a second.
  if (lastPacked?.[0] === text) return lastPacked[1];
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const packed = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  lastPacked = [text, packed];
  return packed;
}

/** The text; null if it cannot be read. */
export async function unpack(packed: string): Promise<string | null> {
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
  } catch {
    return null;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
