import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { type Changes, followChanges } from "../api/follow-changes.ts";
import { accountQuery } from "../api/sign-in-state.ts";
import { callKeys } from "../features/calls/call-queries.ts";
import { refreshLists } from "../features/calls/refresh-lists.ts";
import { USAGE_KEY } from "../features/overview/usage-queries.ts";
import { useMode } from "./mode.tsx";

const USAGE_FRESH_MS = 2000;
const LiveContext = createContext(true);

/** Keeps everything on the page as it is at the service, by one stream. */
export function LiveChanges({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const { mode } = useMode();
  const [isOpen, setOpen] = useState(true);
  useEffect(() => followChanges(mode, (changes) => void apply(queries, changes), setOpen), [queries, mode]);
  return <LiveContext value={isOpen}>{children}</LiveContext>;
}

/** Whether what is shown follows the service as it happens. */
export function useIsLive(): boolean {
  return useContext(LiveContext);
}

async function apply(queries: QueryClient, changes: Changes): Promise<void> {
  if (changes.kind === "anything") return queries.invalidateQueries();
  const shown = [...changes.callIds].map((callId) => queries.invalidateQueries({ queryKey: callKeys.one(callId) }));
  await Promise.all([
    ...shown,
    refreshLists(queries, changes.callIds),
    queries.invalidateQueries(accountQuery),
    // Figures need not follow every step of every call.
    queries.invalidateQueries({
      queryKey: USAGE_KEY,
      predicate: ({ state }) => Date.now() - state.dataUpdatedAt > USAGE_FRESH_MS,
    }),
  ]);
}
