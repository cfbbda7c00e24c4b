import { eraseCallData as eraseRoute } from "@parley/contract/routes/calls";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { type EraseDeps, eraseCallData } from "./erase-call-data.ts";

export function retentionRoutes(deps: EraseDeps): BoundRoute[] {
  return [handle(eraseRoute, async (request) => ({ data: await eraseCallData(deps, request, request.params.id) }))];
}
