import type { FlowWarning } from "@parley/contract/agents";
import { AppError, type ErrorDetail } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/voice/conversation/compile-flow";
import type { Tx } from "../database/database.ts";
import { refuseUnknownVoice } from "../voices/refuse-unknown-voice.ts";
import { type AgentRow, pointAgentAt } from "./agent-store.ts";
import { insertNextVersion, type VersionRow } from "./version-store.ts";

export interface PublishOptions {
  readonly note: string;
  /** Whether a language model is configured. */
  readonly hasModel: boolean;
}

/** Publishes the draft as the next version, which new calls use from then on. The agent's row must be locked. */
export async function publishAgent(
  tx: Tx,
  agent: AgentRow,
  { note, hasModel }: PublishOptions,
): Promise<{ readonly version: VersionRow; readonly warnings: FlowWarning[] }> {
  const warnings = warningsOf(agent.flow, hasModel);
  refuseUnknownVoice(agent.flow);
  const version = await insertNextVersion(tx, agent, note);
  await pointAgentAt(tx, agent.id, version.version);
  return { version, warnings };
}

/** Throws 422 with one detail for each thing that keeps the flow from being held as a conversation. */
function warningsOf(flow: Flow, hasModel: boolean): FlowWarning[] {
  const result = compileFlow(flow, { hasModel });
  if (result.ok) return result.warnings.map(({ path, code, message }) => ({ param: `flow.${path}`, code, message }));
  const details = result.problems.map(
    ({ path, code, message }): ErrorDetail => ({ param: `flow.${path}`, code, message }),
  );
  const message = `The flow cannot be published. ${details[0]?.message ?? ""}`.trim();
  throw new AppError("validation_failed", message, { details });
}
