import { type RefObject, useEffect } from "react";
import type { EditorStore } from "../model/editor-store.ts";
import type { Canvas } from "./canvas-elements.ts";
import { isInView, type Screen, showNode } from "./viewport.ts";

/**
 * Keeps in view where a try is, what Tab comes to, and the selected node when the canvas becomes narrower beside what is
 * known about it.
 */
export function useInView(store: EditorStore, canvas: RefObject<Canvas | null>, frame: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const bring = (nodeId: string | null | undefined) => {
      const node = store.getSnapshot().flow.nodes.find(({ id }) => id === nodeId);
      if (!node || !canvas.current) return;
      const screen: Screen = element.getBoundingClientRect();
      const map = element.querySelector(".react-flow__panel [role=img]")?.getBoundingClientRect();
      if (!isInView(canvas.current, node, screen, map)) showNode(canvas.current, node);
    };
    let activeNodeId = store.getSnapshot().activeNodeId;
    const unsubscribe = store.subscribe(() => {
      const now = store.getSnapshot().activeNodeId;
      if (now !== activeNodeId) bring(now);
      activeNodeId = now;
    });
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      const { activeNodeId: active, selection } = store.getSnapshot();
      if (element.clientWidth < width) bring(active ?? (selection.length === 1 ? selection[0] : null));
      width = element.clientWidth;
    });
    observer.observe(element);
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches(".react-flow__node:focus-visible"))
        bring(target.dataset["id"]);
    };
    element.addEventListener("focusin", onFocus);
    return () => {
      element.removeEventListener("focusin", onFocus);
      unsubscribe();
      observer.disconnect();
    };
  }, [store, canvas, frame]);
}
