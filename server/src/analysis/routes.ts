import { analyzeCall } from "@parley/contract/routes/calls";
import { toCall } from "../calls/call-record.ts";
import { requireLockedCall } from "../calls/require-call.ts";
import { type BoundRoute, handle } from "../http/handler.ts";
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
