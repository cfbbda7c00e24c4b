import type { Tx } from "../database/database.ts";
import { type RepliedCall, redactReplyBodies } from "./idempotency-store.ts";

/** Takes what a call was about out of replies that are kept for repeated requests. They stay replies to those. */
export function redactReplies(tx: Tx, call: RepliedCall): Promise<void> {
  return redactReplyBodies(tx, call);
}
