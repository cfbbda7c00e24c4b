import { applyNodeChanges, type EdgeChange, type NodeChange } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { moveTo } from "../model/edit-flow.ts";
import type { EditorStore } from "../model/editor-store.ts";
import type { Position } from "../model/new-node.ts";
import { useEditor } from "../use-editor.ts";
import { type CanvasNode, canvasEdges, canvasNodes, type ExitEdge, type Shown } from "./canvas-elements.ts";

/** What the canvas draws and what it does when something on it is moved or selected. */
export function useCanvasElements(store: EditorStore, worst: Shown["worst"]) {
  const flow = useEditor(store, (state) => state.flow);
  const selection = useEditor(store, (state) => state.selection);
  const activeNodeId = useEditor(store, (state) => state.activeNodeId);
  const path = useEditor(store, (state) => state.path);
  const [selectedEdges, setSelectedEdges] = useState<ReadonlySet<string>>(new Set());
  // While something is dragged the canvas is ahead of the document, which learns of it when it is let go.
  const [nodes, setNodes] = useState<CanvasNode[]>([]);
  const edgesBefore = useRef<ReadonlyMap<string, ExitEdge>>(new Map());

  useEffect(() => {
    const shown = { flow, selection: new Set(selection), worst, activeNodeId, path };
    setNodes((before) => canvasNodes(shown, new Map(before.map((node) => [node.id, node]))));
  }, [flow, selection, worst, activeNodeId, path]);

  const edges = useMemo(() => {
    const made = canvasEdges({ flow, path }, selectedEdges, edgesBefore.current);
    edgesBefore.current = new Map(made.map((edge) => [edge.id, edge]));
    return made;
  }, [flow, path, selectedEdges]);

  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasNode>[]) => {
      const moves = changes.filter((change) => change.type === "position");
      if (moves.length > 0) setNodes((now) => applyNodeChanges(moves, now));
      const places = moves.flatMap(({ id, position, dragging }): [string, Position][] =>
        position && dragging !== true ? [[id, position]] : [],
      );
      if (places.length > 0) store.edit((now) => moveTo(now, new Map(places)), `move ${places.map(([id]) => id)}`);
      const selects = changes.filter((change) => change.type === "select");
      if (selects.length > 0) {
        const chosen = new Set(store.getSnapshot().selection);
        for (const { id, selected } of selects) selected ? chosen.add(id) : chosen.delete(id);
        store.select([...chosen]);
      }
    },
    [store],
  );

  const onEdgesChange = useCallback((changes: EdgeChange<ExitEdge>[]) => {
    setSelectedEdges((now) => {
      const chosen = new Set(now);
      for (const change of changes) {
        if (change.type === "select") change.selected ? chosen.add(change.id) : chosen.delete(change.id);
        if (change.type === "remove") chosen.delete(change.id);
      }
      return chosen;
    });
  }, []);

  const revealed = useRevealed(nodes.length);
  const shownNodes = useMemo(() => (revealed < nodes.length ? nodes.slice(0, revealed) : nodes), [nodes, revealed]);
  const shownEdges = useMemo(() => {
    if (revealed >= nodes.length) return edges;
    const ids = new Set(shownNodes.map(({ id }) => id));
    return edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  }, [edges, nodes.length, revealed, shownNodes]);

  return { nodes: shownNodes, edges: shownEdges, selectedEdges, onNodesChange, onEdgesChange };
}

/** So many nodes are drawn within one frame, also on a slow machine. */
const PER_FRAME = 6;
/** Up to here every node is drawn and can be reached by Tab; of a larger flow only what is in view. */
export const DRAWN_WHOLE_MAX = 60;

/**
 * How many of so many things may be drawn by now. A flow appears over a few frames, beginning with its start, so that the
 * page never stands still. Of a large one little is in view, which is drawn at once when the canvas stands.
 */
function useRevealed(total: number): number {
  const [revealed, setRevealed] = useState(0);
  useEffect(() => {
    if (revealed >= total) return;
    const frame = requestAnimationFrame(() => setRevealed((count) => Math.min(total, count + PER_FRAME)));
    return () => cancelAnimationFrame(frame);
  }, [revealed, total]);
  return total > DRAWN_WHOLE_MAX && revealed > 0 ? total : Math.min(revealed, total);
}
