import type { ToolReplies } from "@parley/contract/callee-steps";
import type { TryEvent } from "@parley/contract/try";
import type { TextCallEvent } from "@parley/voice/conversation/text-call/take-text-turn";

/** What the agent did, in the words of the contract. */
export function toTryEvent(event: TextCallEvent, given: ToolReplies): TryEvent {
  switch (event.type) {
    case "entered":
      return { type: "node", nodeId: event.nodeId };
    case "decided":
      return { type: "decision", ...event.decision };
    case "tool_result":
      return { ...event, isGiven: Object.hasOwn(given, event.name) };
    case "press":
      return { type: "pressed", keys: event.keys };
    case "suppress":
      return { type: "suppressed" };
    default:
      return event;
  }
}
