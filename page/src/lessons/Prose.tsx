// Texts of lessons on the page.

import { paragraphs, parts, type Part } from "./marked";

export function Prose({ text }: { text: string }) {
  return (
    <>
      {paragraphs(text).map((paragraph, k) => (
        <p key={k}><Parts parts={paragraph} /></p>
      ))}
    </>
  );
}

/** A line without a paragraph of its own. */
export function Line({ text }: { text: string }) {
  return <Parts parts={parts(text)} />;
}

function Parts({ parts }: { parts: readonly Part[] }) {
  return (
    <>
      {parts.map(({ kind, text }, k) => (kind === "code" ? <code key={k}>{text}</code> : kind === "emphasis" ? <em key={k}>{text}</em> : text))}
    </>
  );
}
