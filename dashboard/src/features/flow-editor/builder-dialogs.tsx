import type { AgentTemplate } from "@parley/contract/agent-templates";
import type { Agent } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { describeAgent } from "@parley/contract/routes/agents";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { errorText } from "../../api/api-error.ts";
import { useIdempotencyKeys } from "../../api/idempotency-keys.ts";
import { send } from "../../api/send.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { TextAreaField } from "../../ui/forms/field.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { groupsText } from "./canvas/groups/text.ts";
import { modelNamesQuery } from "./editor-queries.ts";
import type { DraftState } from "./model/draft-state.ts";
import type { EditorStore } from "./model/editor-store.ts";
import type { FlowNotes } from "./model/flow-notes.ts";
import { withPlaces } from "./open-agent.ts";
import { scenarioKeys } from "./scenarios/scenario-queries.ts";
import { MakeSubFlowDialog } from "./sub-flows/make-sub-flow.tsx";
import { subFlowsText } from "./sub-flows/text.ts";
import { addScenarios, TemplateGallery } from "./templates/template-gallery.tsx";
import { templatesText } from "./templates/text.ts";
import { flowEditorText } from "./text.ts";
import { ImportDialog } from "./versions/agent-file.tsx";
import { OvertakenDialog } from "./versions/conflict-dialog.tsx";
import type { DraftSaver } from "./versions/draft-saver.ts";
import { PublishDialog } from "./versions/publish-dialog.tsx";
import { VersionsDialog } from "./versions/versions-dialog.tsx";

export interface OpenDialog {
  readonly kind: "publish" | "versions" | "import" | "keys" | "templates" | "describe" | "sub-flow";
}

interface BuilderDialogsProps {
  readonly open: OpenDialog | null;
  readonly agent: Agent;
  readonly draft: DraftState;
  readonly store: EditorStore;
  readonly saver: DraftSaver;
  readonly notes: FlowNotes;
  /** Whether the results belong to the current flow. */
  readonly isCurrent: boolean;
  onPublishedVersion(version: number): void;
  onRefused(words: string): void;
  /** Another flow replaces the draft. */
  onReplaced(flow: Flow): void;
  onClose(): void;
}

/** The dialogs above the canvas. A save conflict takes precedence. */
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
        isByYou={draft.isByYou}
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
            toast({ text: flowEditorText.versionPublished(version) });
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
            take(flow, flowEditorText.draftIsVersion(version));
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
            take(flow, flowEditorText.draftIsTemplate(name));
            on.onClose();
          }}
          onClose={on.onClose}
        />
      );
    case "describe":
      return (
        <DescribeDialog
          agentId={agentId}
          isEmpty={store.getSnapshot().flow.nodes.length === 0}
          onWritten={(flow, problems) => {
            take(flow, problems === 0 ? flowEditorText.draftWritten : flowEditorText.draftWrittenWithProblems);
            on.onClose();
          }}
          onClose={on.onClose}
        />
      );
    case "sub-flow":
      return (
        <MakeSubFlowDialog
          agent={agent}
          store={store}
          onDone={(text, undo) => toast({ text, undo })}
          onClose={on.onClose}
        />
      );
    case "import":
      return (
        <ImportDialog
          onRead={(flow) => {
            take(flow, flowEditorText.draftImported);
            on.onClose();
          }}
          onClose={on.onClose}
        />
      );
  }
}

interface TemplatesDialogProps {
  readonly agentId: string;
  onTake(flow: Flow, name: string): void;
  onClose(): void;
}

