import type { Mode } from "@parley/contract/shared-fields";
import { type Database, run } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";

/** Calls that have not ended: first those that talk, then those that ring, the longest first. */
export function readLiveCalls(db: Database, accountId: string, mode: Mode, rowsMax: number): Promise<CallRow[]> {
  return run<CallRow>(
    db,
    `/* read_live_calls */ select * from calls where account_id = $1 and mode = $2 and state <> 'ended'
     order by array_position(array['talking', 'ringing', 'dialing', 'claimed', 'queued'], state), answered_at, due_at, id
     limit $3`,
    [accountId, mode, rowsMax],
  );
}

export async function countLiveCalls(db: Database, accountId: string, mode: Mode): Promise<number> {
  const [row] = await run<{ count: number }>(
    db,
    `/* count_live_calls */ select count(*)::int as count from calls
     where account_id = $1 and mode = $2 and state <> 'ended'`,
    [accountId, mode],
  );
  return row?.count ?? 0;
}

/** Where the conversation of a call is. */
export interface LatestItems {
  readonly call_id: string;
  readonly node_id: string | null;
  readonly role: "callee" | "agent" | null;
  readonly text: string | null;
  /** A tool that was called and has not returned. */
  readonly open_tool: string | null;
  readonly is_transferred: boolean;
}

export function readLatestItems(db: Database, callIds: readonly string[]): Promise<LatestItems[]> {
  return run<LatestItems>(
    db,
    `/* read_latest_items */ select c.id as call_id, node.node_id, speech.role, speech.text, tool.name as open_tool,
       c.bridged_after_seconds is not null as is_transferred
     from calls c
     left join lateral (
       select item->>'nodeId' as node_id from transcript_items
       where call_id = c.id and type = 'node' order by start_ms desc, ordinal desc limit 1
     ) node on true
     left join lateral (
       select item->>'role' as role, item->>'text' as text from transcript_items
       where call_id = c.id and type = 'speech' order by start_ms desc, ordinal desc limit 1
     ) speech on true
     left join lateral (
       select asked.item->>'name' as name from transcript_items asked
       where asked.call_id = c.id and asked.type = 'tool_call' and not exists (
         select 1 from transcript_items replied
         where replied.call_id = c.id and replied.type = 'tool_result' and replied.item->>'id' = asked.item->>'id'
       ) order by asked.ordinal desc limit 1
     ) tool on true
     where c.id = any($1)`,
    [callIds],
  );
}

/** How long the oldest call that is due has waited, or null when none waits. */
export async function readOldestWaitSeconds(db: Database): Promise<number | null> {
  const [row] = await run<{ seconds: number }>(
    db,
    `/* read_oldest_wait */ select extract(epoch from clock_timestamp() - due_at)::float8 as seconds from calls
     where state = 'queued' and due_at <= statement_timestamp() and due_at > '-infinity' order by due_at limit 1`,
  );
  return row?.seconds ?? null;
}
