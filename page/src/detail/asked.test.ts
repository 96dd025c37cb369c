import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Refused } from "../client";
import type { Frame } from "../frame";
import type { Range } from "../view";
import { Asked } from "./asked";

interface Head {
  readonly window: Range;
  readonly duration_s: number;
}

const RUN = { scenario: "a", source: null, sets: [], point: 0, replication: 0 };

/** A server that answers at once, and refuses windows that are longer than `most`. */
function setUp(most = Infinity, before = 0) {
  const got: Range[] = [];
  const asked = new Asked<Head>("/x", before, async (_, body, onFrame) => {
    const { from, to } = body as { from: number; to: number };
    got.push([from, to]);
    if (to - from > most) throw new Refused(422, [{ message: "the window has too many rows", key: null, line: null }]);
    onFrame({ head: { window: [from, to], duration_s: 10 } } as unknown as Frame<Head>);
    return true;
  });
  const rest = async () => {
    mock.timers.tick(1000);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { asked, got, rest };
}

test("a drag asks once, with what is aside", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, got, rest } = setUp();
  asked.ask({ run: RUN }, [4, 5], 10);
  asked.ask({ run: RUN }, [4, 6], 10);
  assert.equal(asked.stale.value, true);
  await rest();
  assert.deepEqual(got, [[3.5, 6.5]]);
  assert.equal(asked.stale.value, false);
  mock.timers.reset();
});

test("what is there is not asked for again; another state or another part is", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, got, rest } = setUp();
  asked.ask({ run: RUN }, [0, 10], 10);
  await rest();
  asked.ask({ run: RUN }, [2, 3], 10);
  assert.equal(asked.stale.value, false);
  await rest();
  assert.equal(got.length, 1);
  asked.ask({ run: { ...RUN, point: 1 } }, [2, 3], 10);
  assert.equal(asked.stale.value, true);
  await rest();
  asked.ask({ run: { ...RUN, point: 1 } }, [1, 2], 10);
  await rest();
  assert.deepEqual(got, [
    [0, 10],
    [1.75, 3.25],
    [0.75, 2.25],
  ]);
  mock.timers.reset();
});

test("too many rows with what is aside: without it; still too many: a sentence", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, got, rest } = setUp(2, 1);
  asked.ask({ run: RUN }, [4, 6], 10);
  await rest();
  assert.deepEqual(got, [
    [3, 6.5],
    [4, 6],
  ]);
  assert.equal(asked.message.value, null);
  asked.ask({ run: RUN }, [0, 10], 10);
  await rest();
  assert.deepEqual(got.slice(2), [[0, 10]]);
  assert.deepEqual([asked.message.value, asked.stale.value], ["The window has too many rows.", true]);
  mock.timers.reset();
});
