import { type NodeNumber, NUMBERED_CALLS_MAX, type UnmatchedAnswer } from "@parley/contract/node-numbers";
import type { Mode } from "@parley/contract/shared-fields";
import { type Database, run } from "../../platform/database/database.ts";

/** Which calls are counted. */
export interface NumberedCalls {
  readonly accountId: string;
  readonly mode: Mode;
  readonly agentId: string;
  /** Null for all versions. */
  readonly version: number | null;
}

const values = ({ accountId, mode, agentId, version }: NumberedCalls) => [accountId, mode, agentId, version];

// The index calls_ended_by_agent finds the latest calls, so the cost does not grow with the age of the agent. Tried drafts
// have numbers below zero and are not calls of a version.
const RECENT = `recent as materialized (
    select id, agent_version, answered_at, ended_by, (extract(epoch from ended_at - answered_at) * 1000)::int as ended_ms
    from calls
    where account_id = $1 and mode = $2 and agent_id = $3 and ($4::int is null or agent_version = $4) and agent_version > 0
      and state = 'ended' and answered_at is not null and transcript_erased_at is null
    order by created_at desc, id desc limit ${NUMBERED_CALLS_MAX}
  )`;

// Calls visit the nodes inside a sub-flow, whose ids begin with that of its node; the entry of the sub-flow has that very id. The node
// counts from there until the call leaves the sub-flow, and the nodes inside count by themselves as well.
const OUTER = `documents as (
    select v.version, n->>'id' as id, n->>'type' as type
    from agent_versions v, jsonb_array_elements(v.flow->'nodes') as n
    where v.agent_id = $3 and v.version in (select agent_version from recent)
  ), known as (
    select distinct r.agent_version as version, i.item->>'nodeId' as node_id
    from transcript_items i join recent r on r.id = i.call_id where i.type in ('node', 'decision')
  ), outers as (
    select version, node_id, coalesce((
      select d.id from documents d
      where d.version = known.version
        and (d.id = node_id or d.type = 'subflow' and starts_with(node_id, d.id || '__'))
      order by length(d.id) desc limit 1
    ), node_id) as outer_id
    from known
  )`;

// A question that is asked again stands there again, and is still the same visit.
const READ_NUMBERS = `/* read_node_numbers */
  with ${RECENT}, ${OUTER}, entered as (
    select i.call_id, o.node_id, o.outer_id, i.start_ms, i.ordinal,
      lag(o.node_id) over came as before, lag(o.outer_id) over came as outer_before
    from transcript_items i
    join recent r on r.id = i.call_id
    join outers o on o.version = r.agent_version and o.node_id = i.item->>'nodeId'
    where i.type = 'node'
    window came as (partition by i.call_id order by i.start_ms, i.ordinal)
  ), visits as (
    select call_id, node_id, outer_id, start_ms,
      lead(start_ms) over (partition by call_id order by start_ms, ordinal) as left_ms
    from entered where before is distinct from node_id
  ), outer_visits as (
    select call_id, outer_id as node_id, start_ms,
      lead(start_ms) over (partition by call_id order by start_ms, ordinal) as left_ms
    from entered where outer_before is distinct from outer_id or (node_id = outer_id and before is distinct from node_id)
  ), all_visits as (
    select * from outer_visits
    union all
    select call_id, node_id, start_ms, left_ms from visits where node_id <> outer_id
  ), visited as (
    select v.node_id, count(*)::int as visits, count(distinct v.call_id)::int as calls,
      count(*) filter (where v.left_ms is null and r.ended_by = 'callee')::int as hang_ups,
      percentile_cont(0.5) within group (order by greatest(coalesce(v.left_ms, r.ended_ms) - v.start_ms, 0)) as median_ms
    from all_visits v join recent r on r.id = v.call_id group by v.node_id
  ), misunderstood as (
    select each as node_id, count(*)::int as not_understood
    from transcript_items i
    join recent r on r.id = i.call_id
    join outers o on o.version = r.agent_version and o.node_id = i.item->>'nodeId'
    cross join lateral (select distinct unnest(array[o.node_id, o.outer_id]) as each) as counted
    where i.type = 'decision' and i.item->>'taken' = 'not_understood' group by 1
  )
  select node_id as "nodeId", visits, calls, hang_ups as "hangUps", coalesce(not_understood, 0) as "notUnderstood",
    round(median_ms)::int as "medianMs"
  from visited left join misunderstood using (node_id) order by visits desc, node_id`;

export function readNodeNumbers(db: Database, calls: NumberedCalls): Promise<NodeNumber[]> {
  return run<NodeNumber>(db, READ_NUMBERS, values(calls));
}

export async function countNumberedCalls(db: Database, calls: NumberedCalls): Promise<number> {
  const [row] = await run<{ calls: number }>(
    db,
    `/* count_numbered_calls */ with ${RECENT} select count(*)::int as calls from recent`,
    values(calls),
  );
  return row?.calls ?? 0;
}

const ANSWERS_MAX = 50;

// A turn may be recognized in several pieces; what was not understood is all of them.
const READ_UNMATCHED = `/* read_unmatched_answers */
  with ${RECENT}, said as (
    select d.call_id, recent.answered_at,
      string_agg(coalesce(r.text, s.item->>'text'), ' ' order by s.start_ms, s.ordinal) as text
    from transcript_items d
    join recent on recent.id = d.call_id
    join transcript_items s on s.call_id = d.call_id and s.turn = d.turn and s.type = 'speech'
      and s.item->>'role' = 'callee'
    left join transcript_revisions r on r.call_id = s.call_id and r.ordinal = s.ordinal
    where d.type = 'decision' and d.item->>'taken' = 'not_understood' and d.item->>'nodeId' = $5
    group by d.call_id, d.ordinal, recent.answered_at
  )
  select (array_agg(btrim(text) order by answered_at desc))[1] as text, count(*)::int as times,
    (array_agg(call_id order by answered_at desc))[1] as "callId", max(answered_at) as said_at
  from said where btrim(text) <> ''
  group by btrim(lower(regexp_replace(text, '[[:punct:][:space:]]+', ' ', 'g')))
  order by times desc, said_at desc limit ${ANSWERS_MAX}`;

export async function readUnmatchedAnswers(
  db: Database,
  calls: NumberedCalls,
  nodeId: string,
): Promise<UnmatchedAnswer[]> {
  const rows = await run<Omit<UnmatchedAnswer, "saidAt"> & { said_at: Date }>(db, READ_UNMATCHED, [
    ...values(calls),
    nodeId,
  ]);
  return rows.map(({ said_at, ...answer }) => ({ ...answer, saidAt: said_at.toISOString() }));
}
