import { endConversation } from "./end-conversation.ts";
import { startReply, turnAt } from "./replies/start-reply.ts";
import { cancelTimers, chain, type Step, stay } from "./step.ts";
import type { TurnEvent } from "./turn-events.ts";
import { replyOf, type TurnState } from "./turn-state.ts";

type TransferProgressed = Extract<TurnEvent, { type: "line.transfer_progressed" }>;

/** Follows the progress of a transfer. */
export function followTransfer(state: TurnState, { state: progress, reason }: TransferProgressed, atMs: number): Step {
  const isUnderWay = state.at.phase === "transferring" || replyOf(state)?.isTransferring === true;
  if (!isUnderWay) return stay(state);
  // The line stays open: the other party is on it now.
  if (progress === "completed") return endConversation(state, "transferred", false);
  return progress === "failed" ? failTransfer(state, reason, atMs) : stay(state);
}

/** The callee is still here, and is informed. */
export function failTransfer(state: TurnState, reason: string, atMs: number): Step {
  const { at } = state;
  if (at.phase === "transferring") {
    return chain(
      { ...state, at: { phase: "listening" } },
      (now) => cancelTimers(now, "transfer"),
      (now) => startReply(now, turnAt({ type: "transfer_failed", reason }, atMs), atMs),
    );
  }
  // We are still speaking: it is said after that.
  if (!("reply" in at)) return stay(state);
  return stay({ ...state, at: { ...at, reply: { ...at.reply, transferFailure: reason } } });
}
