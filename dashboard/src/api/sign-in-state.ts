import { getAccount } from "@parley/contract/routes/account";
import { getMe } from "@parley/contract/routes/members";
import { queryOptions } from "@tanstack/react-query";
import { send } from "./send.ts";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => send(getMe, { signal }),
  staleTime: 60_000,
  retry: false,
});

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => send(getAccount, { signal }),
});

const listeners = new Set<() => void>();
let hasEnded = false;

/** Whether the sign-in ended while a page was open: it expired, or was ended elsewhere. */
export const signInEnded = {
  read: () => hasEnded,
  set(ended: boolean): void {
    hasEnded = ended;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
