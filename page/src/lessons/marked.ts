// The texts of lessons: paragraphs with `code` and *emphasis*, and nothing else.

export type Part = { readonly kind: "text" | "code" | "emphasis"; readonly text: string };

/** A number and its unit stay on one line. */
const UNITS = /(\d) (?=(?:m?s|[kMG]?B|[kM]bit\/s|%|rtt|RTTs?|packets?|segments?|BDP)\b|%)/g;

const MARKED = /`([^`]+)`|\*([^*\s](?:[^*]*[^*\s])?)\*/g;

/** The paragraphs of a text; a blank line is between two of them. */
export function paragraphs(text: string): Part[][] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => parts(paragraph.trim().replace(/\s*\n\s*/g, " ")));
}

/** A line in its parts. A sign without its partner is text. */
export function parts(written: string): Part[] {
  const line = written.replace(UNITS, "$1\u00a0");
  const found: Part[] = [];
  let at = 0;
  for (const match of line.matchAll(MARKED)) {
    if (match.index > at) found.push({ kind: "text", text: line.slice(at, match.index) });
    found.push(match[1] === undefined ? { kind: "emphasis", text: match[2] ?? "" } : { kind: "code", text: match[1] });
    at = match.index + match[0].length;
  }
  if (at < line.length) found.push({ kind: "text", text: line.slice(at) });
  return found;
}
