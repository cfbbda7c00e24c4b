import type { Flow } from "@parley/contract/flow";
import type { Database } from "../platform/database/database.ts";
import { findVersionRow } from "./version-store.ts";

/** What a call to a version of an agent is held with. */
export interface CallableVersion {
  readonly flow: Flow;
  readonly language: string;
}

/** The version a call is pinned to. It exists as long as the call does, even if the agent was deleted since. */
export async function readAgentVersion(db: Database, agentId: string, version: number): Promise<CallableVersion> {
  const row = await findVersionRow(db, agentId, version);
  if (!row) throw new Error(`agent ${agentId} has no version ${version}`);
  return { flow: row.expanded_flow ?? row.flow, language: row.language };
}
