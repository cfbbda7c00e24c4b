import type { CallMatchPlace } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { type Database, run } from "../../platform/database/database.ts";

/** The id of the account's call, or null. */
export async function findById(db: Database, accountId: string, mode: Mode, id: string): Promise<string | null> {
  const [row] = await run<{ id: string }>(
    db,
    "/* find_call_id */ select id from calls where id = $1 and account_id = $2 and mode = $3",
    [id, accountId, mode],
  );
  return row?.id ?? null;
}

/** Those of the given calls whose number matches the pattern. */
export async function keepByNumber(db: Database, callIds: readonly string[], pattern: string): Promise<Set<string>> {
  const rows = await run<{ id: string }>(
    db,
    "/* keep_by_number */ select id from calls where id = any($1) and phone_number like $2",
    [callIds, pattern],
  );
  return new Set(rows.map(({ id }) => id));
}

// In the order of the index calls_by_number, which covers the query: the calls themselves are not read.
export const FIND_BY_NUMBER = `/* find_by_number */ select id from calls
  where account_id = $1 and mode = $2 and phone_number like $3 order by phone_number limit $4`;

/** Calls whose number matches the pattern, in no particular order, at most `limit`. */
export async function findByNumber(
  db: Database,
  accountId: string,
  mode: Mode,
  pattern: string,
  limit: number,
): Promise<string[]> {
  const rows = await run<{ id: string }>(db, FIND_BY_NUMBER, [accountId, mode, pattern, limit]);
  return rows.map(({ id }) => id);
}

/** A text of a call in which words may be found. */
export interface MatchSource {
  readonly callId: string;
  readonly place: CallMatchPlace;
  /** Who spoke, or the key of the metadata. */
  readonly name: string | null;
  readonly startMs: number | null;
  readonly text: string;
}

/** Those of the calls that belong to the account and mode, with what is written about them. */
export async function readMatchSources(
  db: Database,
  accountId: string,
  mode: Mode,
  callIds: readonly string[],
): Promise<{ readonly callId: string; readonly sources: readonly MatchSource[] }[]> {
  const rows = await run<{
    id: string;
    metadata: Record<string, string>;
    tags: readonly string[] | null;
    note: string | null;
  }>(
    db,
    `/* read_match_sources */ select c.id, c.metadata, n.tags, n.note
     from calls c left join call_notes n on n.call_id = c.id
     where c.id = any($1) and c.account_id = $2 and c.mode = $3`,
    [callIds, accountId, mode],
  );
  return rows.map(({ id: callId, metadata, tags, note }) => {
    const source = (place: CallMatchPlace, name: string | null, text: string): MatchSource => ({
      callId,
      place,
      name,
      text,
      startMs: null,
    });
    return {
      callId,
      sources: [
        ...(tags ?? []).map((tag) => source("tag", null, tag)),
        ...(note ? [source("note", null, note)] : []),
        ...Object.entries(metadata).map(([key, value]) => source("metadata", key, value === "" ? key : value)),
      ],
    };
  });
}

/** What was heard in these calls, in order. */
export async function readSpeechSources(db: Database, callIds: readonly string[]): Promise<MatchSource[]> {
  const rows = await run<{ call_id: string; role: string; start_ms: number; text: string }>(
    db,
    `/* read_speech_sources */ select i.call_id, i.item->>'role' as role, i.start_ms,
       coalesce(r.text, i.item->>'heardText', '') as text
     from transcript_items i left join transcript_revisions r on r.call_id = i.call_id and r.ordinal = i.ordinal
     where i.call_id = any($1) and i.type = 'speech' order by i.call_id, i.start_ms, i.ordinal`,
    [callIds],
  );
  return rows.map(({ call_id: callId, role: name, start_ms: startMs, text }) => ({
    callId,
    name,
    startMs,
    text,
    place: "speech",
  }));
}
