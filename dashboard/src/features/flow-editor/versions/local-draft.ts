import { AgentChanges } from "@parley/contract/agents";
import { Flow } from "@parley/contract/flow";

/** What else of an agent its draft holds. */
export type AgentFields = Omit<AgentChanges, "flow">;

/** Changes on this machine that are not saved yet. */
export interface LocalDraft {
  /** The revision the changes are based on. */
  readonly revision: number;
  readonly flow: Flow;
  /** What was being sent to the service, with unknown result. */
  readonly sent: Flow | null;
  readonly fields: AgentFields;
  readonly keptAtMs: number;
}

/** Stores unsaved changes, so that a closed tab or a dead battery loses nothing. */
export interface LocalDrafts {
  read(agentId: string): LocalDraft | null;
  keep(agentId: string, draft: LocalDraft): void;
  forget(agentId: string): void;
}

const nameOf = (agentId: string) => `parley.draft.${agentId}`;

export function browserDrafts(storage: Storage = localStorage): LocalDrafts {
  return {
    read(agentId) {
      const stored = storage.getItem(nameOf(agentId));
      const draft = stored === null ? null : parseDraft(stored);
      // A truncated text, or a document that this release cannot edit.
      if (stored !== null && draft === null) storage.removeItem(nameOf(agentId));
      return draft;
    },
    keep(agentId, draft) {
      try {
        storage.setItem(nameOf(agentId), JSON.stringify(draft));
      } catch (error) {
        // A browser without space still has the page itself, which keeps trying to save.
        console.warn("the draft could not be kept in this browser", error);
      }
    },
    forget: (agentId) => storage.removeItem(nameOf(agentId)),
  };
}

function parseDraft(text: string): LocalDraft | null {
  try {
    const { revision, flow, sent, fields, keptAtMs } = JSON.parse(text) as Partial<Record<keyof LocalDraft, unknown>>;
    if (typeof revision !== "number" || typeof keptAtMs !== "number") return null;
    const { flow: _, ...ownFields } = AgentChanges.parse({ ...(fields as object), flow });
    return {
      revision,
      flow: Flow.parse(flow),
      sent: sent === null ? null : Flow.parse(sent),
      fields: ownFields,
      keptAtMs,
    };
  } catch {
    return null;
  }
}
