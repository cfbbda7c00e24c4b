import type { JudgedAnswer, JudgedUtterance } from "@parley/voice/ports/answer-judge";
import type { WordPieces } from "./word-pieces.ts";

/** The network was trained with these limits; tools/train-judge/judge.py has the same numbers. */
const TOKENS_MAX = 112;
const QUESTION_TOKENS_MAX = 40;
const SAID_TOKENS_MAX = 48;
const PHRASE_TOKENS_MAX = 12;
const PHRASES_MAX = 8;
/** Nothing beyond this can be among the tokens that are kept. */
const TEXT_LENGTH_MAX = 600;

export const BLOCK_KINDS = { question: 1, said: 2, exit: 3 } as const;

/** One text of a judgement as word pieces. */
export interface Block {
  readonly kind: keyof typeof BLOCK_KINDS;
  /** The exit it belongs to, from 1; 0 for none. */
  readonly slot: number;
  readonly ids: readonly number[];
}

/**
 * What the network reads: the question, what was said, then the first phrase of every exit, the second of every exit, and so on
 * while there is room.
 */
export function layOut(pieces: WordPieces, { question, exits, said }: JudgedAnswer): readonly Block[] {
  const blocks: Block[] = [questionBlock(pieces, question), saidBlock(pieces, said)];
  let left = TOKENS_MAX - blocks.reduce((count, { ids }) => count + ids.length, 0);
  for (const block of exitBlocks(pieces, exits)) {
    if (block.ids.length > left) continue;
    blocks.push(block);
    left -= block.ids.length;
  }
  return blocks.filter(({ ids }) => ids.length > 0);
}

/** The same question and utterance without exits, as the network for requests sees them. */
export function layOutUtterance(
  pieces: WordPieces,
  { question, said }: JudgedUtterance,
): { readonly question: Block; readonly said: Block } {
  return { question: questionBlock(pieces, question), said: saidBlock(pieces, said) };
}

function saidBlock(pieces: WordPieces, said: string): Block {
  return { kind: "said", slot: 0, ids: pieces.encode(said.slice(0, TEXT_LENGTH_MAX)).slice(0, SAID_TOKENS_MAX) };
}

function questionBlock(pieces: WordPieces, question: string): Block {
  return {
    kind: "question",
    slot: 0,
    ids: pieces.encode(question.slice(-TEXT_LENGTH_MAX)).slice(-QUESTION_TOKENS_MAX),
  };
}

function exitBlocks(pieces: WordPieces, exits: JudgedAnswer["exits"]): readonly Block[] {
  const texts = exits.map(({ when, phrases }) => [when, ...phrases.slice(0, PHRASES_MAX)]);
  const ranks = Array.from({ length: 1 + PHRASES_MAX }, (_, rank) => rank);
  return ranks.flatMap((rank) =>
    texts.flatMap((own, index): Block[] => {
      const text = own[rank];
      if (text === undefined) return [];
      const ids = pieces.encode(text.slice(0, TEXT_LENGTH_MAX)).slice(0, PHRASE_TOKENS_MAX);
      return [{ kind: "exit", slot: index + 1, ids }];
    }),
  );
}
