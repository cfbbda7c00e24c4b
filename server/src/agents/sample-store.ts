import { makeId } from "@parley/contract/ids";
import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { SampleAgent } from "./samples/sample-agent.ts";

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
