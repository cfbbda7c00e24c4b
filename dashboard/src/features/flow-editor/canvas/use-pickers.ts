import type { Flow } from "@parley/contract/flow";
import { useState } from "react";
import { addComment, addNode, addNodeAfter, connect, insertNode } from "../model/edit-flow.ts";
import { COMMENT, type EditorStore } from "../model/editor-store.ts";
import { exitsOf } from "../model/exits.ts";
import { NODE_WIDTH, sizeOf } from "../model/layout/node-size.ts";
import type { NodePosition } from "../model/new-node.ts";
import type { NodeType } from "../model/node-kinds.ts";
import type { Canvas } from "./canvas-elements.ts";
import type { OpenEnd } from "./flow-canvas.tsx";
import { focusCard } from "./focus-card.ts";
import type { OpenChooser } from "./pickers.tsx";

const BEHIND = 96;

/** Adding and connecting nodes by search: why a picker is open, and what its result does. */
export function useChoosing(store: EditorStore, canvas: Canvas | null) {
  const [open, setOpen] = useState<OpenChooser | null>(null);
  const close = () => setOpen(null);
  const middle = (): NodePosition => {
    const pane = document.querySelector(".flow-canvas")?.getBoundingClientRect();
    if (!canvas || !pane) return { x: 0, y: 0 };
    const { x, y } = canvas.screenToFlowPosition({ x: pane.x + pane.width / 2, y: pane.y + pane.height / 3 });
    return { x: x - NODE_WIDTH / 2, y };
  };
  /** A new node gets the focus, which the node that it was added from had, and is centred unless it was placed by hand. */
  const select = (nodeId: string, isPlaced: boolean) => {
    if (!isPlaced) store.goTo(nodeId);
    store.selectNew(nodeId);
    if (isPlaced) focusCard(document, nodeId);
  };
  const add = (type: NodeType) => {
    const { flow } = store.getSnapshot();
    const at = open?.kind === "add" ? open.at : null;
    const added = addNode(flow, type, at ?? freePlace(flow, middle()));
    store.edit(() => added.flow);
    select(added.id, at !== null);
    close();
  };
  const exit = (nodeId: string, exitId: string) => setOpen({ kind: "target", nodeId, exitId, at: null });
  const insert = (type: NodeType, nodeId: string, exitId: string) => {
    const { flow } = store.getSnapshot();
    const added = insertNode(flow, type, nodeId, exitId, (wanted) => freePlace(flow, wanted));
    if (!added) return;
    store.edit(() => added.flow);
    select(added.id, false);
    close();
  };
  const startConnecting = () => {
    const { flow, selection } = store.getSnapshot();
    const node = flow.nodes.find(({ id }) => id === selection[0]);
    const [only, ...others] = node ? exitsOf(node) : [];
    if (!node || !only) return;
    if (others.length > 0) setOpen({ kind: "exit", nodeId: node.id });
    else exit(node.id, only.id);
  };
  const target = (chosen: { readonly type: NodeType } | { readonly id: string }) => {
    if (open?.kind !== "target") return;
    const { nodeId, exitId, at } = open;
    const { flow } = store.getSnapshot();
    if ("id" in chosen) store.edit((now) => connect(now, nodeId, exitId, chosen.id));
    else {
      const from = flow.nodes.find(({ id }) => id === nodeId)?.position ?? { x: 0, y: 0 };
      const place = at ?? freePlace(flow, { x: from.x + NODE_WIDTH + BEHIND, y: from.y });
      const added = addNodeAfter(flow, chosen.type, place, nodeId, exitId);
      store.edit(() => added.flow);
      select(added.id, at !== null);
    }
    close();
  };
  return {
    open,
    add,
    comment: (at?: NodePosition) => {
      const { flow } = store.getSnapshot();
      const added = addComment(flow, at ?? freePlace(flow, middle()));
      store.edit(() => added.flow);
      store.select([`${COMMENT}${added.id}`]);
      focusCard(document, `${COMMENT}${added.id}`);
    },
    /** The first two nodes of every agent. */
    begin: () => {
      const start = addNode(store.getSnapshot().flow, "start", { x: 0, y: 0 });
      const hello = addNodeAfter(start.flow, "say", { x: NODE_WIDTH + BEHIND, y: 0 }, start.id, "next");
      store.edit(() => hello.flow);
      select(hello.id, false);
    },
    openEnd: ({ nodeId, exitId, position }: OpenEnd) =>
      setOpen({ kind: "target", nodeId, exitId, at: { x: position.x, y: position.y - 20 } }),
    actions: {
      search: () => setOpen({ kind: "search" }),
      add: (at?: NodePosition) => setOpen({ kind: "add", at: at ?? null }),
      connect: startConnecting,
      reconnect: exit,
      insertOn: (nodeId: string, exitId: string) => setOpen({ kind: "insert", nodeId, exitId }),
    },
    handlers: {
      onClose: close,
      onFound: (nodeId: string) => {
        store.goTo(nodeId);
        close();
      },
      onAdd: add,
      onExit: exit,
      onTarget: target,
      onInsert: insert,
    },
  };
}

const GAP = 24;
/** The height of most nodes. */
const HEIGHT = 150;

/** The wanted position, or the first free one below it. */
export function freePlace({ nodes }: Flow, { x, y }: NodePosition): NodePosition {
  const boxes = nodes.map((node) => ({ ...(node.position ?? { x: 0, y: 0 }), ...sizeOf(node) }));
  let top = y;
  for (;;) {
    const inTheWay = boxes.find(
      (box) =>
        x < box.x + box.width + GAP &&
        x + NODE_WIDTH + GAP > box.x &&
        top < box.y + box.height + GAP &&
        top + HEIGHT + GAP > box.y,
    );
    if (!inTheWay) return { x, y: top };
    top = inTheWay.y + inTheWay.height + GAP;
  }
}
