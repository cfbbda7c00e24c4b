import { getAccountGate, getGate } from "@parley/contract/routes/operator";
import { queryOptions } from "@tanstack/react-query";
import { send } from "../../api/send.ts";

export const gateKeys = { all: ["gate"] as const };

export const gateQuery = queryOptions({
  queryKey: [...gateKeys.all, "installation"],
  queryFn: ({ signal }) => send(getGate, { signal }),
});

export const accountGateQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...gateKeys.all, accountId],
    queryFn: ({ signal }) => send(getAccountGate, { params: { id: accountId }, signal }),
  });
