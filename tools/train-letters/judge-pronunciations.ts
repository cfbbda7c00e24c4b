import type { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import type { Entry } from "./held-out-words.ts";

/** Shares in percent. */
interface Judgement {
  readonly words: number;
  readonly right: number;
  readonly rightWithoutStress: number;
  readonly phoneErrors: number;
  readonly phoneErrorsWithoutStress: number;
}

/** Word and phone errors of the model, against the nearest of a word's pronunciations. */
export function judgePronunciations(model: Pick<LetterModel, "pronounce">, held: readonly Entry[]): Judgement {
  const byWord = Map.groupBy(held, ({ word }) => word);
  const totals = { words: 0, right: 0, rightUnstressed: 0, phones: 0, errors: 0, errorsUnstressed: 0 };
  for (const [word, known] of byWord) {
    const guess = model.pronounce(word)?.split(" ") ?? [];
    const bare = (phones: readonly string[]) => phones.map((phone) => phone.replace(/\d$/, ""));
    const errors = known.map(({ phones }) => edits(phones, guess));
    const unstressed = known.map(({ phones }) => edits(bare(phones), bare(guess)));
    totals.words += 1;
    totals.right += Math.min(...errors) === 0 ? 1 : 0;
    totals.rightUnstressed += Math.min(...unstressed) === 0 ? 1 : 0;
    totals.errors += Math.min(...errors);
    totals.errorsUnstressed += Math.min(...unstressed);
    totals.phones += known[0]?.phones.length ?? 0;
  }
  const { words, phones } = totals;
  return {
    words,
    right: (100 * totals.right) / words,
    rightWithoutStress: (100 * totals.rightUnstressed) / words,
    phoneErrors: (100 * totals.errors) / phones,
    phoneErrorsWithoutStress: (100 * totals.errorsUnstressed) / phones,
  };
}

function edits(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, phone] of one.entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at++) {
      next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, (row[at] ?? 0) + (phone === other[at] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
