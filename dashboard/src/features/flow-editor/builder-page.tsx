import type { Agent } from "@parley/contract/agents";
import type { NodeNumber } from "@parley/contract/node-numbers";
import { changeAgent } from "@parley/contract/routes/agents";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ReactFlowProvider } from "@xyflow/react";
import { ArrowLeft, Plus, Workflow } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { errorText } from "../../api/api-error.ts";
import { send } from "../../api/send.ts";
import { useMode } from "../../app/mode.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { BuilderDialogs, type OpenDialog } from "./builder-dialogs.tsx";
import { BuilderToolbar } from "./builder-toolbar.tsx";
import type { Canvas } from "./canvas/canvas-elements.ts";
import { EmptyCanvas, OpeningCanvas } from "./canvas/empty-canvas.tsx";
import { FlowCanvas } from "./canvas/flow-canvas.tsx";
import { Palette } from "./canvas/palette.tsx";
import { Choosers } from "./canvas/pickers.tsx";
import { useChoosing } from "./canvas/use-pickers.ts";
import { showAtOpening, showWhole, zoomCanvas } from "./canvas/viewport.tsx";
import { nodeNumbersQuery, openedAgentQuery } from "./editor-queries.ts";
import { useKeptChoice } from "./kept-choice.ts";
import { moveTo } from "./model/edit-flow.ts";
import { createEditorStore, type EditorStore, type UndoOffer } from "./model/editor-store.ts";
import { type NoteFix, withoutFresh } from "./model/flow-notes.ts";
import type { Direction } from "./model/layout/layout-flow.ts";
import type { OpenedAgent } from "./open-agent.ts";
import { PathView } from "./path/path-view.tsx";
import { layoutAside } from "./problems/ask-worker.ts";
import { ProblemsPanel, useExitWarnings, useFlowNotes, withExitWarnings } from "./problems/problems-panel.tsx";
import { withUnread, wordNotes } from "./problems/word-notes.ts";
import { DETAILS_ID, SidePanel } from "./side-panel.tsx";
import { hasNodes } from "./sub-flows/make-sub-flow.tsx";
import { flowEditorText } from "./text.ts";
import { EditorStoreProvider, useEditor } from "./use-editor.ts";
import { createDraftSaver, type DraftSaver, useCaughtUp, useSavedOnLeaving } from "./versions/draft-saver.ts";
import { browserDrafts } from "./versions/local-draft.ts";
import { useIsPublished } from "./versions/publish-dialog.tsx";
import { versionsText } from "./versions/text.tsx";

const route = getRouteApi("/signed-in/agents/$agentId/build");

/** The agent builder page. */
export function BuilderPage() {
  const { agentId } = route.useParams();
  const { call } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error } = useQuery(openedAgentQuery(agentId));
  // A large flow is rendered in small batches, so that the page stays responsive.
  const opened = useDeferredValue(data);
  if (opened) {
    return (
      <Builder
        key={agentId}
        opened={opened}
        callId={call ?? null}
        // Going back in the browser shows the path again.
        onClosePath={() => void navigate({ search: {} })}
      />
    );
  }
  if (!error)
    return (
      <div className={FRAME}>
        <OpeningCanvas label={flowEditorText.openingAgent} />
      </div>
    );
  return (
    <Page title={flowEditorText.agent}>
      <Link to="/agents" className="mb-3 inline-flex items-center gap-1.5 text-sm text-ink-soft hover:text-ink">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {flowEditorText.agents}
      </Link>
      <div className="rounded-2xl border border-line bg-surface">
        <EmptyState icon={<Workflow />} title={flowEditorText.agentNotOpened} text={errorText(error)} />
      </div>
    </Page>
  );
}

interface BuilderProps {
  readonly opened: OpenedAgent;
  /** The call whose path is shown, if any. */
  readonly callId: string | null;
  onClosePath(): void;
}

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isDirection = (value: unknown): value is Direction => value === "right" || value === "down";

const FRAME = "flex min-h-0 flex-1 flex-col overflow-hidden";

