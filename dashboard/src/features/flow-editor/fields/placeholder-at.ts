/** A `{{name}}` that is being written where the cursor stands. */
interface OpenPlaceholder {
  /** Where the braces begin. */
  readonly start: number;
  /** After what belongs to it already, closing braces included. */
  readonly end: number;
  /** What was written of the name. */
  readonly begun: string;
}

/** The placeholder around the cursor that is not finished before it, or null. */
export function placeholderAt(text: string, cursor: number): OpenPlaceholder | null {
  const before = /\{\{\s*([a-z0-9_]*)$/i.exec(text.slice(0, cursor));
  if (!before) return null;
  const after = /^[a-z0-9_]*\s*(?:\}\}?)?/i.exec(text.slice(cursor))?.[0] ?? "";
  // Without closing braces the words that follow are the sentence's own.
  const end = cursor + (after.includes("}") ? after.length : 0);
  return { start: before.index, end, begun: before[1] ?? "" };
}

/** The text with the placeholder finished, and where the cursor stands then. */
export function finishPlaceholder(text: string, open: OpenPlaceholder, name: string): { text: string; cursor: number } {
  const written = `{{${name}}}`;
  return {
    text: text.slice(0, open.start) + written + text.slice(open.end),
    cursor: open.start + written.length,
  };
}

/** The names that begin so, and then those that hold it anywhere. */
export function suggestNames(names: readonly string[], begun: string): string[] {
  const plain = begun.toLowerCase();
  const [first, rest] = [
    names.filter((name) => name.startsWith(plain)),
    names.filter((name) => !name.startsWith(plain) && name.includes(plain)),
  ];
  return [...first, ...rest];
}

interface TextPiece {
  readonly text: string;
  /** What it is: words, a name that something fills, or one that nothing does. */
  readonly kind: "words" | "known" | "unknown";
}

/** Cuts a text where its placeholders stand, so that each can be marked. */
export function cutAtPlaceholders(text: string, names: readonly string[]): TextPiece[] {
  const known = new Set(names);
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const name = /^\{\{([^{}]*)\}\}$/.exec(part)?.[1]?.trim();
      if (name === undefined) return { text: part, kind: "words" };
      return { text: part, kind: known.has(name) ? "known" : "unknown" };
    });
}

/** Names in braces that nothing fills, each once. */
export function unknownNames(text: string, names: readonly string[]): string[] {
  const pieces = cutAtPlaceholders(text, names).filter(({ kind }) => kind === "unknown");
  return [...new Set(pieces.map((piece) => piece.text.slice(2, -2).trim()))];
}
