import { followCalls } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { addressOf } from "../api/send.ts";
import { accountQuery } from "../api/sign-in-state.ts";
import { BATCHES_KEY, callKeys, USAGE_KEY } from "./live-keys.ts";
import { useMode } from "./mode.tsx";

const FIGURES_FRESH_MS = 2000;
const LiveContext = createContext(true);

/** Keeps the data of the page up to date through one event stream. */
export function LiveChanges({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const { mode } = useMode();
  const [isOpen, setOpen] = useState(true);
  useEffect(() => {
    const figures = keepFiguresFresh(queries);
    const stop = followChanges(mode, (changes) => void apply(queries, figures.refresh, changes), setOpen);
    return () => {
      stop();
      figures.stop();
    };
  }, [queries, mode]);
  return <LiveContext value={isOpen}>{children}</LiveContext>;
}

/** Whether the event stream is open. */
export function useIsLive(): boolean {
  return useContext(LiveContext);
}

/** Pages with lists of calls have loaded this code already; others do not need it. */
async function refreshLists(queries: QueryClient, changes: Changes): Promise<void> {
  if (queries.getQueryCache().findAll({ queryKey: callKeys.lists }).length === 0) return;
  const calls = await import("../features/calls/call-queries.ts");
  await (changes.kind === "calls" ? calls.refreshLists(queries, changes.callIds) : calls.refreshWholeLists(queries));
}

/** Lists of calls may have many pages, each of which is a request: they are updated by `refreshLists`. */
const isOfList = ({ queryKey: [first] }: { readonly queryKey: readonly unknown[] }) => first === callKeys.lists[0];

const FIGURE_KEYS = [USAGE_KEY, callKeys.counts, BATCHES_KEY];

/** Figures need not follow every change of every call, but they must not stay behind the last one. */
function keepFiguresFresh(queries: QueryClient) {
  let later: ReturnType<typeof setTimeout> | undefined;
  async function refresh(): Promise<void> {
    clearTimeout(later);
    const figures = FIGURE_KEYS.flatMap((queryKey) => queries.getQueryCache().findAll({ queryKey }));
    const old = figures.filter(({ state }) => Date.now() - state.dataUpdatedAt > FIGURES_FRESH_MS);
    if (old.length < figures.length) later = setTimeout(() => void refresh(), FIGURES_FRESH_MS);
    await queries.invalidateQueries({ predicate: (query) => old.includes(query) });
  }
  return { refresh, stop: () => clearTimeout(later) };
}

async function apply(queries: QueryClient, refreshFigures: () => Promise<void>, changes: Changes): Promise<void> {
  if (changes.kind === "anything") {
    await Promise.all([
      queries.invalidateQueries({ predicate: (query) => !isOfList(query) }),
      refreshLists(queries, changes),
    ]);
    return;
  }
  const shown = [...changes.callIds].map((callId) => queries.invalidateQueries({ queryKey: callKeys.one(callId) }));
  await Promise.all([
    ...shown,
    refreshLists(queries, changes),
    queries.invalidateQueries(accountQuery),
    queries.invalidateQueries({ queryKey: callKeys.live }),
    refreshFigures(),
  ]);
}

/** A message of the event stream: these calls changed, or anything may have. */
type Changes = { readonly kind: "calls"; readonly callIds: ReadonlySet<string> } | { readonly kind: "anything" };

/** Batches the changes of a busy account: the page need not render many times a second. */
const GATHER_MS = 250;
/** The browser stops reconnecting when a response is not an event stream, as while the service restarts behind a proxy. */
const OPEN_AGAIN_MS = 3000;

/** Subscribes to changes of the account's calls in one mode, with one stream for the whole page. Returns a function that stops it. */
function followChanges(mode: Mode, onChanges: (changes: Changes) => void, onOpen: (open: boolean) => void) {
  let source: EventSource | null = null;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let callIds = new Set<string>();
  let wasOpen = false;

  function open(): void {
    source = new EventSource(addressOf(followCalls, { mode }));
    source.addEventListener("call", (event) => {
      const callId = readCallId(event.data);
      // A message of another release: something changed, but not where this page can see it.
      if (callId === null) return onChanges({ kind: "anything" });
      callIds.add(callId);
      gathering ??= setTimeout(notify, GATHER_MS);
    });
    source.addEventListener("refetch", () => onChanges({ kind: "anything" }));
    source.addEventListener("open", () => {
      // Events during the interruption are not repeated, so everything may be outdated.
      if (wasOpen) onChanges({ kind: "anything" });
      wasOpen = true;
      onOpen(true);
    });
    source.addEventListener("error", () => {
      onOpen(false);
      if (source?.readyState === EventSource.CLOSED) reopening = setTimeout(open, OPEN_AGAIN_MS);
    });
  }

  function notify(): void {
    const changed = callIds;
    callIds = new Set();
    gathering = undefined;
    onChanges({ kind: "calls", callIds: changed });
  }

  open();
  return () => {
    source?.close();
    clearTimeout(gathering);
    clearTimeout(reopening);
  };
}

function readCallId(text: string): string | null {
  try {
    const { callId } = JSON.parse(text);
    return typeof callId === "string" ? callId : null;
  } catch {
    return null;
  }
}
