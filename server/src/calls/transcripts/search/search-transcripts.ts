import type { Mode } from "@parley/contract/shared-fields";
import type { Database, Tx } from "../../../platform/database/database.ts";
import {
  deleteKeywords,
  findByWords,
  keepMatching,
  readKeywordSources,
  readLanguages,
  readSpoken,
  type WordTable,
  writeKeywords,
  writeQuery,
  writeWords,
} from "./search-store.ts";
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

/** Indexes what is written about a call: its metadata, tags and note. Running it again replaces the index. */
export async function indexKeywords(
  tx: Tx,
  call: { readonly id: string; readonly accountId: string; readonly mode: Mode },
): Promise<void> {
  const sources = await readKeywordSources(tx, call.id);
  if (!sources) return;
  const texts = [...Object.entries(sources.metadata).flat(), ...(sources.tags ?? []), sources.note ?? ""];
  const folded = foldWords(texts.join("\n")).slice(0, FOLDED_CHARACTERS_MAX).toWellFormed();
  if (folded === "") return deleteKeywords(tx, call.id);
  await writeKeywords(tx, call, ownerEntry(call.accountId, call.mode), folded);
}

/** A search for calls of one account and mode by a property that no index has in the order of the list. */
export interface CallSearch {
  /** Those of the given calls that match. */
  among(callIds: readonly string[]): Promise<Set<string>>;
  /** All matches, in no particular order; null when there are more than `countMax`. */
  few(countMax: number): Promise<string[] | null>;
}

const NOTHING: CallSearch = { among: async () => new Set(), few: async () => [] };

/** Searches for calls by what was said in them. Throws 422 when the text contains nothing to search for. */
export async function openSearch(db: Database, accountId: string, mode: Mode, text: string): Promise<CallSearch> {
  const terms = readSearch(text);
  const dictionaries = dictionariesFor(await readLanguages(db, accountId));
  const query = await writeQuery(db, ownerEntry(accountId, mode), terms, dictionaries);
  return query === null ? NOTHING : searchWords(db, "transcript_words", query);
}

/** Searches for calls by what was said in them or written about them, also by the beginnings of words. */
export async function openWordSearches(
  db: Database,
  accountId: string,
  mode: Mode,
  text: string,
): Promise<readonly CallSearch[]> {
  const terms = readSearch(text);
  const owner = ownerEntry(accountId, mode);
  const dictionaries = dictionariesFor(await readLanguages(db, accountId));
  const spoken = await writeQuery(db, owner, terms, dictionaries, true);
  const written = await writeQuery(db, owner, terms, ["simple"], true);
  return [
    spoken === null ? NOTHING : searchWords(db, "transcript_words", spoken),
    written === null ? NOTHING : searchWords(db, "call_keywords", written),
  ];
}

function searchWords(db: Database, table: WordTable, query: string): CallSearch {
  return {
    among: (callIds) => keepMatching(db, table, callIds, query),
    async few(countMax) {
      const found = await findByWords(db, table, query, countMax + 1);
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
