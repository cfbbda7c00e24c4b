import type { Mistake, Span } from "./expression.ts";

export type Token =
  | (Span & { readonly type: "number"; readonly value: number })
  | (Span & { readonly type: "text"; readonly value: string })
  /** A word or a dotted name. The parser distinguishes words such as `and`. */
  | (Span & { readonly type: "name"; readonly text: string })
  | (Span & { readonly type: "sign"; readonly text: string });

interface Tokens {
  readonly tokens: readonly Token[];
  /** What stopped the tokenizer; the tokens before it are valid. */
  readonly mistake: Mistake | null;
}

// In this order: a name, a number, a text, a sign. One pattern, because a flow may hold ten thousand conditions.
const TOKEN =
  /\s*(?:([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(==(?!=)|!=(?!=)|<=|>=|=(?![=<>])|<(?!>)|[>+\-*/%()[\],]))/sy;
const SPACE = /\s*/y;
const NUMBER_FITS = /^\d{1,15}(?:\.\d{1,10})?$/;

const ESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", '"': '"', "'": "'", "\\": "\\" };

// Habits of other languages, and what they are here.
const FOREIGN: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/&&?/y, "Write and instead of &&."],
  [/\|\|?/y, "Write or instead of ||."],
  [/!(?!=)/y, "Write not instead of !."],
  [/===|!==/y, "Write == or != with two signs."],
  [/<>/y, "Write != instead of <>."],
  [/=>|=</y, "Write >= or <=, with the equals sign last."],
  [/[“”„‟«»‘’‚‛]/y, 'Use straight quotes: "text".'],
  [/\{\{?|\}\}?/y, "Write the name without braces, such as variables.first_name."],
  [/\./y, "A dot stands between the parts of a name, such as collected.day."],
];

/** Cuts a text into words and signs. Never throws; stops at the first thing that is neither. */
export function tokenize(text: string): Tokens {
  const tokens: Token[] = [];
  const length = text.trimEnd().length;
  let at = 0;
  while (at < length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    const token = found ? readToken(found, TOKEN.lastIndex) : explainStrange(text, at);
    if ("message" in token) return { tokens, mistake: token };
    tokens.push(token);
    at = token.end;
  }
  return { tokens, mistake: null };
}

function readToken([, name, number, quoted, sign = ""]: RegExpExecArray, end: number): Token | Mistake {
  if (name !== undefined) return { type: "name", text: name, start: end - name.length, end };
  if (number !== undefined) return readNumber(number, end - number.length);
  if (quoted !== undefined) return readText(quoted, end - quoted.length);
  return { type: "sign", text: sign, start: end - sign.length, end };
}

function readNumber(digits: string, start: number): Token | Mistake {
  const end = start + digits.length;
  if (NUMBER_FITS.test(digits)) return { type: "number", value: Number(digits), start, end };
  return { message: "A number has at most 15 digits, and 10 after the point.", start, end };
}

function readText(quoted: string, start: number): Token | Mistake {
  const end = start + quoted.length;
  const inner = quoted.slice(1, -1);
  const unknown = [...inner.matchAll(/\\([\s\S])/g)].find(([, letter = ""]) => !(letter in ESCAPED));
  if (unknown) {
    const at = start + 1 + unknown.index;
    return { message: "After a backslash comes one of \\ \" ' n t.", start: at, end: at + 2 };
  }
  return {
    type: "text",
    value: inner.replaceAll(/\\([\s\S])/g, (_, letter: string) => ESCAPED[letter] ?? ""),
    start,
    end,
  };
}

function explainStrange(text: string, at: number): Mistake {
  SPACE.lastIndex = at;
  const start = at + (SPACE.exec(text)?.[0].length ?? 0);
  for (const [pattern, message] of FOREIGN) {
    pattern.lastIndex = start;
    const found = pattern.exec(text)?.[0];
    if (found) return { message, start, end: start + found.length };
  }
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  if (character === '"' || character === "'") {
    return { message: "This text is never closed; add a quote at its end.", start, end: text.length };
  }
  return { message: `The character ${character} means nothing here.`, start, end: start + character.length };
}
