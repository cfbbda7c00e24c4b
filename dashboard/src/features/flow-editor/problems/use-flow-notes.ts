import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { EditorStore } from "../model/editor-store.ts";
import { type FlowNotes, NO_NOTES } from "../model/flow-notes.ts";
import { modelNamesQuery } from "../model-queries.ts";
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
  const { data: modelNames = null } = useQuery(modelNamesQuery);
  const [judged, setJudged] = useState({ notes: NO_NOTES, flow: null as typeof flow | null });
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(async () => {
      const notes = await compileAside(flow, modelNames);
      if (isWanted) setJudged({ notes, flow });
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [flow, modelNames]);
  return { notes: judged.notes, isJudged: judged.flow !== null, isCurrent: judged.flow === flow };
}
