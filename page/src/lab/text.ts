// Plain text of scenarios, as the page shows it.

/** Paragraphs; the first letter of each is a capital one. */
export function paragraphs(text: string): string[] {
  return text
    .split("\n\n")
    .filter(Boolean)
    .map((each) => each.charAt(0).toUpperCase() + each.slice(1));
}

/** Units as the page writes them: scenarios have "us". */
export function micro(text: string): string {
  return text.replace(/(\d )us\b/g, "$1µs");
}
