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
