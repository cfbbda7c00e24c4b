import type { Flow } from "@parley/contract/flow";
import { needsModel } from "@parley/flow/warnings";
import type { Tx } from "../platform/database/database.ts";
import { lockAgentRow } from "./agent-store.ts";
import { compileOrRefuse } from "./compile-or-refuse.ts";
import type { ChosenVersion } from "./find-published-agent.ts";
import { unknownAgent } from "./unknown-agent.ts";
import { findTrialVersion, insertTrialVersion } from "./version-store.ts";

/**
 * Freezes the draft, or a document in its place, for calls that try it. What was tried is no version that anybody
 * published: it has a number below zero, no list shows it, and the same flow is kept once. Throws 422 where the flow cannot
 * be held as a conversation.
 */
export async function pinDraft(tx: Tx, accountId: string, agentId: string, document?: Flow): Promise<ChosenVersion> {
  const agent = await lockAgentRow(tx, accountId, agentId);
  if (!agent) throw unknownAgent();
  const flow = document ?? agent.flow;
  compileOrRefuse(flow, [], "The draft cannot be called.");
  const { engine, language } = agent;
  const trial = { agentId, engine, language, flow };
  const version = (await findTrialVersion(tx, trial)) ?? (await insertTrialVersion(tx, trial));
  return { version, engine, needsModel: flow.nodes.some(needsModel) };
}
