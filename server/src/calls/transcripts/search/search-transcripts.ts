import type { Mode } from "@parley/contract/shared-fields";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { findByWords, keepMatching, readLanguages, readSpoken, writeQuery, writeWords } from "./search-store.ts";
import { foldWords, readSearch } from "./search-text.ts";

/**
 * PostgreSQL keeps a megabyte of words for a row at most, whatever they are, and refuses more. This much is said in
 * some two hours, and stays below that in any script.
 */
const FOLDED_CHARACTERS_MAX = 100_000;

/** Makes a call findable by what was heard in it, in the caller's transaction. Done again, it takes what there is now. */
export async function indexTranscript(tx: Tx, callId: string): Promise<void> {
  const spoken = await readSpoken(tx, callId);
  if (!spoken?.texts) return;
  const folded = foldWords(spoken.texts.join("\n")).slice(0, FOLDED_CHARACTERS_MAX).toWellFormed();
  if (folded === "") return;
  const owner = ownerEntry(spoken.account_id, spoken.mode);
  await writeWords(tx, callId, owner, folded, dictionariesFor([spoken.language]));
}

/** The entry by which the words of one account in one mode are told from all others. No word contains a colon. */
function ownerEntry(accountId: string, mode: Mode): string {
  return `${accountId}:${mode}`;
}

/** Looks for calls by what was heard in them, in one account and mode. */
interface TranscriptSearch {
  /** Which of these calls match. */
  among(callIds: readonly string[]): Promise<Set<string>>;
  /** All that match, in no order; null when there are more than so many. */
  few(countMax: number): Promise<string[] | null>;
}

/** Understands what is looked for. Throws 422 where it is nothing that could be found. */
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

/** The word forms that PostgreSQL 15 and later know, by language. */
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
 * By which dictionaries words are kept and looked for. `simple` takes every word as it is, so that names, numbers and
 * words like "not" are found; that of the language finds other forms of a word.
 */
function dictionariesFor(languages: readonly string[]): string[] {
  const known = languages.flatMap((language) => DICTIONARY_BY_LANGUAGE[language.split("-")[0] ?? ""] ?? []);
  return ["simple", ...new Set(known)];
}
