import type { Agent } from "@parley/contract/agents";
import type { Call } from "@parley/contract/calls";
import type { Flow } from "@parley/contract/flow";
import { useQuery } from "@tanstack/react-query";
import { Route as RouteIcon } from "lucide-react";
import { useMemo } from "react";
import { inWords } from "../../../api/api-error.ts";
import { useMode } from "../../../app/mode.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { callQuery, transcriptQuery } from "../../calls/call-queries.ts";
import { OpeningCanvas } from "../canvas/empty-canvas.tsx";
import { drawnVersionQuery } from "../editor-queries.ts";
import { compareFlows } from "../model/compare-flows.ts";
import { pathSteps } from "./path-steps.ts";
import { ShownPath } from "./shown-path.tsx";

interface PathViewProps {
  readonly agent: Agent;
  readonly callId: string;
  /** As it is on the page, saved or not. */
  readonly draft: Flow;
  onClose(): void;
}

/** The way a call took, drawn on the version that the call was held with. The draft waits meanwhile, as it is. */
export function PathView({ agent, callId, draft, onClose }: PathViewProps) {
  const { mode } = useMode();
  const call = useQuery(callQuery(mode, callId));
  const transcript = useQuery(transcriptQuery(mode, callId));
  const version = useFlowOf(agent, call.data, draft);
  const steps = useMemo(() => pathSteps(transcript.data?.items ?? []), [transcript.data]);
  const isLikeDraft = useMemo(() => !version.flow || compareFlows(version.flow, draft).isSame, [version.flow, draft]);
  const error = call.error ?? transcript.error;
  const refusal = error ? inWords(error) : version.refusal;
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
  if (refusal === null) return <OpeningCanvas label="Fetching the call and its version" />;
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState
        icon={<RouteIcon />}
        title="The path of the call cannot be shown"
        text={refusal}
        action={<Button onClick={onClose}>Back to the draft</Button>}
      />
    </div>
  );
}

/** What the call was held with. A draft that was tried has no number to ask for: the draft as it is comes closest. */
function useFlowOf(agent: Agent, call: Call | undefined, draft: Flow) {
  const isAnothers = call !== undefined && call.agentId !== agent.id;
  const version = call?.agentVersion ?? 0;
  const drawn = useQuery({ ...drawnVersionQuery(agent.id, version), enabled: version > 0 && !isAnothers });
  if (isAnothers) return { flow: undefined, refusal: "The call was held by another agent." };
  return {
    flow: call && version === 0 ? draft : drawn.data,
    refusal: drawn.error ? inWords(drawn.error) : null,
  };
}
