import type { McpServer, McpTool } from "@parley/contract/mcp-servers";
import type { Insertable, Selectable, Updateable } from "kysely";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema/schema.ts";
import type { OfferedTool } from "./tool-definition.ts";

export type McpServerRow = Selectable<Schema["mcp_servers"]>;
export type McpToolRow = Selectable<Schema["mcp_tools"]>;

/** Counts the servers there are, and blocks adding another until the transaction ends. */
export async function countServers(tx: Tx, accountId: string): Promise<number> {
  await run(tx, "select pg_advisory_xact_lock(hashtextextended($1, 0))", [`mcp_servers/${accountId}`]);
  // A separate statement: its snapshot must be younger than the lock.
  const [row] = await run<{ count: number }>(
    tx,
    "select count(*)::int as count from mcp_servers where account_id = $1",
    [accountId],
  );
  return row?.count ?? 0;
}

/** Null if the account has a server of that name. */
export async function insertServer(tx: Tx, server: Insertable<Schema["mcp_servers"]>): Promise<McpServerRow | null> {
  const row = await tx
    .insertInto("mcp_servers")
    .values(server)
    .onConflict((conflict) => conflict.columns(["account_id", "name"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Ids sort by time, so the newest comes first. */
export async function listServerRows(
  db: Database,
  accountId: string,
  afterId: string | null,
  limit: number,
): Promise<McpServerRow[]> {
  let query = ofAccount(db, accountId).orderBy("id", "desc").limit(limit);
  if (afterId) query = query.where("id", "<", afterId);
  return query.execute();
}

export async function findServerRow(db: Database, accountId: string, id: string): Promise<McpServerRow | null> {
  return (await ofAccount(db, accountId).where("id", "=", id).executeTakeFirst()) ?? null;
}

export async function lockServerRow(tx: Tx, accountId: string, id: string): Promise<McpServerRow | null> {
  return (await ofAccount(tx, accountId).where("id", "=", id).forUpdate().executeTakeFirst()) ?? null;
}

export async function findServersByName(
  db: Database,
  accountId: string,
  names: readonly string[],
): Promise<McpServerRow[]> {
  return ofAccount(db, accountId).where("name", "in", names).execute();
}

export async function updateServer(
  tx: Tx,
  id: string,
  changes: Updateable<Schema["mcp_servers"]>,
): Promise<McpServerRow> {
  return tx
    .updateTable("mcp_servers")
    .set(changes)
    .set((eb) => ({ updated_at: eb.fn<Date>("clock_timestamp") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Its tools go with it. False if the account has no such server. */
export async function deleteServer(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("mcp_servers")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function listToolRows(db: Database, serverIds: readonly string[]): Promise<McpToolRow[]> {
  if (serverIds.length === 0) return [];
  return db.selectFrom("mcp_tools").selectAll().where("server_id", "in", serverIds).orderBy("name").execute();
}

/** Writes what a server offers now. Tools that it no longer offers are kept while they are approved. */
export async function replaceOfferedTools(tx: Tx, serverId: string, offered: readonly OfferedTool[]): Promise<void> {
  await tx.updateTable("mcp_tools").set({ is_offered: false }).where("server_id", "=", serverId).execute();
  if (offered.length > 0) {
    await tx
      .insertInto("mcp_tools")
      .values(
        offered.map(({ name, digest, definition }) => ({
          server_id: serverId,
          name,
          digest,
          definition: JSON.stringify(definition),
          is_offered: true,
        })),
      )
      .onConflict((conflict) =>
        conflict.constraint("mcp_tools_pkey").doUpdateSet((eb) => ({
          digest: eb.ref("excluded.digest"),
          definition: eb.ref("excluded.definition"),
          is_offered: true,
        })),
      )
      .execute();
  }
  await tx
    .deleteFrom("mcp_tools")
    .where("server_id", "=", serverId)
    .where("is_offered", "=", false)
    .where("approved_digest", "is", null)
    .execute();
}

/** Approves a tool as it was last read. False if that is not what the digest identifies, or it is no longer offered. */
export async function approveTool(
  tx: Tx,
  serverId: string,
  { name, digest }: { readonly name: string; readonly digest: string },
  memberId: string,
): Promise<boolean> {
  const approved = await run(
    tx,
    `update mcp_tools set approved_digest = digest, approved_definition = definition, approved_by = $4,
       approved_at = clock_timestamp()
     where server_id = $1 and name = $2 and digest = $3 and is_offered returning name`,
    [serverId, name, digest, memberId],
  );
  return approved.length > 0;
}

/** Withdraws approvals, of all tools unless some are named. */
export async function revokeTools(tx: Tx, serverId: string, names: readonly string[] | null): Promise<void> {
  let query = tx
    .updateTable("mcp_tools")
    .set({ approved_digest: null, approved_definition: null, approved_by: null, approved_at: null })
    .where("server_id", "=", serverId);
  if (names !== null) query = query.where("name", "in", names);
  await query.execute();
  await tx
    .deleteFrom("mcp_tools")
    .where("server_id", "=", serverId)
    .where("is_offered", "=", false)
    .where("approved_digest", "is", null)
    .execute();
}

function ofAccount(db: Database, accountId: string) {
  return db.selectFrom("mcp_servers").selectAll().where("account_id", "=", accountId);
}

/** Without the values of its headers. */
export function toServer(row: McpServerRow, tools: readonly McpToolRow[]): McpServer {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    headerNames: row.header_names,
    timeoutMs: row.timeout_ms,
    isEnabled: row.is_enabled,
    tools: tools.filter(({ server_id: serverId }) => serverId === row.id).map(toTool),
    checkedAt: row.checked_at?.toISOString() ?? null,
    problem: row.problem,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function toTool(row: McpToolRow): McpTool {
  return {
    name: row.name,
    state: stateOf(row),
    definition: row.definition,
    digest: row.digest,
    approvedDefinition: row.approved_definition,
    approvedAt: row.approved_at?.toISOString() ?? null,
    approvedBy: row.approved_by,
  };
}

export function stateOf(row: Pick<McpToolRow, "approved_digest" | "digest" | "is_offered">): McpTool["state"] {
  if (row.approved_digest === null) return "new";
  if (!row.is_offered) return "missing";
  return row.approved_digest === row.digest ? "approved" : "changed";
}
