import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOf, shortName } from "./names";

test("the flows of a group are named by their numbers", () => {
  const flow = (name: string, count: number) => ({ name, count, group: null, from: "", to: "", by: [], flavor: "", workload: "" });
  assert.deepEqual(namesOf([flow("long 1", 3), flow("ftp", 1), flow("1", 1)]), ["long 1", "long 2", "long 3", "ftp", "1"]);
  assert.equal(namesOf([flow("web 1", 10_000)]).length, 200);
});

test("a factor that is a key is told by its end", () => {
  assert.equal(shortName("topology.bottleneck.queue.limit"), "queue limit");
  assert.equal(shortName("initial_window"), "initial window");
  assert.equal(shortName("tcp.flavor"), "TCP flavor");
});
