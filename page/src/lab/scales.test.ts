import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PLACES, placeOf, spanOf, stepped, valueAt, type Span } from "./scales";

const log: Span = { low: 0.1, high: 1000, scale: "log", step: 0 };
const linear: Span = { low: 1, high: 40, scale: "linear", step: 1 };

test("places have round numbers", () => {
  assert.equal(valueAt(0, log), 0.1);
  assert.equal(valueAt(500, log), 10);
  assert.equal(valueAt(501, log), 10);
  assert.equal(valueAt(1000, log), 1000);
  assert.equal(valueAt(500, linear), 21);
});

test("numbers rise with places, and a number comes back to its place", () => {
  for (const span of [log, linear]) {
    for (let place = 1; place <= PLACES; place++) assert.ok(valueAt(place, span) >= valueAt(place - 1, span));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: PLACES }), (place) => {
        const value = valueAt(place, span);
        assert.equal(valueAt(placeOf(value, span), span), value);
      }),
    );
  }
});

test("arrows lead to another number until the end", () => {
  for (const span of [log, linear]) {
    for (const by of [1, -1, 10, -10]) {
      const end = by > 0 ? span.high : span.low;
      let value = by > 0 ? span.low : span.high;
      for (let count = 0; value !== end; count++) {
        const next = stepped(value, by, span);
        assert.ok(by > 0 ? next > value : next < value, `${value} ${by}`);
        value = next;
        assert.ok(count < 400);
      }
      assert.equal(stepped(end, by, span), end);
    }
  }
});

test("what lies outside is at the end", () => {
  assert.equal(placeOf(1e9, log), PLACES);
  assert.equal(placeOf(-1, log), 0);
});

test("a span needs two ends, and a logarithm a number above 0", () => {
  const slider = { key: "a", label: "A", kind: "number", value: 1, help: "" } as const;
  assert.equal(spanOf(slider), null);
  assert.equal(spanOf({ ...slider, low: 3, high: 3 }), null);
  assert.equal(spanOf({ ...slider, low: 0, high: 3, scale: "log" })?.scale, "linear");
});
