import type { Agent } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import {
  ChevronDown,
  ChevronUp,
  ListChecks,
  MousePointerClick,
  PanelRightClose,
  Play,
  SlidersHorizontal,
  SquarePen,
} from "lucide-react";
import { type CSSProperties, type KeyboardEvent, lazy, Suspense, useDeferredValue, useEffect, useState } from "react";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { TabList, TabPanel } from "../../ui/layout/tabs.tsx";
import { focusCard, focusOnceDrawn } from "./canvas/focus-card.ts";
import { NodeInspector } from "./inspector/node-inspector.tsx";
import { useKeptChoice } from "./kept-choice.ts";
import { replaceNode } from "./model/edit-flow.ts";
import type { EditorStore } from "./model/editor-store.ts";
import { type FlowNotes, problemsOf } from "./model/flow-notes.ts";
import { isWidth, PANEL_WIDTH, PanelEdge } from "./panel-edge.tsx";
import { ScenariosPanel } from "./scenarios/scenarios-panel.tsx";
import { FlowSettingsPanel } from "./settings/flow-settings-panel.tsx";
import { flowEditorText } from "./text.ts";
import { TryText } from "./try/try-text.tsx";
import { useEditor } from "./use-editor.ts";
import type { AgentFields } from "./versions/local-draft.ts";

interface SidePanelProps {
  readonly agent: Agent;
  readonly store: EditorStore;
  readonly notes: FlowNotes;
  /** How often the fields of the node were requested. */
  readonly editWishes: number;
  onAgent(fields: AgentFields): void;
}

const TABS = [
  { id: "node", label: flowEditorText.node, Icon: SquarePen },
  { id: "try", label: flowEditorText.tryIt, Icon: Play },
  { id: "scenarios", label: flowEditorText.scenarios, Icon: ListChecks },
  { id: "settings", label: flowEditorText.settings, Icon: SlidersHorizontal },
] as const;
type TabId = (typeof TABS)[number]["id"];

/** Moves the focus here. */
export const DETAILS_ID = "details";

/** The details of the selected node, and of the whole agent. */
export function SidePanel({ agent, store, notes, editWishes, onAgent }: SidePanelProps) {
  const [tab, setTab] = useState<TabId>("node");
  // On a phone the flow has the screen until a node is chosen; on a larger screen the last choice counts.
  const [isOpen, setOpen] = useState(false);
  const [isWide] = useState(() => matchMedia("(min-width: 64rem)"));
  const [isShown, setShown] = useKeptChoice("panelShown", true, isBoolean);
  const [width, setWidth] = useKeptChoice<number>("panelWidth", PANEL_WIDTH.initial, isWidth);
  const flow = useEditor(store, (state) => state.flow);
  const selection = useEditor(store, (state) => state.selection);
  const [selected] = selection;
  // The canvas is drawn first, then the panel: not both in one long task.
  const isDrawn = useDeferredValue(true, false);
  // Selecting a node keeps the test panel open but leaves the settings.
  useEffect(() => {
    if (selected === undefined) return;
    setTab((now) => (now === "settings" ? "node" : now));
    setOpen(true);
  }, [selected]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: showing the panel is not a wish to edit.
  useEffect(() => {
    if (editWishes === 0) return;
    setTab("node");
    setOpen(true);
    if (isWide.matches) setShown(true);
    // The fields may appear a few frames later: the panel is drawn after the canvas.
    return focusOnceDrawn(
      () => document.querySelector<HTMLElement>(`#${DETAILS_ID} [role=tabpanel][data-state=active] input`),
      // The panel may be scrolled down to another field.
      { preventScroll: false },
    );
  }, [editWishes]);
  const goBack = (event: KeyboardEvent<HTMLElement>) => {
    // A dialog of the panel is elsewhere in the DOM, and handles Escape itself.
    if (event.key !== "Escape" || selected === undefined || !event.currentTarget.contains(event.target as Node)) return;
    focusCard(document, selected);
  };
  const show = (id: TabId) => {
    setTab(id);
    setShown(true);
    focusOnceDrawn(() => document.querySelector<HTMLElement>(`#${DETAILS_ID} [role=tab][data-state=active]`));
  };
  return (
    <aside
      id={DETAILS_ID}
      tabIndex={-1}
      aria-label={flowEditorText.details}
      onKeyDown={goBack}
      style={{ "--panel-width": `${width}px` } as CSSProperties}
      className={`relative flex min-h-0 shrink-0 outline-offset-[-2px] flex-col border-line bg-surface max-lg:border-t lg:border-l ${isShown ? "lg:w-(--panel-width)" : "lg:w-12"} ${isOpen ? "max-lg:h-[55%]" : ""}`}
    >
      {isShown ? <PanelEdge width={width} controls={DETAILS_ID} onWidth={setWidth} /> : <FoldedTabs onShow={show} />}
      <div className={`flex items-center border-b border-line pr-2 ${isShown ? "" : "lg:hidden"}`}>
        <TabList
          name={DETAILS_ID}
          label={flowEditorText.details}
          tabs={TABS}
          chosen={tab}
          onChoose={(id) => {
            setTab(id);
            setOpen(true);
          }}
          look="panel"
        />
        <Button
          look="quiet"
          size="smallIcon"
          className="lg:hidden"
          aria-expanded={isOpen}
          aria-label={isOpen ? flowEditorText.hideDetails : flowEditorText.showDetails}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronUp aria-hidden="true" />}
        </Button>
        <Button
          look="quiet"
          size="smallIcon"
          className="max-lg:hidden"
          aria-label={flowEditorText.closeDetails}
          title={flowEditorText.closeDetails}
          onClick={() => {
            setShown(false);
            focusOnceDrawn(() => document.querySelector<HTMLElement>(`#${DETAILS_ID} button`));
          }}
        >
          <PanelRightClose aria-hidden="true" />
        </Button>
      </div>
      {TABS.map(({ id }) => (
        <TabPanel
          key={id}
          name={DETAILS_ID}
          id={id}
          isChosen={id === tab}
          // Tests and scenario runs continue while a node is shown.
          isKept={id === "try" || id === "scenarios"}
          className={`min-h-0 flex-1 overflow-y-auto px-4 py-4 ${isOpen ? "" : "max-lg:hidden"} ${isShown ? "" : "lg:hidden"}`}
        >
          {id === "node" ? <SelectedNode agentId={agent.id} selection={selection} store={store} notes={notes} /> : null}
          {id === "try" && isDrawn ? <TryPanel agentId={agent.id} flow={flow} store={store} /> : null}
          {id === "scenarios" && isDrawn ? (
            <ScenariosPanel agentId={agent.id} publishedVersion={agent.publishedVersion} store={store} />
          ) : null}
          {id === "settings" ? (
            <FlowSettingsPanel
              agent={agent}
              flow={flow}
              problems={notes.problems}
              onFlow={(next) => store.edit(() => next, "settings")}
              onAgent={onAgent}
            />
          ) : null}
        </TabPanel>
      ))}
    </aside>
  );
}

