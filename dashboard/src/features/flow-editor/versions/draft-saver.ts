import type { Agent, AgentChanges } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { getAgent } from "@parley/contract/routes/agents";
import { useCallback, useEffect, useEffectEvent, useRef } from "react";
import { ApiError } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { type DraftEvent, type DraftState, stepDraft } from "../model/draft-state.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { type OpenedAgent, withPlaces } from "../open-agent.ts";
import type { AgentFields, LocalDraft, LocalDrafts } from "./local-draft.ts";
import { versionsText } from "./text.tsx";

interface SaverDeps {
  readonly agent: Agent;
  readonly store: EditorStore;
  readonly drafts: LocalDrafts;
  /** Earlier local changes that were never saved. The store already holds their flow. */
  readonly unsaved: LocalDraft | null;
  /** Changes the draft at the service, if it still is at this revision. */
  save(changes: AgentChanges, revision: number): Promise<Agent>;
  onSaved(agent: Agent): void;
  /** Calls back after this delay. Returns a function that cancels. */
  after(ms: number, due: () => void): () => void;
  nowMs(): number;
}

export interface DraftSaver {
  /** Follows the store from now on. Returns a function that stops it. */
  start(): () => void;
  getSnapshot(): DraftState;
  subscribe(listener: () => void): () => void;
  changeFields(fields: AgentFields): void;
  /** Saves pending changes now. Resolves when it is settled, with whether all is saved. */
  flush(): Promise<boolean>;
  /** Retries immediately. */
  retry(): void;
  /** After a conflict: continues from their revision, with the current content of the store. */
  decide(revision: number, mustSave: boolean): void;
  /** Takes over a draft that was saved elsewhere, unless there are changes here. Returns whether it did. */
  adopt(revision: number, flow: Flow): boolean;
  /** Stores unsaved changes on this machine now: the page may close at any moment. */
  keepNow(): void;
}

/** Not at every keystroke: this is the most that a crash can lose. */
const KEEP_MS = 250;

/** Saves the draft as it changes, and keeps a copy on this machine until the service has it. */
export function createDraftSaver(deps: SaverDeps): DraftSaver {
  const { agent, store, drafts, unsaved } = deps;
  const listeners = new Set<() => void>();
  let state: DraftState = stateAtOpening(agent, unsaved);
  let flow: Flow = store.getSnapshot().flow;
  let fields: AgentFields = unsaved?.fields ?? {};
  /** What is being sent, and lost if it does not arrive. */
  let sending: AgentFields = {};
  let sent: Flow | null = unsaved?.sent ?? null;
  let stopWaiting: () => void = () => undefined;
  let stopKeeping: (() => void) | null = null;

  function happen(event: DraftEvent): void {
    const [next, effects] = stepDraft(state, event);
    state = next;
    for (const effect of effects) {
      stopWaiting();
      if (effect.kind === "wait") stopWaiting = deps.after(effect.ms, () => happen({ kind: "due" }));
      else void save();
    }
    for (const listener of listeners) listener();
  }

  async function save(): Promise<void> {
    const current = store.getSnapshot().flow;
    sent = current;
    sending = fields;
    fields = {};
    try {
      const saved = await deps.save({ ...sending, flow: current }, state.revision);
      sending = {};
      sent = null;
      if (store.getSnapshot().flow === current && Object.keys(fields).length === 0) forget();
      deps.onSaved(saved);
      happen({ kind: "saved", revision: saved.revision });
    } catch (error) {
      fields = { ...sending, ...fields };
      sending = {};
      happen(outcomeOf(error));
    }
  }

  function changed(): void {
    stopKeeping ??= deps.after(KEEP_MS, keep);
    happen({ kind: "changed" });
  }

  function keep(): void {
    stopKeeping?.();
    stopKeeping = null;
    if (state.kind === "saved") return;
    drafts.keep(agent.id, {
      revision: state.revision,
      flow,
      sent,
      fields: { ...sending, ...fields },
      keptAtMs: deps.nowMs(),
    });
  }

  function forget(): void {
    stopKeeping?.();
    stopKeeping = null;
    drafts.forget(agent.id);
  }

  function follow(): void {
    const now = store.getSnapshot().flow;
    if (now === flow) return;
    flow = now;
    changed();
  }

  return {
    start() {
      const stopFollowing = store.subscribe(follow);
      if (state.kind === "waiting") happen({ kind: "changed" });
      return () => {
        if (stopKeeping) keep();
        stopWaiting();
        stopFollowing();
      };
    },
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changeFields(more) {
      fields = { ...fields, ...more };
      changed();
    },
    flush() {
      happen({ kind: "due" });
      return new Promise((resolve) => {
        const look = () => {
          if (state.kind === "waiting") happen({ kind: "due" });
          if (state.kind === "saving" || state.kind === "waiting") return;
          listeners.delete(look);
          resolve(state.kind === "saved");
        };
        listeners.add(look);
        look();
      });
    },
    retry: () => happen({ kind: "due" }),
    decide(revision, mustSave) {
      if (!mustSave) {
        fields = {};
        forget();
      }
      happen({ kind: "decided", revision, mustSave });
    },
    adopt(revision, adopted) {
      if (state.kind !== "saved" || revision <= state.revision || store.getSnapshot().unread.size > 0) return false;
      flow = adopted;
      store.load(adopted);
      happen({ kind: "decided", revision, mustSave: false });
      return true;
    },
    keepNow: keep,
  };
}

