import type { Agent } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { isSameFlow } from "./model/compare-flows.ts";
import { moveTo } from "./model/edit-flow.ts";
import { needsLayout } from "./model/layout/layout-flow.ts";
import { layoutAside } from "./problems/ask-worker.ts";
import { browserDrafts, type LocalDraft } from "./versions/local-draft.ts";

export interface OpenedAgent {
  readonly agent: Agent;
  /** The edited document: the draft, or unsaved local changes; every node of it has a position. */
  readonly flow: Flow;
  readonly unsaved: LocalDraft | null;
}

/** Prepares an agent for editing. */
export async function openAgent(agent: Agent): Promise<OpenedAgent> {
  const drafts = browserDrafts();
  const unsaved = takeUpDraft(agent, drafts.read(agent.id));
  if (!unsaved) drafts.forget(agent.id);
  return { agent, flow: await withPlaces(unsaved?.flow ?? agent.flow), unsaved };
}

/** The flow with a position for every node. Existing positions are kept, unless most nodes have none. */
export async function withPlaces(flow: Flow): Promise<Flow> {
  if (!needsLayout(flow)) return flow;
  const positions = await layoutAside(flow);
  const unplaced = flow.nodes.filter(({ position }) => position === undefined);
  if (unplaced.length * 2 >= flow.nodes.length) return moveTo(flow, positions);
  return moveTo(flow, new Map([...positions].filter(([id]) => unplaced.some((node) => node.id === id))));
}

/**
 * The part of a local copy that is still unsaved. A page that is closed while it saves does not learn whether the save
 * arrived: if it did, no other member was first, and later changes are based on it.
 */
export function takeUpDraft(agent: Agent, kept: LocalDraft | null): LocalDraft | null {
  if (!kept) return null;
  const hasFields = Object.keys(kept.fields).length > 0;
  if (!hasFields && isSameFlow(kept.flow, agent.flow)) return null;
  const arrived = kept.sent !== null && kept.revision + 1 === agent.revision && isSameFlow(kept.sent, agent.flow);
  return arrived ? { ...kept, revision: agent.revision } : kept;
}
