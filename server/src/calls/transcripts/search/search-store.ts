import type { Mode } from "@parley/contract/shared-fields";
import { type Database, inTransaction, run, type Tx } from "../../../platform/database/database.ts";
import type { SearchTerm } from "./search-text.ts";

export interface SpokenRow {
  readonly account_id: string;
  readonly mode: Mode;
  readonly language: string;
  readonly texts: readonly string[] | null;
}

/** Everything said in a call, as understood live and in the second pass, and its language. */
export async function readSpoken(tx: Tx, callId: string): Promise<SpokenRow | null> {
  const [row] = await run<SpokenRow>(
    tx,
    `/* read_spoken */ select c.account_id, c.mode, v.language,
       (select array_agg(concat_ws(' ', i.item->>'heardText', r.text) order by i.start_ms, i.ordinal)
        from transcript_items i left join transcript_revisions r on r.call_id = i.call_id and r.ordinal = i.ordinal
        where i.call_id = c.id and i.type = 'speech') as texts
     from calls c join agent_versions v on v.agent_id = c.agent_id and v.version = c.agent_version
     where c.id = $1`,
    [callId],
  );
  return row ?? null;
}

/** Stores the words of a call, replacing earlier ones. */
export async function writeWords(
  tx: Tx,
  callId: string,
  owner: string,
  folded: string,
  dictionaries: readonly string[],
): Promise<void> {
  const words = dictionaries.map((name) => `to_tsvector('${name}', $3)`).join(" || ");
  await run(
    tx,
    `insert into transcript_words (call_id, words) select $1, ${words} || array_to_tsvector(array[$2])
     on conflict on constraint transcript_words_pkey do update set words = excluded.words`,
    [callId, owner, folded],
  );
}

export async function deleteWords(tx: Tx, callId: string): Promise<void> {
  await run(tx, "/* delete_transcript_words */ delete from transcript_words where call_id = $1", [callId]);
}

/** The languages of an account's agents. */
export async function readLanguages(db: Database, accountId: string): Promise<string[]> {
  const rows = await run<{ language: string }>(
    db,
    "/* read_agent_languages */ select distinct language from agents where account_id = $1 and deleted_at is null",
    [accountId],
  );
  return rows.map(({ language }) => language);
}

/** Shorter beginnings of words match too much to be useful. */
const BEGINNING_CHARS_MIN = 3;

/**
 * The search as a PostgreSQL query: a word may match in any of the dictionaries, and all words must match. Null when
 * PostgreSQL finds no word in one of the terms, so that nothing can match it. `matchesBeginnings` also finds longer words.
 */
export async function writeQuery(
  db: Database,
  owner: string,
  terms: readonly SearchTerm[],
  dictionaries: readonly string[],
  matchesBeginnings = false,
): Promise<string | null> {
  const places = terms.map(({ isExcluded, words }, index) => ({
    isExcluded,
    place: `$${index + 2}`,
    // The dictionaries of languages drop stop words, and with them the word positions that a phrase needs.
    names: words.includes(" ") ? ["simple"] : dictionaries,
    isBeginning: matchesBeginnings && !isExcluded && !words.includes(" ") && words.length >= BEGINNING_CHARS_MIN,
  }));
  const conditions = places.map(({ isExcluded, place, names, isBeginning }) => {
    const forms = [
      ...names.map((name) => `phraseto_tsquery('${name}', ${place})`),
      // A folded word has only letters and digits, which need no quoting.
      ...(isBeginning ? [`to_tsquery('simple', ${place} || ':*')`] : []),
    ].join(" || ");
    return isExcluded ? `(!!(${forms}))` : `(${forms})`;
  });
  const sizes = places
    .filter(({ isExcluded }) => !isExcluded)
    .map(({ place }) => `numnode(phraseto_tsquery('simple', ${place}))`);
  const [row] = await run<{ query: string; size: number }>(
    db,
    `select ($1::tsquery && ${conditions.join(" && ")})::text as query, least(${sizes.join(", ")}) as size`,
    [`'${owner}'`, ...terms.map(({ words }) => words)],
  );
  return row && row.size > 0 ? row.query : null;
}

/** The tables with the words of calls: those spoken in them, and those written about them. */
export type WordTable = "transcript_words" | "call_keywords";

export const findByWordsIn = (table: WordTable) => `select call_id from ${table} where words @@ $1::tsquery limit $2`;

/** Matching calls, in no particular order. */
export function findByWords(db: Database, table: WordTable, query: string, rowsMax: number): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    // The planner considers a sequential scan cheap, because it ignores that the words are stored out of line and
    // compressed.
    await run(tx, "set local enable_seqscan = off");
    const rows = await run<{ call_id: string }>(tx, findByWordsIn(table), [query, rowsMax]);
    return rows.map(({ call_id }) => call_id);
  });
}

/** Those of the given calls that match. */
export async function keepMatching(
  db: Database,
  table: WordTable,
  callIds: readonly string[],
  query: string,
): Promise<Set<string>> {
  const rows = await run<{ call_id: string }>(
    db,
    `/* keep_matching_${table} */ select call_id from ${table} where call_id = any($1) and words @@ $2::tsquery`,
    [callIds, query],
  );
  return new Set(rows.map(({ call_id }) => call_id));
}

/** What members may find a call by, besides its number and what was said. */
interface KeywordRow {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tags: readonly string[] | null;
  readonly note: string | null;
}

export async function readKeywordSources(tx: Tx, callId: string): Promise<KeywordRow | null> {
  const [row] = await run<KeywordRow>(
    tx,
    `/* read_keyword_sources */ select c.metadata, n.tags, n.note
     from calls c left join call_notes n on n.call_id = c.id where c.id = $1`,
    [callId],
  );
  return row ?? null;
}

/** Stores the keywords of a call, replacing earlier ones. */
export async function writeKeywords(
  tx: Tx,
  call: { readonly id: string; readonly accountId: string },
  owner: string,
  folded: string,
): Promise<void> {
  await run(
    tx,
    `/* write_keywords */ insert into call_keywords (call_id, account_id, words)
     values ($1, $2, to_tsvector('simple', $4) || array_to_tsvector(array[$3]))
     on conflict on constraint call_keywords_pkey do update set words = excluded.words`,
    [call.id, call.accountId, owner, folded],
  );
}

export async function deleteKeywords(tx: Tx, callId: string): Promise<void> {
  await run(tx, "/* delete_keywords */ delete from call_keywords where call_id = $1", [callId]);
}
