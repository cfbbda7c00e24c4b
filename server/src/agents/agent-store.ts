import type { Agent, AgentChanges, AgentSummary, AgentVersion, AgentVersionSummary } from "@parley/contract/agents";
import { EMPTY_FLOW, type Flow } from "@parley/contract/flow";
import { makeId } from "@parley/contract/ids";
import type { NewAgent } from "@parley/contract/new-agent";
import { type Selectable, sql } from "kysely";
import type { Database, Tx } from "../platform/database/database.ts";
import type { Schema } from "../platform/database/schema/schema.ts";
import type { SampleAgent } from "./samples/sample-agent.ts";
import type { VersionRow, VersionSummaryRow } from "./version-store.ts";

export type AgentRow = Selectable<Schema["agents"]>;
/** An agent without its draft, which lists do not carry. */
export type AgentSummaryRow = Omit<AgentRow, "flow">;

const SUMMARY_COLUMNS = [
  "id",
  "account_id",
  "name",
  "description",
  "engine",
  "language",
  "revision",
  "published_version",
  "published_revision",
  "created_at",
  "updated_at",
  "updated_by",
  "deleted_at",
] as const;

const now = sql<Date>`clock_timestamp()`;

/** Newest first. */
export async function listAgentRows(
  db: Database,
  accountId: string,
  after: { readonly createdAt: Date; readonly id: string } | null,
  rowsMax: number,
): Promise<AgentSummaryRow[]> {
  let query = db
    .selectFrom("agents")
    .select(SUMMARY_COLUMNS)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null);
  if (after) query = query.where((eb) => eb(eb.refTuple("created_at", "id"), "<", eb.tuple(after.createdAt, after.id)));
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(rowsMax).execute();
}

