import type { Call } from "@parley/contract/calls";
import type { Flow } from "@parley/contract/flow";
import { ReactFlowProvider } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Canvas } from "../canvas/canvas-elements.ts";
import { Choosers } from "../canvas/choosers.tsx";
import { FlowCanvas } from "../canvas/flow-canvas.tsx";
import { useChoosing } from "../canvas/use-choosing.ts";
import { showAtOpening, showWhole } from "../canvas/viewport.ts";
import { createFixedStore } from "../model/fixed-store.ts";
import { NO_NOTES } from "../model/flow-notes.ts";
import { EditorStoreProvider } from "../use-editor.ts";
import { PathBar } from "./path-bar.tsx";
import type { PathStep } from "./path-steps.ts";
import { StepList } from "./step-list.tsx";

interface ShownPathProps {
  readonly agentName: string;
  readonly call: Call;
  readonly flow: Flow;
  readonly steps: readonly PathStep[];
  /** Whether a call with the draft would be no other. */
  readonly isLikeDraft: boolean;
  onClose(): void;
}

/** Where the way can be followed at a glance, while the words of each step stand beside it. */
const OVERVIEW_ZOOM = 0.35;

const nothing = () => undefined;

/** The flow as it was, with the nodes and lines that a call took, and its steps beside it. Nothing of it can be changed. */
export function ShownPath({ agentName, call, flow, steps, isLikeDraft, onClose }: ShownPathProps) {
  const store = useMemo(() => createFixedStore(flow), [flow]);
  const [canvas, setCanvas] = useState<Canvas | null>(null);
  const choosing = useChoosing(store, canvas);
  useEffect(() => store.setPath(steps.map(({ nodeId }) => nodeId)), [store, steps]);
  const open = useCallback(
    (ready: Canvas) => {
      setCanvas(ready);
      showAtOpening(ready, partTaken(flow, steps), OVERVIEW_ZOOM);
    },
    [flow, steps],
  );
  const look = {
    search: choosing.actions.search,
    showWhole: () => (canvas ? showWhole(canvas, flow) : undefined),
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
        onShowWhole={look.showWhole}
        onClose={onClose}
      />
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <section aria-label="Canvas" className="relative min-h-0 min-w-0 flex-1">
          <ReactFlowProvider key={`${call.id} ${call.agentVersion}`}>
            <FlowCanvas
              store={store}
              notes={NO_NOTES}
              actions={{
                ...look,
                add: nothing,
                connect: nothing,
                edit: nothing,
                tidy: nothing,
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
      {choosing.open ? <Choosers open={choosing.open} flow={flow} {...choosing.handlers} /> : null}
    </EditorStoreProvider>
  );
}

function countLost(flow: Flow, steps: readonly PathStep[]): number {
  const known = new Set(flow.nodes.map(({ id }) => id));
  return steps.filter(({ nodeId }) => !known.has(nodeId)).length;
}

/** What of the flow the call came to, or all of it where that is nothing. */
function partTaken(flow: Flow, steps: readonly PathStep[]): Flow {
  const taken = new Set(steps.map(({ nodeId }) => nodeId));
  const nodes = flow.nodes.filter(({ id }) => taken.has(id));
  return nodes.length > 0 ? { ...flow, nodes } : flow;
}
