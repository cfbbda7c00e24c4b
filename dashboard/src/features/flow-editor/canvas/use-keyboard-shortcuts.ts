import type { Flow } from "@parley/contract/flow";
import { useEffect, useRef } from "react";
import { copyPart, duplicatePart, pastePart } from "../model/clipboard.ts";
import { disconnect, removeComments, removeNodes } from "../model/edit-flow.ts";
import { COMMENT, type EditorStore, GROUP, type UndoOffer } from "../model/editor-store.ts";
import { ungroupSelection } from "../model/groups.ts";
import type { Direction } from "../model/layout/layout-flow.ts";
import type { NodePosition } from "../model/new-node.ts";
import { keepCopied } from "./copied-part.ts";
import { groupSelected, ungroupSelected } from "./groups/group-items.tsx";
import { editorCanvasText } from "./text.ts";

/** Actions of keys that need more than the document. */
export interface CanvasActions {
  search(): void;
  /** Adds a node, at this place or in the middle of the canvas. */
  add(at?: NodePosition): void;
  comment(at?: NodePosition): void;
  connect(): void;
  /** Leads an exit elsewhere. */
  reconnect(nodeId: string, exitId: string): void;
  /** Puts a new node between an exit and the node it leads to. */
  insertOn(nodeId: string, exitId: string): void;
  /** Goes to the fields of the selected node. */
  edit(): void;
  /** In this direction, or in that of the last time. */
  tidy(direction?: Direction): void;
  showWhole(): void;
  zoom(to: "in" | "out" | "full"): void;
  /** Turns the selection into an agent of its own. */
  makeSubFlow(): void;
  showKeys(): void;
  /** Something was removed and can be restored. */
  told(text: string, undo: UndoOffer | null): void;
}

/** Keyboard shortcuts. All but the one that finds a node are off while a text field has the focus. */
export function useCanvasKeys(store: EditorStore, selectedEdges: ReadonlySet<string>, actions: CanvasActions): void {
  const latest = useRef({ selectedEdges, actions });
  latest.current = { selectedEdges, actions };
  useEffect(() => {
    const remove = () => removeWithNote(store, [...latest.current.selectedEdges].map(readEdge), latest.current.actions);
    const onKeyDown = (event: KeyboardEvent) => {
      if (isDialogOpen() || (isField(event.target) && !isFind(event))) return;
      const done = pressed(event, store, remove, latest.current.actions);
      if (done) event.preventDefault();
    };
    const onCopy = (event: ClipboardEvent) => {
      const { flow, selection } = store.getSnapshot();
      if (isElsewhere(event.target) || selection.length === 0 || !getSelection()?.isCollapsed) return;
      const text = copyPart(flow, selection);
      keepCopied(text);
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
      if (event.type === "cut" && !store.isFixed) remove();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isElsewhere(event.target) || store.isFixed) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      const pasted = pastePart(store.getSnapshot().flow, text, null);
      if (!pasted) return;
      event.preventDefault();
      store.edit(() => pasted.flow);
      store.select(pasted.selection);
    };
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("copy", onCopy);
    document.addEventListener("cut", onCopy);
    document.addEventListener("paste", onPaste);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("copy", onCopy);
      document.removeEventListener("cut", onCopy);
      document.removeEventListener("paste", onPaste);
    };
  }, [store]);
}

