import assert from "node:assert/strict";
import { test } from "node:test";
import { doneOf, markDone, nextOf, progress, read } from "./progress";

test("what is no progress is none", () => {
  for (const text of [null, "", "{", "[]", "7", '{"a": 1}', '{"a": ["x"]}', '{"a": [-1]}']) assert.deepEqual(read(text), {});
  assert.deepEqual(read('{"a": [0, 2], "b": "c"}'), { a: [0, 2] });
});

test("a lesson goes on with the first step that is not done", () => {
  assert.equal(nextOf({}, "a", 3), 0);
  assert.equal(nextOf({ a: [0, 2] }, "a", 3), 1);
  assert.equal(nextOf({ a: [0, 1, 2] }, "a", 3), 0);
});

test("steps that a lesson does not have any more do not count", () => {
  assert.deepEqual(doneOf({ a: [0, 7] }, "a", 3), [0]);
});

test("a step is done once", () => {
  markDone("slow-start", 1);
  markDone("slow-start", 1);
  assert.deepEqual(progress.peek()["slow-start"], [1]);
});
