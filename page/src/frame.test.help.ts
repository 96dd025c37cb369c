// Frames for tests, written as the server writes them.

type Values = readonly number[] | { readonly words: readonly string[]; readonly numbers: readonly number[] };

/** A frame of float64 arrays, and of words in u1. */
export function written(head: object, arrays: Readonly<Record<string, Values>> = {}): Uint8Array<ArrayBuffer> {
  const places: Record<string, object> = {};
  const bodies: Uint8Array[] = [];
  let at = 0;
  for (const [name, values] of Object.entries(arrays)) {
    const isWords = "words" in values;
    const its = isWords ? Uint8Array.from(values.numbers) : new Uint8Array(Float64Array.from(values as readonly number[]).buffer);
    const length = isWords ? values.numbers.length : (values as readonly number[]).length;
    places[name] = { type: isWords ? "u1" : "f8", at, length, ...(isWords ? { words: values.words } : {}) };
    const padded = new Uint8Array(Math.ceil(its.length / 8) * 8);
    padded.set(its);
    bodies.push(padded);
    at += padded.length;
  }
  const json = JSON.stringify({ ...head, arrays: places });
  const text = new TextEncoder().encode(json);
  const headBytes = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(16 + headBytes + at);
  bytes.set(new TextEncoder().encode("ALAB"));
  new DataView(bytes.buffer).setUint32(4, headBytes, true);
  new DataView(bytes.buffer).setUint32(8, at, true);
  bytes.fill(32, 16, 16 + headBytes);
  bytes.set(text, 16);
  let end = 16 + headBytes;
  for (const each of bodies) {
    bytes.set(each, end);
    end += each.length;
  }
  return bytes;
}
