import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../../../platform/database/database.ts";
import { dictionariesFor } from "./dictionaries.ts";
import { ownerEntry } from "./index-transcript.ts";
import { readSearch } from "./read-search.ts";
import { findByWords, keepMatching, readLanguages, writeQuery } from "./search-store.ts";

/** Looks for calls by what was heard in them, in one account and mode. */
export interface TranscriptSearch {
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
