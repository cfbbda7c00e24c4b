import type { Flow } from "@parley/contract/flow";
import { outerNode } from "../sub-flows/outer-node.ts";

/** Where the view should go. A new object for every request, even for the same node twice. */
interface Focus {
  readonly nodeId: string;
}

/** A node that a call came to. */
export interface PathPoint {
  readonly nodeId: string;
  /** The exit of the node before that led there, if a call's transcript says which; a jump takes none. */
  readonly exit?: string | undefined;
}

/** The state shared by the parts of the editor. */
export interface EditorState {
  readonly flow: Flow;
  /** Ids of what is selected; a comment's is `comment:` and its id, a group's `group:`. */
  readonly selection: readonly string[];
  readonly history: History<Flow>;
  /** The current node of a try or a watched call. */
  readonly activeNodeId: string | null;
  /** The nodes a call took, in order. */
  readonly path: readonly PathPoint[];
  readonly focus: Focus | null;
  /** New nodes that are still selected for the first time. What they lack is not held against them yet. */
  readonly fresh: readonly string[];
  /**
   * Texts of fields that cannot be read yet, such as incomplete JSON, by their place: the node's id or the place of the
   * tool, and the field. The document cannot contain them.
   */
  readonly unread: ReadonlyMap<string, string>;
}

/** A way to undo one particular step. It closes as soon as something else is the last step, and opens again by a redo. */
export interface UndoOffer {
  /** Undoes that step and never another one: when the offer is closed, nothing happens. */
  undo(): void;
  isOpen(): boolean;
  /** Calls back whenever `isOpen` may have changed. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export interface EditorStore {
  /** Whether the flow is read-only. */
  readonly isFixed: boolean;
  getSnapshot(): EditorState;
  /** Calls back after every change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /**
   * Changes the flow, as one undo step. Changes with the same `run` that follow closely are one step. Returns an offer
   * to undo this step alone, or null when nothing changed.
   */
  edit(change: (flow: Flow) => Flow, run?: string): UndoOffer | null;
  undo(): void;
  redo(): void;
  /** Replaces the flow, without history. */
  load(flow: Flow): void;
  select(ids: readonly string[]): void;
  /** Selects a node, or the sub-flow that it is in, and brings it into view. */
  goTo(nodeId: string): void;
  /** Selects a node that was just added. */
  selectNew(nodeId: string): void;
  /** Keeps the text of a field that cannot be read; null once it can. */
  keepUnread(place: string, text: string | null): void;
  /** Changes the places of such texts; null forgets one. */
  moveUnread(to: (place: string) => string | null): void;
  setActiveNode(nodeId: string | null): void;
  setPath(path: readonly PathPoint[]): void;
}

export const COMMENT = "comment:";
export const GROUP = "group:";

