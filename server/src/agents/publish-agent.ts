import type { FlowWarning } from "@parley/contract/agents";
import type { Tx } from "../platform/database/database.ts";
import { type AgentRow, pointAgentAt } from "./agent-store.ts";
import { compileOrRefuse } from "./compile-or-refuse.ts";
import { insertNextVersion, type VersionRow } from "./version-store.ts";
import { refuseUnknownVoice } from "./voices/refuse-unknown-voice.ts";

export interface PublishOptions {
  readonly note: string;
  /** Of the language models that are configured. */
  readonly modelNames: readonly string[];
}

/** Publishes the draft as the next version, which new calls use from then on. The agent's row must be locked. */
export async function publishAgent(
  tx: Tx,
  agent: AgentRow,
  { note, modelNames }: PublishOptions,
): Promise<{ readonly version: VersionRow; readonly warnings: FlowWarning[] }> {
  const { warnings } = compileOrRefuse(agent.flow, modelNames, "The flow cannot be published.");
  refuseUnknownVoice(agent.flow);
  const version = await insertNextVersion(tx, agent, note);
  await pointAgentAt(tx, agent.id, version.version, agent.revision);
  return { version, warnings };
}
