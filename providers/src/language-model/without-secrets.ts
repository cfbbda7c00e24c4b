/** Vendors show parts of a key in their messages; this few characters reveal nothing about the rest. */
const TELLTALE_LENGTH = 6;

/** Removes every word that shows a piece of a key from a vendor's message. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return text.replace(/[^\s"',]+/g, (word) =>
    secrets.some((secret) => showsPieceOf(secret, word)) ? "[removed]" : word,
  );
}

function showsPieceOf(secret: string, word: string): boolean {
  for (let start = 0; start + TELLTALE_LENGTH <= secret.length; start += 1) {
    if (word.includes(secret.slice(start, start + TELLTALE_LENGTH))) return true;
  }
  return false;
}
