import type { Agent } from "@parley/contract/agents";
import { isSameFlow } from "../model/same-flow.ts";
import type { LocalDraft } from "./local-draft.ts";

/**
 * What of a copy on this machine is still unsaved. A page that is closed while it saves does not hear whether the save
 * arrived: if it did, nobody else was first, and what was changed after it is based on it.
 */
export function takeUpDraft(agent: Agent, kept: LocalDraft | null): LocalDraft | null {
  if (!kept) return null;
  const hasFields = Object.keys(kept.fields).length > 0;
  if (!hasFields && isSameFlow(kept.flow, agent.flow)) return null;
  const arrived = kept.sent !== null && kept.revision + 1 === agent.revision && isSameFlow(kept.sent, agent.flow);
  return arrived ? { ...kept, revision: agent.revision } : kept;
}
