import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { EditorStore } from "../model/editor-store.ts";
import { useEditor } from "../use-editor.ts";
import type { Canvas } from "./canvas-elements.ts";
import { focusCard } from "./focus-card.ts";
import { showNode } from "./viewport.ts";

/** Goes where somebody asks to go, by the problems, the search or a try: the view, and with it the focus. */
export function useFocus(
  store: EditorStore,
  frame: RefObject<HTMLElement | null>,
): readonly [(canvas: Canvas) => void, RefObject<Canvas | null>] {
  const canvas = useRef<Canvas | null>(null);
  const focus = useEditor(store, (state) => state.focus);
  useEffect(() => {
    const node = focus && store.getSnapshot().flow.nodes.find(({ id }) => id === focus.nodeId);
    if (!node || !canvas.current || !frame.current) return;
    showNode(canvas.current, node, Math.min(Math.max(canvas.current.getZoom(), 0.7), 1.2));
    // Whoever goes along the steps of a call stays with them.
    return store.isFixed ? undefined : focusCard(frame.current, node.id);
  }, [focus, store, frame]);
  const attach = useCallback((ready: Canvas) => {
    canvas.current = ready;
  }, []);
  return [attach, canvas];
}