/** Saves what was never saved, unless another member has changed the draft since. */
function stateAtOpening({ revision }: Agent, unsaved: LocalDraft | null): DraftState {
  if (!unsaved) return { kind: "saved", revision };
  if (unsaved.revision === revision) return { kind: "waiting", revision };
  const message = versionsText.changedMeanwhile;
  return { kind: "overtaken", revision: unsaved.revision, message, isByYou: false };
}

function outcomeOf(error: unknown): DraftEvent {
  if (!(error instanceof ApiError)) return { kind: "refused", message: versionsText.pageFailed };
  if (error.code === "draft_conflict") {
    const message = versionsText.overtaken(error.fields["If-Match"]);
    return { kind: "overtaken", message, isByYou: error.details.some(({ code }) => code === "changed_by_you") };
  }
  return error.retryable ? { kind: "unreachable" } : { kind: "refused", message: error.message };
}

/** Saves while the page is open, stores unsaved changes when it closes, and reports what was restored. */
export function useSavedOnLeaving(saver: DraftSaver, { agent, unsaved }: OpenedAgent): void {
  const toast = useToast();
  useEffect(() => {
    const stop = saver.start();
    const keep = () => saver.keepNow();
    addEventListener("pagehide", keep);
    addEventListener("online", saver.retry);
    return () => {
      removeEventListener("pagehide", keep);
      removeEventListener("online", saver.retry);
      // Leaving the page saves immediately instead of after the delay.
      saver.retry();
      stop();
    };
  }, [saver]);
  useEffect(() => {
    if (unsaved?.revision === agent.revision) toast({ text: versionsText.unsavedAreBack });
  }, [unsaved, agent.revision, toast]);
}

/** What tabs of one browser tell each other. */
interface SavedElsewhere {
  readonly agentId: string;
}

/**
 * Keeps a page without changes of its own up to date: when another tab of this browser saves, and when the page is looked at
 * again. Returns the function that tells the other tabs about a save.
 */
export function useCaughtUp(saver: DraftSaver, agentId: string, onAdopted: (agent: Agent) => void): () => void {
  const channel = useRef<BroadcastChannel | null>(null);
  const adopted = useEffectEvent(onAdopted);
  useEffect(() => {
    let isLooking = false;
    const look = async () => {
      if (isLooking || saver.getSnapshot().kind !== "saved") return;
      isLooking = true;
      try {
        const agent = await send(getAgent, { params: { id: agentId } });
        if (agent.revision <= saver.getSnapshot().revision) return;
        const placed = await withPlaces(agent.flow);
        if (saver.adopt(agent.revision, placed)) adopted(agent);
      } catch {
        // What cannot be read now is read at the next look, and a save finds out in any case.
      } finally {
        isLooking = false;
      }
    };
    const onMessage = ({ data }: MessageEvent<SavedElsewhere>) => {
      if (data.agentId === agentId) void look();
    };
    const onShown = () => {
      if (document.visibilityState === "visible") void look();
    };
    const opened = new BroadcastChannel("parley-drafts");
    channel.current = opened;
    opened.addEventListener("message", onMessage);
    document.addEventListener("visibilitychange", onShown);
    addEventListener("focus", onShown);
    return () => {
      opened.close();
      document.removeEventListener("visibilitychange", onShown);
      removeEventListener("focus", onShown);
    };
  }, [saver, agentId]);
  return useCallback(() => channel.current?.postMessage({ agentId } satisfies SavedElsewhere), [agentId]);
}
