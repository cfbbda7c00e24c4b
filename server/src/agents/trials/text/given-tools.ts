import type { ToolReplies } from "@parley/contract/callee-steps";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { ToolCaller, ToolReply } from "@parley/voice/ports/tool-caller";

/** Answers requests with the given replies. The others are passed to the caller, or fail where there is none. */
export function withGivenReplies(given: ToolReplies, caller: ToolCaller | null): ToolCaller {
  const replyTo = (name: string): ToolReply | null => {
    const reply = Object.hasOwn(given, name) ? given[name] : undefined;
    return reply === undefined ? null : { status: reply.status, body: reply.body ?? null };
  };
  const nothingGiven = (name: string) =>
    new ProviderError("tool", `nothing was given for ${name} to answer`, { retryable: false });
  return {
    async call(request) {
      const reply = replyTo(request.name);
      if (reply !== null) return reply;
      if (caller === null) throw nothingGiven(request.name);
      return caller.call(request);
    },
    async callMcpTool(request) {
      const reply = replyTo(request.name);
      if (reply !== null) return reply;
      if (caller?.callMcpTool === undefined) throw nothingGiven(request.name);
      return caller.callMcpTool(request);
    },
  };
}
