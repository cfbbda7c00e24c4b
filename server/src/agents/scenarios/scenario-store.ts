import { makeId } from "@parley/contract/ids";
import type { NewScenario, Scenario, ScenarioChanges } from "@parley/contract/scenarios";
import { type Selectable, sql } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema/schema.ts";

export type ScenarioRow = Selectable<Schema["scenarios"]>;

export interface ScenarioOwner {
  readonly accountId: string;
  readonly agentId: string;
}

/** Adds scenarios to an agent; a list shows them in the order given. */
export async function addScenarios(
  db: Database,
  { accountId, agentId }: ScenarioOwner,
  scenarios: readonly NewScenario[],
  madeFromCallId: string | null = null,
): Promise<ScenarioRow[]> {
  if (scenarios.length === 0) return [];
  const nowMs = Date.now();
  return db
    .insertInto("scenarios")
    .values(
      scenarios.map((scenario, index) => ({
        // Each is a millisecond younger than the one before it, because ids of one millisecond sort by chance.
        id: makeId("scenario", nowMs + index),
        account_id: accountId,
        agent_id: agentId,
        name: scenario.name,
        steps: JSON.stringify(scenario.steps),
        variables: JSON.stringify(scenario.variables),
        tool_replies: JSON.stringify(scenario.toolReplies),
        expect: JSON.stringify(scenario.expect),
        made_from_call_id: madeFromCallId,
        created_at: sql<Date>`clock_timestamp() + ${index}::int * interval '1 millisecond'`,
      })),
    )
    .returningAll()
    .execute();
}

/** In the order of creation. */
export async function listScenarioRows(
  db: Database,
  agentId: string,
  after: { readonly createdAt: Date; readonly id: string } | null,
  rowsMax: number,
): Promise<ScenarioRow[]> {
  let query = db.selectFrom("scenarios").selectAll().where("agent_id", "=", agentId);
  if (after) query = query.where((eb) => eb(eb.refTuple("created_at", "id"), ">", eb.tuple(after.createdAt, after.id)));
  return query.orderBy("created_at").orderBy("id").limit(rowsMax).execute();
}

export async function countScenarios(db: Database, agentId: string): Promise<number> {
  const { count } = await db
    .selectFrom("scenarios")
    .where("agent_id", "=", agentId)
    .select(sql<number>`count(*)::int`.as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** Null when the account has no such scenario, or its agent was deleted. */
export async function updateScenario(
  db: Database,
  accountId: string,
  id: string,
  changes: ScenarioChanges,
): Promise<ScenarioRow | null> {
  const row = await db
    .updateTable("scenarios")
    .set({
      ...(changes.name === undefined ? {} : { name: changes.name }),
      ...documentOf(changes),
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("agents")
          .select("agents.id")
          .whereRef("agents.id", "=", "scenarios.agent_id")
          .where("agents.deleted_at", "is", null),
      ),
    )
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Returns whether the scenario existed. */
export async function deleteScenario(db: Database, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("scenarios")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function documentOf({ steps, variables, toolReplies, expect }: ScenarioChanges) {
  return {
    ...(steps === undefined ? {} : { steps: JSON.stringify(steps) }),
    ...(variables === undefined ? {} : { variables: JSON.stringify(variables) }),
    ...(toolReplies === undefined ? {} : { tool_replies: JSON.stringify(toolReplies) }),
    ...(expect === undefined ? {} : { expect: JSON.stringify(expect) }),
  };
}

export function toScenario(row: ScenarioRow): Scenario {
  return {
    id: row.id,
    agentId: row.agent_id,
    name: row.name,
    steps: row.steps,
    variables: row.variables,
    toolReplies: row.tool_replies,
    expect: row.expect,
    madeFromCallId: row.made_from_call_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
