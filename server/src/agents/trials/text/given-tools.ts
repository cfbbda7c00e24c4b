import type { ToolReplies } from "@parley/contract/callee-steps";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { ToolCaller } from "@parley/voice/ports/tool-caller";

/** Answers requests with the given replies. The others are passed to the caller, or fail where there is none. */
export function withGivenReplies(given: ToolReplies, caller: ToolCaller | null): ToolCaller {
  return {
    async call(request) {
      const reply = Object.hasOwn(given, request.name) ? given[request.name] : undefined;
      if (reply !== undefined) return { status: reply.status, body: reply.body ?? null };
      if (caller !== null) return caller.call(request);
      throw new ProviderError("tool", `nothing was given for ${request.name} to answer`, { retryable: false });
    },
  };
}
