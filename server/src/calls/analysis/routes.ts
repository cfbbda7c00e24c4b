import { analyzeCall } from "@parley/contract/routes/calls";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { toCall } from "../call-record.ts";
import { requireLockedCall } from "../call-store.ts";
import { analyzeAgain } from "./analyze-call.ts";

export function analysisRoutes(): BoundRoute[] {
  return [
    handle(analyzeCall, (request) =>
      request.once(async (tx) => {
        const call = await requireLockedCall(tx, request, request.params.id);
        return { data: toCall(await analyzeAgain(tx, call)) };
      }),
    ),
  ];
}