/** The agent builder: the palette, the flow, and the details of the selection. */
function Builder({ opened, callId, onClosePath }: BuilderProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const [agent, setAgent] = useState<Agent>(opened.agent);
  const tellOthers = useRef<() => void>(() => undefined);
  const [{ store, saver }] = useState(() =>
    createEditor(opened, (saved) => {
      tellOthers.current();
      // Another version may have been published since the save was sent.
      setAgent((now) => ({ ...saved, publishedVersion: now.publishedVersion }));
      if (saved.name !== opened.agent.name) void queries.invalidateQueries(agentsQuery);
    }),
  );
  useSavedOnLeaving(saver, opened);
  const announceSave = useCaughtUp(saver, opened.agent.id, (latest) => {
    setAgent(latest);
    toast({ text: versionsText.broughtUpToDate });
  });
  useEffect(() => {
    tellOthers.current = announceSave;
  }, [announceSave]);
  const draft = useSyncExternalStore(saver.subscribe, saver.getSnapshot);
  const { notes: compiled, isChecked, isCurrent } = useFlowNotes(store, agent.id);
  const flow = useEditor(store, (state) => state.flow);
  const exitWarnings = useExitWarnings(opened.agent, flow);
  const unread = useEditor(store, (state) => state.unread);
  const notes = useMemo(
    () => withUnread(flow, wordNotes(flow, withExitWarnings(compiled, exitWarnings)), unread),
    [flow, compiled, exitWarnings, unread],
  );
  const fresh = useEditor(store, (state) => state.fresh);
  const shownNotes = useMemo(() => withoutFresh(notes, fresh), [notes, fresh]);
  const [areNumbersShown, setNumbersShown] = useKeptChoice("numbers", false, isBoolean);
  const numbers = useNodeNumbers(agent.id, areNumbersShown);
  const isPublished = useIsPublished(agent, flow);
  const [canvas, setCanvas] = useState<Canvas | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [editWishes, setEditWishes] = useState(0);
  const choosing = useChoosing(store, canvas);
  // First the frame, then the flow in it: in one task a large flow would block the page.
  const isFramed = useDeferredValue(true, false);

  useEffect(() => {
    document.title = `${agent.name} · Parley`;
  }, [agent.name]);
  // Errors from the service are checked again after a change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the flow is what it hangs on.
  useEffect(() => setRefusal(null), [flow]);

  const [isTidying, setIsTidying] = useState(false);
  const [lastDirection, setLastDirection] = useKeptChoice<Direction>("direction", "right", isDirection);
  const tidy = (direction: Direction = lastDirection) => {
    setIsTidying(true);
    setLastDirection(direction);
    void layoutAside(store.getSnapshot().flow, direction)
      .then((positions) => {
        store.edit((now) => moveTo(now, positions));
        if (canvas) showWhole(canvas, store.getSnapshot().flow, store.getSnapshot().selection);
      })
      .finally(() => setIsTidying(false));
  };
  const actions = {
    ...choosing.actions,
    edit: () => (store.getSnapshot().selection.length === 1 ? setEditWishes((count) => count + 1) : undefined),
    tidy,
    comment: choosing.comment,
    showWhole: () => (canvas ? showWhole(canvas, store.getSnapshot().flow, store.getSnapshot().selection) : undefined),
    zoom: (to: "in" | "out" | "full") => (canvas ? zoomCanvas(canvas, to) : undefined),
    makeSubFlow: () => {
      const { flow: now, selection } = store.getSnapshot();
      if (hasNodes(now, selection)) setDialog({ kind: "sub-flow" });
    },
    showKeys: () => setDialog({ kind: "keys" }),
    told: (text: string, undo: UndoOffer | null) => toast({ text, undo }),
  };
  const fixNote = (fix: NoteFix) => {
    if (fix.kind === "edit") toast({ text: flowEditorText.fixed(fix.label), undo: store.edit(fix.apply) });
    else {
      store.goTo(fix.nodeId);
      choosing.actions.reconnect(fix.nodeId, fix.exitId);
    }
  };
  const changeFields = useMemo(
    () => (fields: Parameters<typeof saver.changeFields>[0]) => {
      setAgent((now) => ({ ...now, ...fields }) as Agent);
      saver.changeFields(fields);
    },
    [saver],
  );

  if (callId) {
    return (
      <div className={FRAME}>
        <PathView key={callId} agent={agent} callId={callId} draft={flow} onClose={onClosePath} />
      </div>
    );
  }
  return (
    <EditorStoreProvider value={store}>
      <div className={FRAME}>
        <BuilderToolbar
          agent={agent}
          draft={draft}
          store={store}
          actions={actions}
          canPublish={isChecked && notes.problems.length === 0 && draft.kind !== "overtaken"}
          isPublished={isPublished}
          areNumbersShown={areNumbersShown}
          onShowNumbers={setNumbersShown}
          onRetry={saver.retry}
          onOpen={setDialog}
        />
        <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
          <aside className="hidden w-12 shrink-0 overflow-y-auto border-r border-line py-2 lg:block">
            <Palette
              hasStart={flow.nodes.some(({ type }) => type === "start")}
              onAdd={choosing.add}
              onComment={() => choosing.comment()}
              onSearch={() => choosing.actions.add()}
            />
          </aside>
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <section aria-label={flowEditorText.canvas} aria-busy={isTidying} className="relative min-h-0 flex-1">
              <button
                type="button"
                onClick={() => document.getElementById(DETAILS_ID)?.focus()}
                className="sr-only z-10 rounded-lg bg-surface px-4 py-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
              >
                {flowEditorText.skipCanvas}
              </button>
              {isFramed ? (
                <ReactFlowProvider>
                  <FlowCanvas
                    store={store}
                    notes={shownNotes}
                    numbers={numbers}
                    actions={actions}
                    onReady={setCanvas}
                    onOpenEnd={choosing.openEnd}
                  />
                </ReactFlowProvider>
              ) : null}
              {flow.nodes.length === 0 ? (
                <EmptyCanvas
                  onStart={choosing.begin}
                  onTemplate={() => setDialog({ kind: "templates" })}
                  onDescribe={() => setDialog({ kind: "describe" })}
                  onImport={() => setDialog({ kind: "import" })}
                />
              ) : null}
              <Button
                className="absolute right-4 bottom-4 shadow-md lg:hidden"
                look="primary"
                onClick={() => actions.add()}
              >
                <Plus aria-hidden="true" />
                {flowEditorText.add}
              </Button>
            </section>
            <ProblemsPanel
              notes={shownNotes}
              isChecked={isChecked}
              isCurrent={isCurrent}
              isUnfinished={notes.problems.length > shownNotes.problems.length}
              refusal={refusal}
              onGoTo={store.goTo}
              onFix={fixNote}
            />
          </div>
          <SidePanel agent={agent} store={store} notes={shownNotes} editWishes={editWishes} onAgent={changeFields} />
        </div>
      </div>
      {choosing.open ? (
        <Choosers
          open={choosing.open}
          flow={flow}
          onMakeSubFlow={
            hasNodes(flow, store.getSnapshot().selection)
              ? () => {
                  choosing.handlers.onClose();
                  actions.makeSubFlow();
                }
              : null
          }
          {...choosing.handlers}
        />
      ) : null}
      <BuilderDialogs
        open={dialog}
        agent={agent}
        draft={draft}
        store={store}
        saver={saver}
        notes={notes}
        isCurrent={isCurrent}
        onPublishedVersion={(publishedVersion) => setAgent((now) => ({ ...now, publishedVersion }))}
        onRefused={setRefusal}
        onReplaced={(replaced) => (canvas ? showAtOpening(canvas, replaced) : undefined)}
        onClose={() => setDialog(null)}
      />
    </EditorStoreProvider>
  );
}

const NO_NUMBERS: ReadonlyMap<string, NodeNumber> = new Map();

function useNodeNumbers(agentId: string, areShown: boolean): ReadonlyMap<string, NodeNumber> {
  const { mode } = useMode();
  const { data } = useQuery({ ...nodeNumbersQuery(mode, agentId), enabled: areShown });
  return useMemo(
    () => (areShown && data ? new Map(data.nodes.map((each) => [each.nodeId, each])) : NO_NUMBERS),
    [areShown, data],
  );
}

interface Editor {
  readonly store: EditorStore;
  readonly saver: DraftSaver;
}

/** The edited document, and what saves it. */
function createEditor({ agent, flow, unsaved }: OpenedAgent, onSaved: (agent: Agent) => void): Editor {
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
