import { AppError } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import { subFlowsOf } from "@parley/flow/sub-flows/sub-flow";
import { readAccountSpeech } from "../accounts/account-settings.ts";
import type { Database } from "../platform/database/database.ts";
import { findAgentRow } from "./agent-store.ts";
import { compileOrRefuse } from "./drafts.ts";
import { heldFlow, readSubFlows } from "./sub-flows.ts";
import { unknownAgent } from "./unknown-agent.ts";
import { findVersionRow } from "./version-store.ts";
import { withAccountSpeech } from "./with-account-speech.ts";

/** What to try of an agent: a given document, a published version, or by default the draft. */
export interface TriedFlow {
  readonly flow?: Flow | undefined;
  readonly version?: number | undefined;
}

export interface FoundFlow {
  readonly agentId: string;
  readonly agentName: string;
  readonly engine: string | null;
  readonly language: string;
  readonly flow: Flow;
  /** The published version it is; null for a draft or a document. */
  readonly version: number | null;
}

/** What was found with its sub-flows written into it. Throws 422 where they cannot be. */
export async function withSubFlows(db: Database, accountId: string, found: FoundFlow): Promise<FoundFlow> {
  if (subFlowsOf(found.flow).length === 0) return found;
  const context = await readSubFlows(db, accountId, found.agentId, found.flow);
  compileOrRefuse(found.flow, [], "The flow cannot be tried.", context);
  return { ...found, flow: heldFlow(found.flow, context) };
}

/**
 * As spoken in a call: with the account's texts where it has none. Throws `agent_not_found`, or `not_found` for a
 * version that was never published.
 */
export async function findTriedFlow(
  db: Database,
  accountId: string,
  agentId: string,
  { flow, version }: TriedFlow,
): Promise<FoundFlow> {
  const agent = await findAgentRow(db, accountId, agentId);
  if (!agent) throw unknownAgent();
  const { id, name: agentName, engine, language } = agent;
  const speech = await readAccountSpeech(db, accountId);
  if (version === undefined) {
    const found = withAccountSpeech(flow ?? agent.flow, speech);
    return { agentId: id, agentName, engine, language, flow: found, version: null };
  }
  const row = await findVersionRow(db, id, version);
  if (!row) throw new AppError("not_found", `The agent has no version ${version}.`, { param: "version" });
  const found = withAccountSpeech(row.expanded_flow ?? row.flow, speech);
  return { agentId: id, agentName, engine: row.engine, language: row.language, flow: found, version };
}
