import assert from "node:assert/strict";
import { test } from "node:test";
import { idOf, isCopy, nextId } from "./ids";

test("ids differ, also those of two copies of the page", () => {
  assert.equal(idOf("slider-rate"), "slider-rate");
  const seen = [nextId(), nextId()];
  for (let k = 0; k < 2; k++) {
    isCopy();
    seen.push(idOf("slider-rate"), nextId());
  }
  assert.equal(new Set(seen).size, seen.length);
});
