import type { Agent } from "@parley/contract/agents";
import type { Call } from "@parley/contract/calls";
import type { Flow } from "@parley/contract/flow";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ReactFlowProvider } from "@xyflow/react";
import { ArrowLeft, Route as RouteIcon, Search } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { useMode } from "../../../app/mode.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { callQuery, transcriptQuery } from "../../calls/call-queries.ts";
import { ToolbarButton } from "../builder-toolbar.tsx";
import type { Canvas } from "../canvas/canvas-elements.ts";
import { OpeningCanvas } from "../canvas/empty-canvas.tsx";
import { FlowCanvas } from "../canvas/flow-canvas.tsx";
import { Choosers } from "../canvas/pickers.tsx";
import { useChoosing } from "../canvas/use-pickers.ts";
import { showAtOpening, showWhole, zoomCanvas } from "../canvas/viewport.tsx";
import { drawnVersionQuery } from "../editor-queries.ts";
import { compareFlows } from "../model/compare-flows.ts";
import { createFixedStore } from "../model/editor-store.ts";
import { NO_NOTES } from "../model/flow-notes.ts";
import { outerNode } from "../sub-flows/outer-node.ts";
import { EditorStoreProvider } from "../use-editor.ts";
import { type PathStep, pathSteps } from "./path-steps.ts";
import { StepList } from "./step-list.tsx";
import { editorPathText } from "./text.tsx";

interface PathViewProps {
  readonly agent: Agent;
  readonly callId: string;
  /** The current document, saved or not. */
  readonly draft: Flow;
  onClose(): void;
}

/** The path of a call, drawn on the version of the call. The draft is kept unchanged meanwhile. */
export function PathView({ agent, callId, draft, onClose }: PathViewProps) {
  const { mode } = useMode();
  const call = useQuery(callQuery(mode, callId));
  const transcript = useQuery(transcriptQuery(mode, callId));
  const version = useFlowOf(agent, call.data, draft);
  const steps = useMemo(() => pathSteps(transcript.data?.items ?? []), [transcript.data]);
  const isLikeDraft = useMemo(() => !version.flow || compareFlows(version.flow, draft).isSame, [version.flow, draft]);
  const error = call.error ?? transcript.error;
  const refusal = error ? errorText(error) : version.refusal;
  if (call.data && transcript.data && version.flow) {
    return (
      <ShownPath
        agentName={agent.name}
        call={call.data}
        flow={version.flow}
        steps={steps}
        isLikeDraft={isLikeDraft}
        onClose={onClose}
      />
    );
  }
  if (refusal === null) return <OpeningCanvas label={editorPathText.loading} />;
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState
        icon={<RouteIcon />}
        title={editorPathText.cannotBeShown}
        text={refusal}
        action={<Button onClick={onClose}>{editorPathText.backToDraft}</Button>}
      />
    </div>
  );
}

/** The version of the call. A tried draft has no number: the current draft comes closest. */
function useFlowOf(agent: Agent, call: Call | undefined, draft: Flow) {
  const isAnothers = call !== undefined && call.agentId !== agent.id;
  const version = call?.agentVersion ?? 0;
  const drawn = useQuery({ ...drawnVersionQuery(agent.id, version), enabled: version > 0 && !isAnothers });
  if (isAnothers) return { flow: undefined, refusal: editorPathText.heldByAnother };
  return {
    flow: call && version === 0 ? draft : drawn.data,
    refusal: drawn.error ? errorText(drawn.error) : null,
  };
}

interface ShownPathProps {
  readonly agentName: string;
  readonly call: Call;
  readonly flow: Flow;
  readonly steps: readonly PathStep[];
  /** Whether a call with the draft would be no other. */
  readonly isLikeDraft: boolean;
  onClose(): void;
}

const nothing = () => undefined;

