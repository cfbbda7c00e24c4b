const E164 = /^\+[1-9][0-9]{6,14}$/;

/**
 * Converts a phone number as people write it to the API's format; null when it is invalid or its country is missing.
 */
export function readNumber(text: string): string | null {
  const bare = text.replaceAll(/[\s()./\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069-]/g, "").replace(/^00/, "+");
  return E164.test(bare) ? bare : null;
}

export interface ReadNumbers {
  readonly numbers: readonly string[];
  /** What could not be parsed, as written. */
  readonly unreadable: readonly string[];
}

/** Numbers from a pasted list, each once: one per line, or separated by commas, semicolons or tabs. */
export function readNumbers(text: string): ReadNumbers {
  const numbers = new Set<string>();
  const unreadable: string[] = [];
  for (const piece of text.split(/[\n\r,;\t]+/)) {
    const written = piece.trim().replaceAll(/^["']|["']$/g, "");
    if (written === "") continue;
    const number = readNumber(written);
    if (number) numbers.add(number);
    else unreadable.push(written);
  }
  return { numbers: [...numbers], unreadable };
}
