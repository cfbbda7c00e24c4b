import type { AgentChanges } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";

/** What else of an agent its draft holds. */
export type AgentFields = Omit<AgentChanges, "flow">;

/** What was changed on this machine and not saved yet. */
export interface LocalDraft {
  /** The revision the changes are based on. */
  readonly revision: number;
  readonly flow: Flow;
  /** What was on its way to the service, of which it is not known whether it arrived. */
  readonly sent: Flow | null;
  readonly fields: AgentFields;
  readonly keptAtMs: number;
}

/** Keeps what is not saved yet, so that a closed tab or a dead battery loses nothing. */
export interface LocalDrafts {
  read(agentId: string): LocalDraft | null;
  keep(agentId: string, draft: LocalDraft): void;
  forget(agentId: string): void;
}

const nameOf = (agentId: string) => `parley.draft.${agentId}`;

export function browserDrafts(storage: Storage = localStorage): LocalDrafts {
  return {
    read(agentId) {
      const kept = storage.getItem(nameOf(agentId));
      try {
        return kept === null ? null : (JSON.parse(kept) as LocalDraft);
      } catch {
        // Half of a text is no draft.
        storage.removeItem(nameOf(agentId));
        return null;
      }
    },
    keep(agentId, draft) {
      try {
        storage.setItem(nameOf(agentId), JSON.stringify(draft));
      } catch (error) {
        // A browser without room still has the page itself, which goes on trying to save.
        console.warn("the draft could not be kept in this browser", error);
      }
    },
    forget: (agentId) => storage.removeItem(nameOf(agentId)),
  };
}
