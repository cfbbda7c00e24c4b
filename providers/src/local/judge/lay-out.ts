import type { JudgedAnswer } from "@parley/voice/ports/answer-judge";
import { SPECIAL_PIECES, type WordPieces } from "./word-pieces.ts";

/** The network was trained with these limits; tools/train-judge/judge.py has the same numbers. */
const QUESTION_TOKENS_MAX = 40;
const SAID_TOKENS_MAX = 48;
/** Of all exits together, whatever the question and the answer are, so that what was read of them is used again. */
const EXITS_TOKENS_MAX = 80;
const EXIT_TOKENS_MAX = 60;
const PHRASE_TOKENS_MAX = 12;
const PHRASES_MAX = 8;
const PROBE_TOKENS_MAX = 6;
const SEPARATOR = ";";
/** The start and the end of a text. */
const MARKS = 2;
/** Nothing beyond this can be among the tokens that are kept. */
const TEXT_LENGTH_MAX = 600;

/** One token as the network reads it. */
export interface Token {
  readonly piece: number;
  /** In its text. */
  readonly position: number;
  /** A probe is the name of an exit once more, which reads what was said. */
  readonly kind: "question" | "said" | "exit" | "probe";
  /** The exit it belongs to, from 1; 0 for none. */
  readonly slot: number;
}

/** What was said, as the network reads it alone. */
export function layOutSaid(pieces: WordPieces, said: string): readonly Token[] {
  return tokensOf(pieces.encode(said.slice(0, TEXT_LENGTH_MAX)).slice(0, SAID_TOKENS_MAX), "said", 0);
}

/** The end of a long question, where it asks. Null if it has no words. */
export function layOutQuestion(pieces: WordPieces, question: string): readonly Token[] | null {
  const words = pieces.encode(question.slice(-TEXT_LENGTH_MAX)).slice(-QUESTION_TOKENS_MAX);
  return words.length === 0 ? null : tokensOf(words, "question", 0);
}

/** Each exit with its phrases. Every exit gets its first phrase before any gets its second, while there is room. */
export function layOutExits(pieces: WordPieces, exits: JudgedAnswer["exits"]): readonly Token[] {
  const phrases = exits.map(({ when, phrases }) => [when, ...phrases.slice(0, PHRASES_MAX)]);
  const separator = pieces.encode(SEPARATOR);
  const texts: number[][] = exits.map(() => []);
  let left = EXITS_TOKENS_MAX - MARKS * exits.length;
  for (let rank = 0; rank <= PHRASES_MAX; rank++) {
    for (const [index, own] of texts.entries()) {
      const words = pieces.encode((phrases[index]?.[rank] ?? "").slice(0, TEXT_LENGTH_MAX)).slice(0, PHRASE_TOKENS_MAX);
      if (words.length === 0) continue;
      const added = own.length > 0 ? [...separator, ...words] : words;
      if (added.length > left || own.length + added.length > EXIT_TOKENS_MAX) continue;
      own.push(...added);
      left -= added.length;
    }
  }
  return texts.flatMap((words, index) => tokensOf(words, "exit", index + 1));
}

/** One for "no answer", then one for each exit. */
export function layOutProbes(pieces: WordPieces, exits: JudgedAnswer["exits"]): readonly Token[] {
  const names = [[], ...exits.map(({ when }) => pieces.encode(when.slice(0, TEXT_LENGTH_MAX)))];
  return names.flatMap((words, slot) =>
    [SPECIAL_PIECES.start, ...words.slice(0, PROBE_TOKENS_MAX)].map(
      (piece, position): Token => ({ piece, position, kind: "probe", slot }),
    ),
  );
}

/** Whether a token stands for a word, and not for the start or the end of a text. */
export function isWord({ piece }: Token): boolean {
  return piece > SPECIAL_PIECES.end;
}

function tokensOf(words: readonly number[], kind: Token["kind"], slot: number): readonly Token[] {
  const pieces = [SPECIAL_PIECES.start, ...words, SPECIAL_PIECES.end];
  return pieces.map((piece, position) => ({ piece, position, kind, slot }));
}
