import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { EditorStore } from "../model/editor-store.ts";
import { sizeOf } from "../model/node-size.ts";
import { useEditor } from "../use-editor.ts";
import type { Canvas } from "./canvas-elements.ts";

/** Brings into view what somebody asks for, by the problems, the search or a try. */
export function useFocus(store: EditorStore): readonly [(canvas: Canvas) => void, RefObject<Canvas | null>] {
  const canvas = useRef<Canvas | null>(null);
  const focus = useEditor(store, (state) => state.focus);
  useEffect(() => {
    const node = focus && store.getSnapshot().flow.nodes.find(({ id }) => id === focus.nodeId);
    if (!node || !canvas.current) return;
    const { width, height } = sizeOf(node);
    const { x, y } = node.position ?? { x: 0, y: 0 };
    const zoom = Math.min(Math.max(canvas.current.getZoom(), 0.7), 1.2);
    void canvas.current.setCenter(x + width / 2, y + height / 2, { zoom, duration: 250 });
  }, [focus, store]);
  const attach = useCallback((ready: Canvas) => {
    canvas.current = ready;
  }, []);
  return [attach, canvas];
}
