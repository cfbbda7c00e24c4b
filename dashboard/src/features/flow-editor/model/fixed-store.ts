import type { Flow } from "@parley/contract/flow";
import { createEditorStore, type EditorStore } from "./editor-store.ts";

/** Holds a flow to look at: it is searched, selected in and walked through like another, and no change reaches it. */
export function createFixedStore(flow: Flow): EditorStore {
  const nothing = () => undefined;
  return { ...createEditorStore(flow), isFixed: true, edit: () => null, undo: nothing, redo: nothing, load: nothing };
}
