import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { enginesQuery } from "../../calls/agent-queries.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { type FlowNotes, NO_NOTES } from "../model/flow-notes.ts";
import { useEditor } from "../use-editor.ts";
import { compileAside } from "./ask-worker.ts";

/** A pause in the typing, after which somebody looks up and wants to know. */
const PAUSE_MS = 250;

export interface JudgedFlow {
  readonly notes: FlowNotes;
  /** Whether the flow was judged at all yet. */
  readonly isJudged: boolean;
  /** Whether the notes are about the flow as it is now. */
  readonly isCurrent: boolean;
}

/** What is wrong with the flow, as it is changed. */
export function useFlowNotes(store: EditorStore): JudgedFlow {
  const flow = useEditor(store, (state) => state.flow);
  const hasModel = useHasModel();
  const [judged, setJudged] = useState({ notes: NO_NOTES, flow: null as typeof flow | null });
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(async () => {
      const notes = await compileAside(flow, hasModel);
      if (isWanted) setJudged({ notes, flow });
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [flow, hasModel]);
  return { notes: judged.notes, isJudged: judged.flow !== null, isCurrent: judged.flow === flow };
}

/** Until it is known that there is none, nothing is said about it. */
function useHasModel(): boolean {
  const { data: engines } = useQuery(enginesQuery);
  return !engines || engines.some(({ model }) => model?.name != null);
}