/** Fills an empty agent from a template, including its scenarios. */
function TemplatesDialog({ agentId, onTake, onClose }: TemplatesDialogProps) {
  const queries = useQueryClient();
  const keyOf = useIdempotencyKeys();
  const { mutate, error } = useMutation({
    mutationFn: (template: AgentTemplate) => addScenarios(agentId, template, keyOf(template.id)),
    onSuccess: async (_, { id, flow, name }) => {
      await queries.invalidateQueries({ queryKey: scenarioKeys.list(agentId) });
      onTake(flow, templatesText.nameOf(id, name));
    },
  });
  return (
    <Dialog isOpen onClose={onClose} isWide title={flowEditorText.useTemplate} lead={flowEditorText.templateLead}>
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      <TemplateGallery onChoose={mutate} />
    </Dialog>
  );
}

const KEYS: readonly (readonly [string, string])[] = [
  [flowEditorText.keysFindNode, flowEditorText.findNode],
  ["A", flowEditorText.addNode],
  ["C", flowEditorText.connectExit],
  [flowEditorText.keyTab, flowEditorText.goFromNodeToNode],
  ["E", flowEditorText.goToFields],
  [flowEditorText.shiftClick, flowEditorText.selectSeveral],
  [flowEditorText.keysSelectAll, flowEditorText.selectAll],
  [flowEditorText.keysCopyCutPaste, flowEditorText.copyCutPaste],
  [flowEditorText.keysDuplicate, flowEditorText.duplicate],
  [flowEditorText.keyDelete, flowEditorText.removeSelected],
  [flowEditorText.keysUndoRedo, flowEditorText.undoRedo],
  [groupsText.keys, groupsText.whatKeysDo],
  ["S", subFlowsText.makeCommand],
  [flowEditorText.keysTidyUp, flowEditorText.tidyUpEitherWay],
  [flowEditorText.keysShowWhole, flowEditorText.showWhole],
  ["+, -, 0", flowEditorText.zoom],
  [flowEditorText.rightClick, flowEditorText.openMenu],
];

/** The keyboard shortcuts. */
function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog isOpen onClose={onClose} title={flowEditorText.keyboardShortcuts}>
      <dl className="divide-y divide-line text-sm">
        {KEYS.map(([keys, what]) => (
          <div key={keys} className="flex justify-between gap-6 py-2">
            <dt>
              <kbd className="rounded-md bg-sunken px-2 py-0.5 font-mono text-xs whitespace-nowrap">{keys}</kbd>
            </dt>
            <dd className="text-right text-ink-soft">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const LENGTH = { min: 10, max: 4000 } as const;

interface DescribeDialogProps {
  readonly agentId: string;
  /** Whether there is no flow yet that would be replaced. */
  readonly isEmpty: boolean;
  onWritten(flow: Flow, problems: number): void;
  onClose(): void;
}

/** Has the configured language model write the flow from a description. */
function DescribeDialog({ agentId, isEmpty, onWritten, onClose }: DescribeDialogProps) {
  const [description, setDescription] = useState("");
  const { data: modelNames } = useQuery(modelNamesQuery);
  const hasNoModel = modelNames?.length === 0;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(describeAgent, { params: { id: agentId }, body: { description: description.trim() } }),
    onSuccess: ({ flow, problems }) => onWritten(flow, problems.length),
  });
  const isShort = description.trim().length < LENGTH.min;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isShort && !hasNoModel && !isPending) mutate();
  };
  return (
    <Dialog isOpen onClose={onClose} title={templatesText.describeYourAgent} lead={templatesText.describeLead}>
      <form onSubmit={submit} className="space-y-4">
        {hasNoModel ? <Notice tone="warning">{templatesText.noModel}</Notice> : null}
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        {isEmpty ? null : <Notice tone="warning">{templatesText.replacesFlow}</Notice>}
        <TextAreaField
          label={templatesText.whatShouldItDo}
          placeholder={templatesText.descriptionExample}
          rows={6}
          maxLength={LENGTH.max}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <div className="flex items-center justify-end gap-3">
          <p role="status" className="text-sm text-ink-soft">
            {isPending ? templatesText.writingDraft : ""}
          </p>
          <Button type="submit" look="primary" isBusy={isPending} disabled={isShort || hasNoModel}>
            {templatesText.writeDraft}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
