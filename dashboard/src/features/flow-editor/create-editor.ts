import type { Agent } from "@parley/contract/agents";
import { changeAgent } from "@parley/contract/routes/agents";
import { send } from "../../api/send.ts";
import { createEditorStore, type EditorStore } from "./model/editor-store.ts";
import type { OpenedAgent } from "./open-agent.ts";
import { createDraftSaver, type DraftSaver } from "./versions/draft-saver.ts";
import { browserDrafts } from "./versions/local-draft.ts";

interface Editor {
  readonly store: EditorStore;
  readonly saver: DraftSaver;
}

/** What is worked on, and what saves it. */
export function createEditor({ agent, flow, unsaved }: OpenedAgent, onSaved: (agent: Agent) => void): Editor {
  const store = createEditorStore(flow);
  const saver = createDraftSaver({
    agent,
    store,
    unsaved,
    drafts: browserDrafts(),
    save: (body, revision) => send(changeAgent, { params: { id: agent.id }, body, ifMatch: revision }),
    onSaved,
    after(ms, due) {
      const timer = setTimeout(due, ms);
      return () => clearTimeout(timer);
    },
    nowMs: Date.now,
  });
  return { store, saver };
}
