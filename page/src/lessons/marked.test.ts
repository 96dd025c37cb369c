import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { paragraphs, parts } from "./marked";

test("code and emphasis are parts of a line", () => {
  assert.deepEqual(parts("The *congestion window* (`cwnd`) grows."), [
    { kind: "text", text: "The " },
    { kind: "emphasis", text: "congestion window" },
    { kind: "text", text: " (" },
    { kind: "code", text: "cwnd" },
    { kind: "text", text: ") grows." },
  ]);
});

test("signs without a partner are text, and nothing is HTML", () => {
  for (const line of ["2 * 3 = 6", "a ` b", "* *", "<b>5 < 6 & 7</b>"]) {
    assert.deepEqual(parts(line), [{ kind: "text", text: line }]);
  }
});

test("a blank line begins a paragraph, a single break does not", () => {
  const found = paragraphs("\nOne\ntwo.\n\n  Three.\n");
  assert.deepEqual(found.map((each) => each.map(({ text }) => text).join("")), ["One two.", "Three."]);
});

test("a number stays with its unit", () => {
  assert.deepEqual(parts("in 5 ms, 10 Mbit/s, 99 % of 7 days"), [{ kind: "text", text: "in 5\u00a0ms, 10\u00a0Mbit/s, 99\u00a0% of 7 days" }]);
});

test("no letter is lost", () => {
  fc.assert(
    fc.property(fc.string(), (line) => {
      const text = parts(line).map(({ kind, text }) => (kind === "code" ? `\`${text}\`` : kind === "emphasis" ? `*${text}*` : text));
      assert.equal(text.join("").replaceAll("\u00a0", " "), line.replaceAll("\u00a0", " "));
    }),
  );
});
