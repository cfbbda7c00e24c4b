import type { Mode } from "@parley/contract/shared-fields";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { findByWords, keepMatching, readLanguages, readSpoken, writeQuery, writeWords } from "./search-store.ts";
import { foldWords, readSearch } from "./search-text.ts";

/**
 * PostgreSQL limits the words of a row to one megabyte. This much is said in about two hours, and stays below the limit
 * in any script.
 */
const FOLDED_CHARACTERS_MAX = 100_000;

/**
 * Indexes what was said in a call, in the caller's transaction. Running it again replaces the index with the current
 * text.
 */
export async function indexTranscript(tx: Tx, callId: string): Promise<void> {
  const spoken = await readSpoken(tx, callId);
  if (!spoken?.texts) return;
  const folded = foldWords(spoken.texts.join("\n")).slice(0, FOLDED_CHARACTERS_MAX).toWellFormed();
  if (folded === "") return;
  const owner = ownerEntry(spoken.account_id, spoken.mode);
  await writeWords(tx, callId, owner, folded, dictionariesFor([spoken.language]));
}

/** The lexeme that separates the words of one account and mode from all others. No word contains a colon. */
function ownerEntry(accountId: string, mode: Mode): string {
  return `${accountId}:${mode}`;
}

/** A search for calls of one account and mode by what was said in them. */
interface TranscriptSearch {
  /** Those of the given calls that match. */
  among(callIds: readonly string[]): Promise<Set<string>>;
  /** All matches, in no particular order; null when there are more than `countMax`. */
  few(countMax: number): Promise<string[] | null>;
}

/** Parses a search query. Throws 422 when it contains nothing to search for. */
export async function openSearch(db: Database, accountId: string, mode: Mode, text: string): Promise<TranscriptSearch> {
  const terms = readSearch(text);
  const dictionaries = dictionariesFor(await readLanguages(db, accountId));
  const query = await writeQuery(db, ownerEntry(accountId, mode), terms, dictionaries);
  if (query === null) return { among: async () => new Set(), few: async () => [] };
  return {
    among: (callIds) => keepMatching(db, callIds, query),
    async few(countMax) {
      const found = await findByWords(db, query, countMax + 1);
      return found.length > countMax ? null : found;
    },
  };
}

/** The stemming dictionaries of PostgreSQL 15 and later, by language. */
const DICTIONARY_BY_LANGUAGE: Readonly<Record<string, string>> = {
  ar: "arabic",
  ca: "catalan",
  da: "danish",
  de: "german",
  el: "greek",
  en: "english",
  es: "spanish",
  eu: "basque",
  fi: "finnish",
  fr: "french",
  ga: "irish",
  hi: "hindi",
  hu: "hungarian",
  hy: "armenian",
  id: "indonesian",
  it: "italian",
  lt: "lithuanian",
  nb: "norwegian",
  ne: "nepali",
  nl: "dutch",
  nn: "norwegian",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sr: "serbian",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
  yi: "yiddish",
};

/**
 * The dictionaries used for indexing and searching. `simple` keeps every word unchanged, so that names, numbers and
 * words like "not" are found; the one of the language also finds other forms of a word.
 */
function dictionariesFor(languages: readonly string[]): string[] {
  const known = languages.flatMap((language) => DICTIONARY_BY_LANGUAGE[language.split("-")[0] ?? ""] ?? []);
  return ["simple", ...new Set(known)];
}
