import { createContext, useContext, useSyncExternalStore } from "react";
import type { EditorState, EditorStore } from "./model/editor-store.ts";

/**
 * Shows a part of what is edited. What `read` returns must be part of the state itself, or a plain value: an object made
 * anew each time would be drawn anew each time.
 */
export function useEditor<Part>(store: EditorStore, read: (state: EditorState) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => read(store.getSnapshot()));
}

const StoreContext = createContext<EditorStore | null>(null);
export const EditorStoreProvider = StoreContext;

/** The store of the editor this is part of. */
export function useEditorStore(): EditorStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error("this is part of the editor and stands outside of it");
  return store;
}
