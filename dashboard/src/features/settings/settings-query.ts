import { getSettings } from "@parley/contract/routes/account";
import { queryOptions } from "@tanstack/react-query";
import { send } from "../../api/send.ts";

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => send(getSettings, { signal }),
});
