import type { Agent } from "@parley/contract/agents";
import type { EditorStore } from "./model/editor-store.ts";
import type { FlowNotes } from "./model/flow-notes.ts";
import type { AgentFields } from "./versions/local-draft.ts";

interface SidePanelProps {
  readonly agent: Agent;
  readonly store: EditorStore;
  readonly notes: FlowNotes;
  onAgent(fields: AgentFields): void;
}

/** What is known about the selected node, and about the agent as a whole. */
export function SidePanel(_: SidePanelProps) {
  return null;
}
