import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inScale, number, quantity, scaleFor, ticks, time, timeTexts } from "./units";

test("a quantity is told in the unit that an engineer would choose", () => {
  const cases: [number, string, string][] = [
    [2e7, "bit/s", "20 Mbit/s"],
    [1.5e9, "bit/s", "1.5 Gbit/s"],
    [999, "bit/s", "999 bit/s"],
    [0.0125, "s", "12.5 ms"],
    [0.00002, "s", "20 µs"],
    [30, "s", "30 s"],
    [0, "s", "0 s"],
    [65535, "bytes", "65.53 kB"],
    [0, "bytes", "0 bytes"],
    [33, "packets", "33 packets"],
    [1, "packets", "1 packet"],
    [0.123456, "", "0.1235"],
    [Number.NaN, "s", "–"],
  ];
  for (const [value, unit, text] of cases) assert.equal(quantity(value, unit), text);
});

test("numbers have no needless digits, and commas from 10,000 on", () => {
  assert.equal(number(51_000), "51,000");
  assert.equal(number(1234567.8), "1,234,568");
  assert.equal(number(-9999.4), "-9999");
  assert.equal(number(0.1 + 0.2), "0.3");
  assert.equal(number(-0), "0");
  assert.equal(number(0.000012351), "0.00001235");
});

test("an axis has one scale", () => {
  const scale = scaleFor("bytes", 64_000);
  assert.equal(inScale(500, scale), "0.5 kB");
  assert.equal(inScale(Number.NaN, scale), "–");
});

test("ticks are round, inside, and not too many", () => {
  assert.deepEqual(ticks(0, 30, 6), [0, 5, 10, 15, 20, 25, 30]);
  assert.deepEqual(ticks(2.95, 3.2, 5), [2.95, 3, 3.05, 3.1, 3.15, 3.2]);
  assert.deepEqual(ticks(5, 5, 4), []);
  const range = { min: -1e6, max: 1e6, noNaN: true };
  fc.assert(
    fc.property(fc.double(range), fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (low, length) => {
      const found = ticks(low, low + length, 8);
      assert.ok(found.length >= 2 && found.length <= 9);
      for (const each of found) assert.ok(each >= low - length * 1e-6 && each <= low + length * (1 + 1e-6));
    }),
  );
});

test("a time is as exact as its window", () => {
  assert.equal(time(3.14159, 30), "3.14 s");
  assert.equal(time(3.14159, 0.01), "3.14159 s");
});

test("numbers along a time axis have the decimals that their step needs", () => {
  assert.deepEqual(timeTexts([0, 5, 10]), ["0", "5", "10 s"]);
  assert.deepEqual(timeTexts([0.5, 1, 1.5]), ["0.5", "1.0", "1.5 s"]);
  assert.deepEqual(timeTexts([12.0000001, 12.0000002]), ["12.0000001", "12.0000002 s"]);
  assert.deepEqual(timeTexts([3]), ["3 s"]);
  assert.deepEqual(timeTexts([]), []);
});