/** Executes a shortcut. Returns whether there was one. */
function pressed(event: KeyboardEvent, store: EditorStore, remove: () => void, actions: CanvasActions): boolean {
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    const chords: Readonly<Record<string, () => void>> = {
      k: () => actions.search(),
      a: () => selectAll(store),
      ...(store.isFixed
        ? {}
        : {
            z: () => (event.shiftKey ? store.redo() : store.undo()),
            y: () => store.redo(),
            d: () => duplicate(store),
          }),
    };
    chords[key]?.();
    return key in chords;
  }
  if (event.altKey) return false;
  const keys: Readonly<Record<string, () => void>> = {
    "/": () => actions.search(),
    f: () => actions.showWhole(),
    "1": () => actions.showWhole(),
    "0": () => actions.zoom("full"),
    "+": () => actions.zoom("in"),
    "=": () => actions.zoom("in"),
    "-": () => actions.zoom("out"),
    ...(store.isFixed
      ? {}
      : {
          delete: remove,
          backspace: remove,
          a: () => actions.add(),
          c: () => actions.connect(),
          e: () => actions.edit(),
          g: () => (event.shiftKey ? ungroupSelected(store) : groupSelected(store)),
          s: () => actions.makeSubFlow(),
          l: () => actions.tidy(event.shiftKey ? "down" : "right"),
          "?": () => actions.showKeys(),
        }),
  };
  keys[key]?.();
  return key in keys;
}

export function duplicate(store: EditorStore): void {
  const { flow, selection } = store.getSnapshot();
  const pasted = selection.length > 0 ? duplicatePart(flow, selection) : null;
  if (!pasted) return;
  store.edit(() => pasted.flow);
  store.select(pasted.selection);
}

export function selectAll(store: EditorStore): void {
  const { nodes, comments = [] } = store.getSnapshot().flow;
  store.select([...nodes.map(({ id }) => id), ...comments.map(({ id }) => `${COMMENT}${id}`)]);
}

/** Text fields and open dialogs handle keys themselves. */
function isElsewhere(target: EventTarget | null): boolean {
  return isDialogOpen() || isField(target);
}

function isDialogOpen(): boolean {
  return document.querySelector("[data-dialog]") !== null;
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable=true], [role=menu], [role=tablist]") !== null
  );
}

/** Works in text fields too: left to the page, it would open the command palette, which finds no nodes. */
function isFind({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "k" && (ctrlKey || metaKey);
}

export function readEdge(id: string): ExitPlace {
  const [nodeId = "", exitId = ""] = id.split(">");
  return { nodeId, exitId };
}

/** An exit by its node and its field. */
interface ExitPlace {
  readonly nodeId: string;
  readonly exitId: string;
}

/** Removes everything selected, and says so with a way to undo it. */
export function removeWithNote(
  store: EditorStore,
  lines: readonly ExitPlace[],
  { told }: Pick<CanvasActions, "told">,
): void {
  const { flow, removed } = removeSelected(store.getSnapshot().flow, store.getSnapshot().selection, lines);
  if (removed === null) return;
  told(
    editorCanvasText.removed(removed),
    store.edit(() => flow),
  );
}

interface Removed {
  readonly flow: Flow;
  /** How much was removed; null when nothing was. Lines that go with their nodes are not counted. */
  readonly removed: {
    readonly nodes: number;
    readonly comments: number;
    readonly groups: number;
    readonly connections: number;
  } | null;
}

/** Removes everything selected: nodes with their lines, comments, frames without their nodes, and lines alone. */
export function removeSelected(flow: Flow, selection: readonly string[], lines: readonly ExitPlace[]): Removed {
  const comments = new Set(selection.filter((id) => id.startsWith(COMMENT)).map((id) => id.slice(COMMENT.length)));
  const groups = selection.filter((id) => id.startsWith(GROUP));
  const nodes = new Set(selection.filter((id) => !id.startsWith(COMMENT) && !id.startsWith(GROUP)));
  let left = lines.reduce((now, { nodeId, exitId }) => disconnect(now, nodeId, exitId), flow);
  if (groups.length > 0) left = ungroupSelection(left, groups);
  if (nodes.size > 0) left = removeNodes(left, nodes);
  if (comments.size > 0) left = removeComments(left, comments);
  const connections = nodes.size > 0 ? 0 : lines.length;
  const removed = { nodes: nodes.size, comments: comments.size, groups: groups.length, connections };
  const isAny = Object.values(removed).some((count) => count > 0);
  return { flow: left, removed: isAny ? removed : null };
}
