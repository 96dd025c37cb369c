// Texts of scenarios: paragraphs, with `code` in them.

export function Text({ paragraphs }: { paragraphs: readonly string[] }) {
  return (
    <>
      {paragraphs.map((text) => (
        <p key={text}><Coded text={text} /></p>
      ))}
    </>
  );
}

export function Coded({ text }: { text: string }) {
  // Every second part stands between backticks.
  return <>{text.split("`").map((part, k) => (k % 2 ? <code key={k}>{part}</code> : part))}</>;
}
