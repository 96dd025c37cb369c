import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { signal } from "@preact/signals";
import type { RunFrame } from "../lab/types";
import type { Range } from "../view";
import { scopeOf } from "./scope";

test("a picture is late when none has come for a while, not while they follow a slider", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const seen = { frame: signal<RunFrame | null>(null), stale: signal(false), problems: signal([]) };
  const frame = () => ({}) as RunFrame;
  const scope = scopeOf({
    live: seen,
    pinned: { ...seen, frame: signal(null) },
    duration: signal(10),
    columns: signal(0),
    window: signal<Range | null>(null),
    cursor: signal<number | null>(null),
    zoom: () => undefined,
  });
  const late = (after: number) => (mock.timers.tick(after), scope.late.value);
  assert.equal(late(1000), false);
  seen.stale.value = true;
  assert.deepEqual([late(100), late(100)], [false, true]);
  seen.frame.value = frame();
  assert.deepEqual([late(0), late(100)], [false, false], "one of the way has come");
  seen.frame.value = frame();
  assert.deepEqual([late(100), late(100)], [false, true]);
  seen.frame.value = frame();
  seen.stale.value = false;
  assert.deepEqual([late(0), late(1000)], [false, false]);
  mock.timers.reset();
});
