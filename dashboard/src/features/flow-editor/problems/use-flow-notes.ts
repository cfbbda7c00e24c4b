import type { Flow } from "@parley/contract/flow";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { EditorStore } from "../model/editor-store.ts";
import { type FlowNotes, NO_NOTES } from "../model/flow-notes.ts";
import { modelNamesQuery } from "../model-queries.ts";
import { useEditor } from "../use-editor.ts";
import { compileAside } from "./ask-worker.ts";

/** After the flow was changed: a pause in the typing, in which somebody looks up and wants to know. */
const PAUSE_MS = 250;

interface JudgedFlow {
  readonly notes: FlowNotes;
  /** Whether the flow was judged at all yet. Until then nothing is known about it, good or bad. */
  readonly isJudged: boolean;
  /** Whether the notes are about the flow as it is now. */
  readonly isCurrent: boolean;
}

interface Judgement {
  readonly flow: Flow;
  readonly modelNames: readonly string[] | null;
  readonly notes: FlowNotes;
}

/** What is wrong with the flow, as it is changed. */
export function useFlowNotes(store: EditorStore): JudgedFlow {
  const flow = useEditor(store, (state) => state.flow);
  const { data: modelNames = null, isLoading, failureCount } = useQuery(modelNamesQuery);
  const [judged, setJudged] = useState<Judgement | null>(null);
  const isJudged = judged !== null;
  const isCurrent = judged?.flow === flow && judged.modelNames === modelNames;
  // Without the models the first judgement might have to be corrected a moment later.
  const isReady = !isLoading || failureCount > 0;
  useEffect(() => {
    if (isCurrent || !isReady) return;
    let isWanted = true;
    const timer = setTimeout(
      async () => {
        const notes = await compileAside(flow, modelNames);
        if (isWanted) setJudged({ flow, modelNames, notes });
      },
      isJudged ? PAUSE_MS : 0,
    );
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [flow, modelNames, isReady, isJudged, isCurrent]);
  return { notes: judged?.notes ?? NO_NOTES, isJudged, isCurrent };
}
