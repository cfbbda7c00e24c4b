import type { Mode } from "@parley/contract/shared-fields";
import type { Tx } from "../../../platform/database/database.ts";
import { dictionariesFor } from "./dictionaries.ts";
import { foldWords } from "./fold-words.ts";
import { deleteWords, readSpoken, writeWords } from "./search-store.ts";

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

/** Takes the words of a call away, so that it is not found by them any more. */
export function forgetWords(tx: Tx, callId: string): Promise<void> {
  return deleteWords(tx, callId);
}

/** The entry by which the words of one account in one mode are told from all others. No word contains a colon. */
export function ownerEntry(accountId: string, mode: Mode): string {
  return `${accountId}:${mode}`;
}
