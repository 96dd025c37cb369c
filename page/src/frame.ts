// Frames: named arrays and what is to know of them, as the server sends them.
//
// A frame is "ALAB", the length of the head and of the body (32 bits each, little endian), 4 bytes of 0, the head (JSON,
// filled with spaces to a multiple of 8), and the body: arrays, each at a multiple of 8. `ackclock.lab.frame` writes them.

/** An array as it lies in the body: its type, where it begins, how many values it has. Words are numbered from 0. */
interface Place {
  readonly type: "f8" | "f4" | "i4" | "u4" | "u2" | "u1";
  readonly at: number;
  readonly length: number;
  readonly words?: readonly string[];
}

export type Numbers = Float64Array | Float32Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

const TYPES = {
  f8: Float64Array,
  f4: Float32Array,
  i4: Int32Array,
  u4: Uint32Array,
  u2: Uint16Array,
  u1: Uint8Array,
} as const;

const MAGIC = 0x42414c41; // "ALAB"
const HEADER_BYTES = 16;

/** A frame. Reading an array copies nothing. */
export class Frame<Head = Record<string, unknown>> {
  readonly head: Head;
  readonly #places: Readonly<Record<string, Place>>;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #body: number;

  /** Bytes that begin with a frame, at a multiple of 8 of their buffer. */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    const [head, body] = lengths(bytes) ?? [];
    if (head === undefined || body === undefined || bytes.byteLength < HEADER_BYTES + head + body) {
      throw new Error("a frame is cut short");
    }
    const text = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + head));
    const { arrays, ...rest } = JSON.parse(text) as { arrays: Record<string, Place> };
    this.head = rest as Head;
    this.#places = arrays;
    this.#bytes = bytes;
    this.#body = bytes.byteOffset + HEADER_BYTES + head;
  }

  /** Names of its arrays. */
  get names(): readonly string[] {
    return Object.keys(this.#places);
  }

  /** The values of an array; of words, their numbers. Throws if there is no such array. */
  array(name: string): Numbers {
    const place = this.#place(name);
    return new TYPES[place.type](this.#bytes.buffer, this.#body + place.at, place.length);
  }

  /** What the numbers of an array of words stand for. */
  words(name: string): readonly string[] {
    return this.#place(name).words ?? [];
  }

  #place(name: string): Place {
    const place = this.#places[name];
    if (!place) throw new Error(`the frame has no array ${name}`);
    return place;
  }
}

/** Lengths of head and body; undefined if less than the header is there. */
function lengths(bytes: Uint8Array): readonly [number, number] | undefined {
  if (bytes.byteLength < HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  if (view.getUint32(0, true) !== MAGIC) throw new Error("this is no frame");
  return [view.getUint32(4, true), view.getUint32(8, true)];
}

/** Cuts a stream of bytes into frames. */
export class FrameReader {
  #pending: Uint8Array = new Uint8Array();

  /** The frames that are complete with these bytes. */
  push(bytes: Uint8Array): Frame[] {
    const all = new Uint8Array(this.#pending.byteLength + bytes.byteLength);
    all.set(this.#pending);
    all.set(bytes, this.#pending.byteLength);
    const frames = [];
    let at = 0;
    for (;;) {
      const [head, body] = lengths(all.subarray(at)) ?? [];
      if (head === undefined || body === undefined) break;
      const end = at + HEADER_BYTES + head + body;
      if (end > all.byteLength) break;
      // A copy: its arrays are at multiples of 8 then, and it keeps no other frame in memory.
      frames.push(new Frame(all.slice(at, end)));
      at = end;
    }
    this.#pending = all.slice(at);
    return frames;
  }
}
