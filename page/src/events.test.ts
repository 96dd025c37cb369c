import assert from "node:assert/strict";
import test from "node:test";
import { EventReader } from "./events";

const bytes = (text: string) => new TextEncoder().encode(text);

test("events come whole, wherever the bytes are cut", () => {
  const all = bytes('data: {"done": 1, "message": "so weit, ä"}\n\n: a comment\n\ndata: {"done": 2}\n\ndata: {"do');
  for (let cut = 0; cut <= all.length; cut++) {
    const reader = new EventReader<{ done: number; message?: string }>();
    const found = [...reader.push(all.subarray(0, cut)), ...reader.push(all.subarray(cut))];
    assert.deepEqual(found, [{ done: 1, message: "so weit, ä" }, { done: 2 }]);
  }
});
