const COPIED = "parley.copied";

/** Keeps what was copied in the browser too: a menu may not read the clipboard. */
export function keepCopied(text: string): void {
  try {
    localStorage.setItem(COPIED, text);
  } catch {
    // The storage is full; the clipboard has it.
  }
}

/** What was copied last in this browser, here or in another agent; null if nothing was. */
export function readCopied(): string | null {
  return localStorage.getItem(COPIED);
}
