/** RFC 3261 section 25.1: the characters of a `token`. */
const TOKEN = /^[A-Za-z0-9\-.!%*_+`'~]+$/;

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Splits at a separator outside quoted strings and angle brackets. Parts are trimmed. */
export function splitOutside(text: string, separator: "," | ";"): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  let isBracketed = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character === "\\") at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === "<") isBracketed = true;
    else if (character === ">") isBracketed = false;
    else if (character === separator && !isBracketed) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}

/** Where a quoted string that begins at `start` ends: the index behind its closing quote, or -1 when it has none. */
export function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

/** The content of a quoted string; other text unchanged. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/gs, "$1");
}

export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