/** Holds the edited document, independent of the view. */
export function createEditorStore(flow: Flow, nowMs: () => number = Date.now): EditorStore {
  const listeners = new Set<() => void>();
  let state: EditorState = {
    flow,
    selection: [],
    history: startHistory(flow),
    activeNodeId: null,
    path: [],
    focus: null,
    fresh: [],
    unread: new Map(),
  };

  function become(next: EditorState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function remember(history: History<Flow>): void {
    if (history === state.history) return;
    become({ ...state, history, flow: history.present, selection: stillThere(history.present, state.selection) });
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  function offerUndo(flow: Flow): UndoOffer {
    // Every edit creates a new flow object, which identifies it.
    const isOpen = () => state.history.present === flow && state.history.past.length > 0;
    return { isOpen, subscribe, undo: () => (isOpen() ? remember(undo(state.history)) : undefined) };
  }

  return {
    isFixed: false,
    getSnapshot: () => state,
    subscribe,
    edit(by, run) {
      const next = change(state.history, by(state.flow), run ?? null, nowMs());
      if (next === state.history) return null;
      remember(next);
      return offerUndo(next.present);
    },
    undo: () => remember(undo(state.history)),
    redo: () => remember(redo(state.history)),
    load: (loaded) =>
      become({
        ...state,
        flow: loaded,
        history: startHistory(loaded),
        selection: stillThere(loaded, state.selection),
        unread: new Map(),
      }),
    select(ids) {
      if (!isSame(ids, state.selection)) become({ ...state, selection: ids, fresh: stillFresh(state.fresh, ids) });
    },
    goTo(wanted) {
      const nodeId = outerNode(state.flow, wanted)?.id ?? wanted;
      become({ ...state, selection: [nodeId], focus: { nodeId }, fresh: stillFresh(state.fresh, [nodeId]) });
    },
    selectNew: (nodeId) => become({ ...state, selection: [nodeId], fresh: [nodeId] }),
    keepUnread(place, text) {
      if (text === (state.unread.get(place) ?? null)) return;
      const others = [...state.unread].filter(([other]) => other !== place);
      become({ ...state, unread: new Map(text === null ? others : [...others, [place, text]]) });
    },
    moveUnread(to) {
      const moved = [...state.unread].flatMap(([place, text]): [string, string][] => {
        const next = to(place);
        return next === null ? [] : [[next, text]];
      });
      if (state.unread.size > 0) become({ ...state, unread: new Map(moved) });
    },
    setActiveNode(activeNodeId) {
      if (activeNodeId !== state.activeNodeId) become({ ...state, activeNodeId });
    },
    setPath(path) {
      if (!isSamePath(path, state.path)) become({ ...state, path });
    },
  };
}

/** A new node is one until something else is selected. */
function stillFresh(fresh: readonly string[], selection: readonly string[]): readonly string[] {
  return fresh.every((id) => selection.includes(id)) ? fresh : fresh.filter((id) => selection.includes(id));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id, index) => id === others[index]);
}

function isSamePath(some: readonly PathPoint[], others: readonly PathPoint[]): boolean {
  const isLike = ({ nodeId, exit }: PathPoint, index: number) =>
    nodeId === others[index]?.nodeId && exit === others[index]?.exit;
  return some.length === others.length && some.every(isLike);
}

/** What is gone cannot be selected; the selection survives undo. */
function stillThere(flow: Flow, selection: readonly string[]): readonly string[] {
  const ids = new Set([
    ...flow.nodes.map(({ id }) => id),
    ...(flow.comments ?? []).map(({ id }) => `${COMMENT}${id}`),
    ...(flow.groups ?? []).map(({ id }) => `${GROUP}${id}`),
  ]);
  return selection.every((id) => ids.has(id)) ? selection : selection.filter((id) => ids.has(id));
}

/** Past, present and future of the document. */
interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
  /** Groups consecutive changes: typing one word is one undo step, not one per keystroke. */
  readonly run: { readonly name: string; readonly atMs: number } | null;
}

const STEPS_MAX = 200;
/** A longer pause starts a new undo step. */
const PAUSE_MS = 1500;

function startHistory<State>(present: State): History<State> {
  return { past: [], present, future: [], run: null };
}

/** A change. Changes of one run that follow each other closely are one step; `run` null is a step of its own. */
function change<State>(history: History<State>, present: State, run: string | null, nowMs: number): History<State> {
  if (Object.is(present, history.present)) return history;
  const isSameRun = run !== null && history.run?.name === run && nowMs - history.run.atMs < PAUSE_MS;
  const past = isSameRun ? history.past : [...history.past, history.present].slice(-STEPS_MAX);
  return { past, present, future: [], run: run === null ? null : { name: run, atMs: nowMs } };
}

function undo<State>(history: History<State>): History<State> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    run: null,
  };
}

function redo<State>(history: History<State>): History<State> {
  const [after, ...future] = history.future;
  if (after === undefined) return history;
  return { past: [...history.past, history.present], present: after, future, run: null };
}

/** A store for a read-only flow: it is searched, selected in and stepped through like another, but never changed. */
export function createFixedStore(flow: Flow): EditorStore {
  const nothing = () => undefined;
  return { ...createEditorStore(flow), isFixed: true, edit: () => null, undo: nothing, redo: nothing, load: nothing };
}