const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

/** The closed panel: one button for each of its tabs. */
function FoldedTabs({ onShow }: { onShow(tab: TabId): void }) {
  return (
    <div className="flex flex-col items-center gap-1 py-2 max-lg:hidden">
      {TABS.map(({ id, label, Icon }) => (
        <Button key={id} look="quiet" size="smallIcon" aria-label={label} title={label} onClick={() => onShow(id)}>
          <Icon aria-hidden="true" />
        </Button>
      ))}
    </div>
  );
}

interface SelectedNodeProps {
  readonly agentId: string;
  readonly selection: readonly string[];
  readonly store: EditorStore;
  readonly notes: FlowNotes;
}

function SelectedNode({ agentId, selection, store, notes }: SelectedNodeProps) {
  // Selecting a node also starts a drag: its fields are rendered during the first moves, not before them.
  const ids = selection.join(" ");
  const isBuilt = useDeferredValue(ids) === ids;
  const flow = useEditor(store, (state) => state.flow);
  const nodes = flow.nodes.filter(({ id }) => selection.includes(id));
  const [node] = nodes;
  // Remounts for every node, so that input never goes to a node that is no longer selected.
  if (!isBuilt) return <div aria-busy="true" />;
  if (!node || nodes.length > 1) {
    return (
      <EmptyState
        icon={<MousePointerClick />}
        title={nodes.length > 1 ? flowEditorText.nodesSelected(nodes.length) : flowEditorText.noNodeSelected}
        text={nodes.length > 1 ? flowEditorText.nodesSelectedText : flowEditorText.noNodeSelectedText}
      />
    );
  }
  return (
    <div className="space-y-4">
      {notes.warnings
        .filter(({ nodeId }) => nodeId === node.id)
        .map(({ path, message }) => (
          <Notice key={`${path} ${message}`} tone="warning">
            {message}
          </Notice>
        ))}
      <NodeInspector
        agentId={agentId}
        flow={flow}
        node={node}
        problems={problemsOf(notes, node.id)}
        onChange={(next) => store.edit((now) => replaceNode(now, next), `node:${next.id}`)}
      />
    </div>
  );
}

const TryVoice = lazy(() => import("./try/try-voice.tsx").then((module) => ({ default: module.TryVoice })));
const TryCall = lazy(() => import("./try/try-call.tsx").then((module) => ({ default: module.TryCall })));

interface TryPanelProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly store: EditorStore;
}

const WAYS = [
  { value: "text", label: flowEditorText.tryByText },
  { value: "voice", label: flowEditorText.tryByVoice },
  { value: "call", label: flowEditorText.tryBySimulatedCall },
] as const;
type Way = (typeof WAYS)[number]["value"];
const PARTS = { text: TryText, voice: TryVoice, call: TryCall } as const;

/** Testing the agent: by text, by voice, or in a call to a simulated callee. */
function TryPanel(props: TryPanelProps) {
  const [way, setWay] = useState<Way>("text");
  const Part = PARTS[way];
  return (
    <div className="space-y-4">
      <Segmented label={flowEditorText.howToTry} value={way} choices={WAYS} onChoose={(next) => setWay(next)} />
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <Part {...props} />
      </Suspense>
    </div>
  );
}
