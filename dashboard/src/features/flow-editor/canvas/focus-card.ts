import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { EditorStore } from "../model/editor-store.ts";
import { useEditor } from "../use-editor.ts";
import type { Canvas } from "./canvas-elements.ts";
import { showNode } from "./viewport.tsx";

/** How many frames a new card or field may need to be drawn, or a far one to come into view. */
const FRAMES_MAX = 40;

/** The canvas moves its view to what has the focus, and must not be scrolled. */
const ON_CANVAS = { preventScroll: true };

/** Focuses an element as soon as it is drawn. Returns a function that cancels. */
export function focusOnceDrawn(find: () => HTMLElement | null, options: FocusOptions = ON_CANVAS): () => void {
  let left = FRAMES_MAX;
  let frame = requestAnimationFrame(function look() {
    const element = find();
    left -= 1;
    if (element) element.focus(options);
    else if (left > 0) frame = requestAnimationFrame(look);
  });
  return () => cancelAnimationFrame(frame);
}

/** Focuses the card of a node, or the text of a comment, as soon as it is drawn. Returns a function that cancels. */
export function focusCard(canvas: ParentNode, nodeId: string): () => void {
  return focusOnceDrawn(() => {
    const card = canvas.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`);
    return card?.querySelector("textarea") ?? card;
  });
}

/** Moves the view and the focus to a node requested by the problems, the search or a test. */
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
    // While stepping through a call, the focus stays in the list of steps.
    return store.isFixed ? undefined : focusCard(frame.current, node.id);
  }, [focus, store, frame]);
  const attach = useCallback((ready: Canvas) => {
    canvas.current = ready;
  }, []);
  return [attach, canvas];
}
