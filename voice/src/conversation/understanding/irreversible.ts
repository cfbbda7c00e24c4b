import type { AskNode } from "@parley/contract/flow-ask";
import { type CallContext, nodeOf } from "../call-context.ts";

/** Nodes that are passed on the way from an answer to what it does. */
const STEPS_MAX = 6;

/** Answers that end, take away, spend or bind, by their own words. */
const FINAL_WORDS =
  /\b(?:cancel|delete|erase|remove|terminate|unsubscribe|opt out|quit|withdraw|close (?:my|the|your|this)|end (?:my|the|your|this)|stop (?:my|the|your|this)|pay|paid|charge|debit|buy|order|purchase|sign|donate|transfer|refund|shut (?:off|down)|switch off|call off)\b/i;

/**
 * Whether an answer does something irreversible: its own words say so, or the flow sends a request for it or connects the
 * callee with someone before anything else is asked. Such an answer is read back unless the callee said it explicitly.
 */
export function isIrreversible(context: CallContext, ask: AskNode, exit: number | null): boolean {
  const taken = exit === null ? undefined : ask.exits[exit];
  const words = ask.answer === "yes_no" ? [ask.text] : [taken?.when ?? "", taken?.readBack ?? ""];
  if (words.some((each) => FINAL_WORDS.test(each))) return true;
  let id = taken?.next ?? ask.next;
  for (let step = 0; id !== undefined && step < STEPS_MAX; step += 1) {
    const node = nodeOf(context, id);
    if (node.type === "tool") return node.request.method !== "GET";
    if (node.type === "transfer") return true;
    id = node.type === "say" || node.type === "set" ? node.next : undefined;
  }
  return false;
}
