// What this browser keeps for this page. A browser may refuse to keep anything; then nothing is kept.

/** A kept text, or null. */
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // The page works without; the choice is lost when it is closed.
  }
}
