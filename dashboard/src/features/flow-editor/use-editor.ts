import { createContext, useContext, useSyncExternalStore } from "react";
import type { EditorState, EditorStore } from "./model/editor-store.ts";

/**
 * Subscribes to a part of the editor state. `read` must return a part of the state or a primitive: a new object each time
 * would render each time.
 */
export function useEditor<Part>(store: EditorStore, read: (state: EditorState) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => read(store.getSnapshot()));
}

const StoreContext = createContext<EditorStore | null>(null);
export const EditorStoreProvider = StoreContext;

/** The store of the surrounding editor. */
export function useEditorStore(): EditorStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error("this is part of the editor and stands outside of it");
  return store;
}