export async function insertAgent(db: Database, accountId: string, agent: NewAgent): Promise<AgentRow> {
  return db
    .insertInto("agents")
    .values({
      id: makeId("agent"),
      account_id: accountId,
      name: agent.name,
      description: agent.description,
      engine: agent.engine,
      language: agent.language,
      flow: flowText(agent.flow ?? EMPTY_FLOW),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findAgentRow(db: Database, accountId: string, agentId: string): Promise<AgentRow | null> {
  return (await selectAgent(db, accountId, agentId).executeTakeFirst()) ?? null;
}

/** Finds the agent and keeps others from publishing it until the transaction ends, so that versions are numbered without gaps. */
export async function lockAgentRow(db: Database, accountId: string, agentId: string): Promise<AgentRow | null> {
  return (await selectAgent(db, accountId, agentId).forUpdate().executeTakeFirst()) ?? null;
}

/** Changes the draft if it still is at this revision. Of two changes to one revision, one finds nothing to change. */
export async function updateDraft(
  db: Database,
  accountId: string,
  agentId: string,
  revision: number,
  changes: AgentChanges,
  editorId: string | null,
): Promise<AgentRow | null> {
  const row = await db
    .updateTable("agents")
    .set((eb) => ({
      ...(changes.name !== undefined ? { name: changes.name } : {}),
      ...(changes.description !== undefined ? { description: changes.description } : {}),
      ...(changes.engine !== undefined ? { engine: changes.engine } : {}),
      ...(changes.language !== undefined ? { language: changes.language } : {}),
      ...(changes.flow !== undefined ? { flow: flowText(changes.flow) } : {}),
      revision: eb("revision", "+", 1),
      // A name or a description is not part of a version: the published version stays current.
      ...(isPublishable(changes)
        ? {}
        : { published_revision: sql<number | null>`published_revision + (published_revision = revision)::int` }),
      updated_at: now,
      updated_by: editorId,
    }))
    .where("id", "=", agentId)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .where("revision", "=", revision)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** The display name of the last editor of the draft: the e-mail address of a member, or the name of a key. */
export async function findEditorName(db: Database, agentId: string): Promise<string | null> {
  const row = await db
    .selectFrom("agents")
    .leftJoin("members", (join) =>
      join.onRef("members.id", "=", "agents.updated_by").onRef("members.account_id", "=", "agents.account_id"),
    )
    .leftJoin("api_keys", (join) =>
      join.onRef("api_keys.id", "=", "agents.updated_by").onRef("api_keys.account_id", "=", "agents.account_id"),
    )
    .select(["members.email", "api_keys.name as keyName"])
    .where("agents.id", "=", agentId)
    .executeTakeFirst();
  if (row?.keyName) return `the API key ${row.keyName}`;
  return row?.email ?? null;
}

/** Returns whether there was such an agent. The row stays: calls already queued refer to its versions. */
export async function markAgentDeleted(db: Database, accountId: string, agentId: string): Promise<AgentRow | null> {
  const deleted = await db
    .updateTable("agents")
    .set({ deleted_at: now })
    .where("id", "=", agentId)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  return deleted ?? null;
}

/** Returns whether there was such an agent among the deleted ones. */
export async function unmarkAgentDeleted(db: Database, accountId: string, agentId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("agents")
    .set({ deleted_at: null })
    .where("id", "=", agentId)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Makes new calls use this version, which must exist. `revision` is the draft's when it was created from it. */
export async function pointAgentAt(
  db: Database,
  agentId: string,
  version: number,
  revision: number | null,
): Promise<AgentRow> {
  return db
    .updateTable("agents")
    .set({ published_version: version, published_revision: revision, updated_at: now })
    .where("id", "=", agentId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function selectAgent(db: Database, accountId: string, agentId: string) {
  return db
    .selectFrom("agents")
    .selectAll()
    .where("id", "=", agentId)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null);
}

function isPublishable({ flow, engine, language }: AgentChanges): boolean {
  return flow !== undefined || engine !== undefined || language !== undefined;
}

function flowText(flow: Flow): string {
  return JSON.stringify(flow);
}

export function toAgentSummary(row: AgentSummaryRow): AgentSummary {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    engine: row.engine,
    language: row.language,
    revision: row.revision,
    publishedVersion: row.published_version,
    publishedRevision: row.published_revision,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function toAgent(row: AgentRow): Agent {
  return { ...toAgentSummary(row), flow: row.flow };
}

export function toVersionSummary(row: VersionSummaryRow, publishedVersion: number | null): AgentVersionSummary {
  return {
    id: row.id,
    agentId: row.agent_id,
    version: row.version,
    note: row.note,
    engine: row.engine,
    language: row.language,
    published: row.version === publishedVersion,
    createdAt: row.created_at.toISOString(),
  };
}

export function toVersion(row: VersionRow, publishedVersion: number | null): AgentVersion {
  return { ...toVersionSummary(row, publishedVersion), flow: row.flow };
}

/** Inserts agents with their first version published; a newest-first list shows them in the order given. */
export async function insertPublishedAgents(
  tx: Tx,
  accountId: string,
  samples: readonly SampleAgent[],
): Promise<readonly string[]> {
  const nowMs = Date.now();
  // Each is a millisecond older than the one before it, because ids of one millisecond sort by chance.
  const agents = samples.map((sample, index) => ({
    id: makeId("agent", nowMs - index),
    sample,
    createdAt: sql<Date>`now() - ${index}::int * interval '1 millisecond'`,
    flowText: JSON.stringify(sample.flow),
  }));
  await tx
    .insertInto("agents")
    .values(
      agents.map(({ id, sample, createdAt, flowText }) => ({
        id,
        account_id: accountId,
        name: sample.name,
        description: sample.description,
        engine: null,
        language: sample.language,
        flow: flowText,
        created_at: createdAt,
        updated_at: createdAt,
      })),
    )
    .execute();
  await tx
    .insertInto("agent_versions")
    .values(
      agents.map(({ id, sample, flowText }) => ({
        id: makeId("agentVersion"),
        agent_id: id,
        version: 1,
        note: "Sample agent",
        engine: null,
        language: sample.language,
        flow: flowText,
      })),
    )
    .execute();
  const ids = agents.map(({ id }) => id);
  await tx.updateTable("agents").set({ published_version: 1, published_revision: 1 }).where("id", "in", ids).execute();
  return ids;
}
