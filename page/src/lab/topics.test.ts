import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { byTopic, TOPICS } from "./topics";

test("every scenario that comes with ackclock has a topic", () => {
  const folder = ["scenarios", "../scenarios"].find((each) => existsSync(each))!;
  const shipped = readdirSync(folder).filter((each) => each.endsWith(".toml")).map((each) => each.replace(".toml", ""));
  assert.deepEqual(TOPICS.flatMap(([, ids]) => ids).sort(), shipped.sort());
});

test("cards come by topic, the user's first", () => {
  const card = (id: string, folder: string) =>
    ({ id, folder, title: id, description: "", see: "", commands: [], flows: 1, duration_s: 1 });
  const found = byTopic([card("red", "examples"), card("bufferbloat", "examples"), card("yours/a", "yours"), card("new", "examples")]);
  assert.deepEqual(found.map((each) => [each.title, each.cards.map((one) => one.id)]), [
    ["Your own", ["yours/a"]],
    ["Queues and buffers", ["bufferbloat", "red"]],
    ["More", ["new"]],
  ]);
});
