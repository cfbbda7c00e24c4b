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
  /** Whether to count those of agents that use this one as a sub-flow, too. */
  readonly ofUsers: boolean;
}

const values = ({ accountId, mode, agentId, version, ofUsers }: NumberedCalls) => [
  accountId,
  mode,
  agentId,
  version,
  ofUsers,
];

/** How deep sub-flows are looked for; publishing refuses cycles. */
const DEPTH_MAX = 20;

// What a version uses, from a node of its flow on.
const USED = `cross join lateral jsonb_array_elements(v.flow->'nodes') as n
    where n->>'type' = 'subflow' and n->>'agentId' is not null and n->>'version' is not null`;

// The agents whose calls go through the nodes of this one: itself, and those that use it as a sub-flow, also inside others.
const CALLERS = `below as (
    select id as caller_id, id as agent_id, published_version as version, 0 as depth
    from agents where $5 and account_id = $1 and deleted_at is null and published_version is not null
    union
    select b.caller_id, n->>'agentId', (n->>'version')::int, b.depth + 1
    from below b join agent_versions v on v.agent_id = b.agent_id and v.version = b.version
    ${USED} and b.agent_id <> $3 and b.depth < ${DEPTH_MAX}
  ), callers as (
    select $3::text as caller_id union select caller_id from below where agent_id = $3
  )`;

// The index calls_ended_by_agent finds the latest calls, so the cost does not grow with the age of the agents. Tried drafts
// have numbers below zero and are not calls of a version.
const LATEST = `latest as materialized (
    select one.* from callers cross join lateral (
      select id, agent_id, agent_version, created_at, answered_at, ended_by,
        (extract(epoch from ended_at - answered_at) * 1000)::int as ended_ms
      from calls
      where account_id = $1 and mode = $2 and agent_id = caller_id and agent_version > 0
        and ($4::int is null or agent_id <> $3 or agent_version = $4)
        and state = 'ended' and answered_at is not null and transcript_erased_at is null
      order by created_at desc, id desc limit ${NUMBERED_CALLS_MAX}
    ) as one
  )`;

// Where the nodes of this agent are in the flow of a call, by the beginning of their ids: nothing in its own calls.
const PLACES = `parts as (
    select distinct agent_id as caller_id, agent_version as caller_version, '' as prefix, agent_id, agent_version as version,
      0 as depth
    from latest
    union all
    select p.caller_id, p.caller_version, p.prefix || (n->>'id') || '__', n->>'agentId', (n->>'version')::int, p.depth + 1
    from parts p join agent_versions v on v.agent_id = p.agent_id and v.version = p.version
    ${USED} and p.agent_id <> $3 and p.depth < ${DEPTH_MAX}
  ), places as (
    select caller_id, caller_version, prefix, version from parts where agent_id = $3 and ($4::int is null or version = $4)
  ), recent as materialized (
    select * from latest
    where (agent_id, agent_version) in (select caller_id, caller_version from places)
    order by created_at desc, id desc limit ${NUMBERED_CALLS_MAX}
  )`;

const RECENT = `${CALLERS}, ${LATEST}, ${PLACES}`;

// Calls visit the nodes inside a sub-flow, whose ids begin with that of its node; the entry of the sub-flow has that very id. The node
// counts from there until the call leaves the sub-flow, and the nodes inside count by themselves as well.
const OUTER = `documents as (
    select v.version, n->>'id' as id, n->>'type' as type
    from agent_versions v, jsonb_array_elements(v.flow->'nodes') as n
    where v.agent_id = $3 and v.version in (select version from places)
  ), known as (
    select distinct r.agent_id as caller_id, r.agent_version as caller_version, i.item->>'nodeId' as visited_id
    from transcript_items i join recent r on r.id = i.call_id where i.type in ('node', 'decision')
  ), placed as (
    select distinct on (caller_id, caller_version, visited_id) caller_id, caller_version, visited_id, version,
      substr(visited_id, length(prefix) + 1) as node_id
    from known join places using (caller_id, caller_version) where starts_with(visited_id, prefix)
    order by caller_id, caller_version, visited_id, length(prefix) desc
  ), outers as (
    select caller_id, caller_version, visited_id, node_id, coalesce((
      select d.id from documents d
      where d.version = placed.version
        and (d.id = node_id or d.type = 'subflow' and starts_with(node_id, d.id || '__'))
      order by length(d.id) desc limit 1
    ), node_id) as outer_id
    from placed
  )`;

// A question that is asked again stands there again, and is still the same visit. What is not of this agent has no node here,
// and ends the visit before it.
const READ_NUMBERS = `/* read_node_numbers */
  with recursive ${RECENT}, ${OUTER}, entered as (
    select i.call_id, o.node_id, o.outer_id, i.start_ms, i.ordinal,
      lag(o.node_id) over came as before, lag(o.outer_id) over came as outer_before
    from transcript_items i
    join recent r on r.id = i.call_id
    left join outers o on o.caller_id = r.agent_id and o.caller_version = r.agent_version and o.visited_id = i.item->>'nodeId'
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
    select * from outer_visits where node_id is not null
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
    join outers o on o.caller_id = r.agent_id and o.caller_version = r.agent_version and o.visited_id = i.item->>'nodeId'
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
    `/* count_numbered_calls */ with recursive ${RECENT} select count(*)::int as calls from recent`,
    values(calls),
  );
  return row?.calls ?? 0;
}

const ANSWERS_MAX = 50;

// A turn may be recognized in several pieces; what was not understood is all of them.
const READ_UNMATCHED = `/* read_unmatched_answers */
  with recursive ${RECENT}, said as (
    select d.call_id, recent.answered_at,
      string_agg(coalesce(r.text, s.item->>'text'), ' ' order by s.start_ms, s.ordinal) as text
    from transcript_items d
    join recent on recent.id = d.call_id
    join places p on p.caller_id = recent.agent_id and p.caller_version = recent.agent_version
      and d.item->>'nodeId' = p.prefix || $6
    join transcript_items s on s.call_id = d.call_id and s.turn = d.turn and s.type = 'speech'
      and s.item->>'role' = 'callee'
    left join transcript_revisions r on r.call_id = s.call_id and r.ordinal = s.ordinal
    where d.type = 'decision' and d.item->>'taken' = 'not_understood'
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
