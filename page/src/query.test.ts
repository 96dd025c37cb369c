import assert from "node:assert/strict";
import test from "node:test";
import { changed, textOf } from "./query";
import { address, parse, type Route } from "./state";

test("a text is changed, added or taken out, and the others stay", () => {
  const query = [["metric", "utilisation"], ["by", "queue"]] as const;
  assert.deepEqual(changed(query, { metric: "drop_share", x: "rate" }), [["by", "queue"], ["metric", "drop_share"], ["x", "rate"]]);
  assert.deepEqual(changed(query, { by: null }), [["metric", "utilisation"]]);
  assert.equal(textOf(query, "by"), "queue");
  assert.equal(textOf(query, "x"), null);
});

test("jobs have addresses", async () => {
  const routes: Route[] = [{ page: "jobs" }, { page: "job", id: "20260131-100000-pair-3f", query: [["metric", "drops"]] }];
  for (const route of routes) assert.deepEqual(await parse(`#${await address(route)}`), route);
});
