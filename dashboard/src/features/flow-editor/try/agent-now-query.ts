import { getAgent } from "@parley/contract/routes/agents";
import { queryOptions } from "@tanstack/react-query";
import { send } from "../../../api/send.ts";

/** The agent as the service has it: also somebody else may have published. */
export const agentNowQuery = (id: string) =>
  queryOptions({
    queryKey: ["agent", id, "published"],
    queryFn: ({ signal }) => send(getAgent, { params: { id }, signal }),
    // Publishing happens beside this panel, which must not go on from what was before.
    staleTime: 0,
  });
