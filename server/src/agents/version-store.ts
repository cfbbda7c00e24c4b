import type { Flow } from "@parley/contract/flow";
import { makeId } from "@parley/contract/ids";
import type { Pronunciation } from "@parley/contract/pronunciations";
import { type Selectable, sql } from "kysely";
import { type Database, run, type Tx } from "../platform/database/database.ts";
import type { Schema } from "../platform/database/schema/schema.ts";
import type { AgentRow } from "./agent-store.ts";

export type VersionRow = Selectable<Schema["agent_versions"]>;
/** A version without its flow, which lists do not carry. */
export type VersionSummaryRow = Omit<VersionRow, "flow" | "expanded_flow">;

/** Freezes the draft as the next version, held in calls as the given flow. The agent's row must be locked. */
export async function insertNextVersion(tx: Tx, agent: AgentRow, held: Flow, note: string): Promise<VersionRow> {
  return tx
    .insertInto("agent_versions")
    .values((eb) => ({
      id: makeId("agentVersion"),
      agent_id: agent.id,
      version: eb
        .selectFrom("agent_versions")
        .where("agent_id", "=", agent.id)
        .select(sql<number>`greatest(max(version), 0) + 1`.as("version")),
      note,
      engine: agent.engine,
      language: agent.language,
      flow: JSON.stringify(agent.flow),
      expanded_flow: expandedText(agent.flow, held),
    }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Null for a flow without sub-flows, which is held as it is written. */
function expandedText(flow: Flow, held: Flow): string | null {
  return held === flow ? null : JSON.stringify(held);
}

/** The published versions among the given ones, of agents of the account that are not deleted. */
export async function listSubFlowRows(
  db: Database,
  accountId: string,
  versions: readonly { readonly agentId: string; readonly version: number }[],
): Promise<readonly Pick<VersionRow, "agent_id" | "version" | "flow">[]> {
  return run(
    db,
    `/* list_sub_flows */ select v.agent_id, v.version, v.flow
     from unnest($2::text[], $3::int[]) as wanted (agent_id, version)
     join agents a on a.id = wanted.agent_id and a.account_id = $1 and a.deleted_at is null
     join agent_versions v on v.agent_id = a.id and v.version = wanted.version and v.version > 0`,
    [accountId, versions.map(({ agentId }) => agentId), versions.map(({ version }) => version)],
  );
}

/** Newest first. */
export async function listVersionRows(
  db: Database,
  agentId: string,
  beforeVersion: number | null,
  rowsMax: number,
): Promise<VersionSummaryRow[]> {
  let query = db
    .selectFrom("agent_versions")
    .select(["id", "agent_id", "version", "note", "engine", "language", "created_at"])
    .where("agent_id", "=", agentId)
    .where("version", ">", 0);
  if (beforeVersion !== null) query = query.where("version", "<", beforeVersion);
  return query.orderBy("version", "desc").limit(rowsMax).execute();
}

export async function findVersionRow(db: Database, agentId: string, version: number): Promise<VersionRow | null> {
  const row = await db
    .selectFrom("agent_versions")
    .selectAll()
    .where("agent_id", "=", agentId)
    .where("version", "=", version)
    .executeTakeFirst();
  return row ?? null;
}

/** A flow that calls try before it is published. */
export interface TrialVersion {
  readonly agentId: string;
  readonly engine: string | null;
  readonly language: string;
  readonly flow: Flow;
  /** With its sub-flows written into it. */
  readonly held: Flow;
}

/** The number under which the very same was frozen before; null when it was not. */
export async function findTrialVersion(db: Database, trial: TrialVersion): Promise<number | null> {
  const [row] = await run<{ version: number }>(
    db,
    `/* find_trial_version */ select version from agent_versions
     where agent_id = $1 and version < 0 and engine is not distinct from $2 and language = $3 and flow = $4::jsonb
     order by version limit 1`,
    [trial.agentId, trial.engine, trial.language, JSON.stringify(trial.flow)],
  );
  return row?.version ?? null;
}

/** Numbers of trials go down from zero, so that those of published versions have no gaps. The agent's row must be locked. */
export async function insertTrialVersion(tx: Tx, trial: TrialVersion): Promise<number> {
  const [row] = await run<{ version: number }>(
    tx,
    `/* insert_trial_version */ insert into agent_versions (id, agent_id, version, note, engine, language, flow, expanded_flow)
     select $1, $2, least(min(version), 0) - 1, '', $3, $4, $5::jsonb, $6::jsonb from agent_versions where agent_id = $2
     returning version`,
    [
      makeId("agentVersion"),
      trial.agentId,
      trial.engine,
      trial.language,
      JSON.stringify(trial.flow),
      expandedText(trial.flow, trial.held),
    ],
  );
  if (row === undefined) throw new Error("a draft could not be frozen");
  return row.version;
}

export interface PublishedAgentRow {
  readonly published_version: number | null;
  readonly version: number | null;
  readonly engine: string | null;
  readonly language: string | null;
  readonly needs_model: boolean | null;
}

// What `needsModel` of flow/ says of a node, as the database can say it without handing out the whole flow.
const NEEDS_MODEL =
  '$.nodes[*] ? ((@.type == "conversation" && !(@.optional == true)) || (@.type == "branch" && exists(@.prompts[0])))';

/** The agent, joined to the given version of it or else to its published one. */
export async function findPublishedAgentRow(
  db: Database,
  accountId: string,
  agentId: string,
  version: number | null,
): Promise<PublishedAgentRow | null> {
  const [row] = await run<PublishedAgentRow>(
    db,
    `/* find_published_agent */ select a.published_version, v.version, v.engine, v.language,
       jsonb_path_exists(coalesce(v.expanded_flow, v.flow), $4::jsonpath) as needs_model
     from agents a
     left join agent_versions v on v.agent_id = a.id and v.version = coalesce($3::int, a.published_version)
     where a.id = $2 and a.account_id = $1 and a.deleted_at is null`,
    [accountId, agentId, version, NEEDS_MODEL],
  );
  return row ?? null;
}

interface PublishedFlowRow {
  readonly id: string;
  readonly flow: Flow;
  readonly language: string;
  /** The account's words for what the flow may leave open. */
  readonly disclosure: string | null;
  readonly pronunciations: readonly Pronunciation[];
  readonly created_at: Date;
}

/** Versions in use by calls that were created after the given one, oldest first. A Date has no microseconds. */
export async function listPublishedFlows(
  db: Database,
  after: { readonly createdAt: Date; readonly id: string },
  rowsMax: number,
): Promise<readonly PublishedFlowRow[]> {
  return run<PublishedFlowRow>(
    db,
    `/* list_published_flows */ select v.id, coalesce(v.expanded_flow, v.flow) as flow, v.language, c.disclosure, c.pronunciations, v.created_at
     from agents a
     join accounts c on c.id = a.account_id
     join agent_versions v on v.agent_id = a.id and v.version = a.published_version
     where a.deleted_at is null and (date_trunc('milliseconds', v.created_at), v.id) > ($1::timestamptz, $2)
     order by date_trunc('milliseconds', v.created_at), v.id
     limit $3`,
    [after.createdAt, after.id, rowsMax],
  );
}
