import { listProviders } from "@parley/contract/routes/providers";
import { queryOptions } from "@tanstack/react-query";
import { send } from "../../../api/send.ts";

export const providerKeys = ["providers"] as const;

export const providersQuery = queryOptions({
  queryKey: providerKeys,
  queryFn: ({ signal }) => send(listProviders, { signal }),
});
