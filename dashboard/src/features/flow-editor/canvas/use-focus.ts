import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { EditorStore } from "../model/editor-store.ts";
import { useEditor } from "../use-editor.ts";
import type { Canvas } from "./canvas-elements.ts";
import { showNode } from "./viewport.ts";

/** Brings into view what somebody asks for, by the problems, the search or a try. */
export function useFocus(store: EditorStore): readonly [(canvas: Canvas) => void, RefObject<Canvas | null>] {
  const canvas = useRef<Canvas | null>(null);
  const focus = useEditor(store, (state) => state.focus);
  useEffect(() => {
    const node = focus && store.getSnapshot().flow.nodes.find(({ id }) => id === focus.nodeId);
    if (!node || !canvas.current) return;
    showNode(canvas.current, node, Math.min(Math.max(canvas.current.getZoom(), 0.7), 1.2));
  }, [focus, store]);
  const attach = useCallback((ready: Canvas) => {
    canvas.current = ready;
  }, []);
  return [attach, canvas];
}
