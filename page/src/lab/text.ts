// Plain text of scenarios, as the page shows it.

/** Paragraphs; the first letter of each is a capital one. */
export function paragraphs(text: string): string[] {
  return text
    .split("\n\n")
    .filter(Boolean)
    .map((each) => each.charAt(0).toUpperCase() + each.slice(1));
}
