import { invalidField } from "@parley/contract/errors";
import { foldWords } from "./fold-words.ts";

/** Words that must stand in this order, side by side. One word is the usual case. */
export interface SearchTerm {
  readonly words: string;
  readonly isExcluded: boolean;
}

// A minus counts only before a word, and a quotation mark that is never closed reaches to the end.
const TERM = /(?<minus>(?<![^\s])-)?(?:["“”„](?<phrase>[^"“”„]*)["“”„]?|(?<word>[^\s"“”„]+))/gu;

/** Reads what somebody wrote into a search box: words that all occur, "phrases in quotes", and -words that do not. */
export function readSearch(text: string): SearchTerm[] {
  const terms = [...text.matchAll(TERM)]
    .map(({ groups }) => ({
      words: foldWords(groups?.["phrase"] ?? groups?.["word"] ?? ""),
      isExcluded: groups?.["minus"] !== undefined,
    }))
    .filter(({ words }) => words !== "");
  if (terms.every(({ isExcluded }) => isExcluded))
    throw invalidField("q", "no_words", "q must contain a word or a number to look for.");
  return terms;
}