/** The flow as it was, with the path of a call and its steps next to it. Read-only. */
function ShownPath({ agentName, call, flow, steps, isLikeDraft, onClose }: ShownPathProps) {
  const store = useMemo(() => createFixedStore(flow), [flow]);
  const [canvas, setCanvas] = useState<Canvas | null>(null);
  const choosing = useChoosing(store, canvas);
  useEffect(() => store.setPath(steps), [store, steps]);
  const open = useCallback(
    (ready: Canvas) => {
      setCanvas(ready);
      showAtOpening(ready, partTaken(flow, steps));
    },
    [flow, steps],
  );
  const look = {
    search: choosing.actions.search,
    showWhole: () => (canvas ? showWhole(canvas, flow, store.getSnapshot().selection) : undefined),
    zoom: (to: "in" | "out" | "full") => (canvas ? zoomCanvas(canvas, to) : undefined),
  };
  return (
    <EditorStoreProvider value={store}>
      <PathBar
        agentName={agentName}
        call={call}
        stepCount={steps.length}
        lostCount={countLost(flow, steps)}
        isLikeDraft={isLikeDraft}
        onSearch={look.search}
        onClose={onClose}
      />
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <section aria-label={editorPathText.canvas} className="relative min-h-0 min-w-0 flex-1">
          <ReactFlowProvider key={`${call.id} ${call.agentVersion}`}>
            <FlowCanvas
              store={store}
              notes={NO_NOTES}
              actions={{
                ...look,
                add: nothing,
                comment: nothing,
                connect: nothing,
                reconnect: nothing,
                insertOn: nothing,
                edit: nothing,
                tidy: nothing,
                makeSubFlow: nothing,
                showKeys: nothing,
                told: nothing,
              }}
              onReady={open}
              onOpenEnd={nothing}
            />
          </ReactFlowProvider>
        </section>
        <StepList callId={call.id} flow={flow} steps={steps} store={store} />
      </div>
      {choosing.open ? <Choosers open={choosing.open} flow={flow} onMakeSubFlow={null} {...choosing.handlers} /> : null}
    </EditorStoreProvider>
  );
}

function countLost(flow: Flow, steps: readonly PathStep[]): number {
  return steps.filter(({ nodeId }) => !outerNode(flow, nodeId)).length;
}

/** The part of the flow that the call visited, or all of it if there is none. */
function partTaken(flow: Flow, steps: readonly PathStep[]): Flow {
  const taken = new Set(steps.map(({ nodeId }) => nodeId));
  const nodes = flow.nodes.filter(({ id }) => taken.has(id));
  return nodes.length > 0 ? { ...flow, nodes } : flow;
}

interface PathBarProps {
  readonly agentName: string;
  readonly call: Call;
  readonly stepCount: number;
  /** Steps at nodes that the shown flow does not have. */
  readonly lostCount: number;
  readonly isLikeDraft: boolean;
  onSearch(): void;
  onClose(): void;
}

/** Shows whose path is drawn and on which version, and links back to the draft. */
function PathBar({ agentName, call, stepCount, onSearch, onClose, ...facts }: PathBarProps) {
  const { agentVersion: version } = call;
  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-3 py-2 sm:px-4">
        <Link
          to="/calls/$callId"
          params={{ callId: call.id }}
          aria-label={editorPathText.backToCall}
          className="p-2 text-ink-soft hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4.5" />
        </Link>
        <h1 className="min-w-0 truncate font-semibold">{agentName}</h1>
        <Badge tone="accent">
          {version === 0 ? editorPathText.draftReadOnly : editorPathText.versionReadOnly(version)}
        </Badge>
        <div className="ml-auto flex items-center gap-1">
          <ToolbarButton label={editorPathText.findNode} onClick={onSearch} icon={<Search aria-hidden="true" />} />
          <Button look="primary" size="small" className="ml-1" onClick={onClose}>
            {editorPathText.backToDraft}
          </Button>
        </div>
      </div>
      <div role="status" className="flex items-start gap-3 border-b border-line bg-accent-soft px-4 py-2 text-sm">
        <RouteIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-text" />
        <p className="min-w-0 flex-1">
          {editorPathText.pathOfCall(
            <Link to="/calls/$callId" params={{ callId: call.id }} className="font-medium text-accent-text underline">
              {call.phoneNumber}
            </Link>,
            formatMoment(call.createdAt),
            stepCount,
          )}{" "}
          {version === 0
            ? editorPathText.triedDraft(facts.lostCount)
            : editorPathText.heldWithVersion(version, facts.isLikeDraft)}
        </p>
      </div>
    </>
  );
}
