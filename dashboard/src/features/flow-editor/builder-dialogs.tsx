import type { Agent } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { useToast } from "../../ui/toast.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import type { DraftState } from "./model/draft-state.ts";
import type { EditorStore } from "./model/editor-store.ts";
import type { FlowNotes } from "./model/flow-notes.ts";
import { withPlaces } from "./open-agent.ts";
import { TemplatesDialog } from "./templates/templates-dialog.tsx";
import type { DraftSaver } from "./versions/draft-saver.ts";
import { ImportDialog } from "./versions/import-dialog.tsx";
import { OvertakenDialog } from "./versions/overtaken-dialog.tsx";
import { PublishDialog } from "./versions/publish-dialog.tsx";
import { VersionsDialog } from "./versions/versions-dialog.tsx";

export interface OpenDialog {
  readonly kind: "publish" | "versions" | "import" | "keys" | "templates";
}

interface BuilderDialogsProps {
  readonly open: OpenDialog | null;
  readonly agent: Agent;
  readonly draft: DraftState;
  readonly store: EditorStore;
  readonly saver: DraftSaver;
  readonly notes: FlowNotes;
  /** Whether the notes are about the flow as it is now. */
  readonly isCurrent: boolean;
  onPublishedVersion(version: number): void;
  onRefused(words: string): void;
  /** Another flow stands in the place of the draft. */
  onReplaced(flow: Flow): void;
  onClose(): void;
}

/** Whatever stands before the canvas. That somebody else saved first comes before everything. */
export function BuilderDialogs({ open, agent, draft, store, saver, notes, isCurrent, ...on }: BuilderDialogsProps) {
  const toast = useToast();
  const agentId = agent.id;
  const take = (flow: Flow, text: string) =>
    void withPlaces(flow).then((placed) => {
      toast({ text, undo: store.edit(() => placed) });
      on.onReplaced(placed);
    });
  if (draft.kind === "overtaken") {
    return (
      <OvertakenDialog
        agentId={agentId}
        message={draft.message}
        store={store}
        saver={saver}
        onDone={(text) => toast({ text })}
      />
    );
  }
  switch (open?.kind) {
    case undefined:
      return null;
    case "keys":
      return <KeysDialog onClose={on.onClose} />;
    case "publish":
      return (
        <PublishDialog
          agentId={agentId}
          publishedVersion={agent.publishedVersion}
          store={store}
          saver={saver}
          notes={notes}
          isCurrent={isCurrent}
          onPublished={({ version }) => {
            on.onPublishedVersion(version);
            toast({ text: `Version ${version} is published. New calls use it.` });
            on.onClose();
          }}
          onRefused={on.onRefused}
          onClose={on.onClose}
        />
      );
    case "versions":
      return (
        <VersionsDialog
          agentId={agentId}
          publishedVersion={agent.publishedVersion}
          draft={store.getSnapshot().flow}
          onRolledBack={on.onPublishedVersion}
          onTake={({ version }, flow) => {
            take(flow, `The draft is version ${version} now.`);
            on.onClose();
          }}
          onClose={on.onClose}
        />
      );
    case "templates":
      return (
        <TemplatesDialog
          agentId={agentId}
          onTake={(flow, name) => {
            take(flow, `The draft is “${name}” now.`);
            on.onClose();
          }}
          onClose={on.onClose}
        />
      );
    case "import":
      return (
        <ImportDialog
          onRead={(flow) => {
            take(flow, "The draft is what the file says.");
            on.onClose();
          }}
          onClose={on.onClose}
        />
      );
  }
}
