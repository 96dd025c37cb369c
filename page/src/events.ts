// Server-sent events, from the bytes of an answer: an EventSource cannot send the header with the token.

/** Cuts a stream of bytes into events, each a JSON value. */
export class EventReader<T> {
  readonly #decoder = new TextDecoder();
  #pending = "";

  /** The events that are complete with these bytes. */
  push(bytes: Uint8Array): T[] {
    const parts = (this.#pending + this.#decoder.decode(bytes, { stream: true })).split("\n\n");
    this.#pending = parts.pop()!;
    return parts.flatMap((each) => {
      const lines = each.split("\n").filter((line) => line.startsWith("data:"));
      return lines.length ? [JSON.parse(lines.map((line) => line.slice(5)).join("\n")) as T] : [];
    });
  }
}
