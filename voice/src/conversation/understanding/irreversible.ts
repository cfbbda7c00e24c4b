import type { AskNode } from "@parley/contract/flow-ask";
import type { ConversationNode } from "@parley/contract/flow-conversation";
import { edgesOf } from "@parley/flow/graph";
import { type CallContext, nodeOf } from "../call-context.ts";
import type { Answer } from "./answer.ts";

/** Nodes that are visited at most in search of what an answer does. */
const NODES_MAX = 40;

/** Acts that end, take away, spend or bind. */
const FINAL_ACTS =
  "(?:cancel|delete|erase|remove|terminate|unsubscribe|opt out|quit|withdraw|close (?:my|the|your|this)|end (?:my|the|your|this|it)|stop (?:my|the|your|this)|pay(?! (?:attention|(?:you |us |me |them )?a visit))|debit|buy|donate|transfer|refund|shut (?:off|down)|switch off|call off|(?<!\\b(?:an?|the|my|your|this|that|any|our|new|next|last|in|of) )(?:order|purchase|sign|charge))";
/** Answers that say themselves that something ends, is taken away, spent or promised. */
const FINAL_WORDS = new RegExp(`\\b(?:${FINAL_ACTS}|paid)\\b`, "i");

/**
 * Questions whose yes is the act: "Shall I cancel it?", "Would you like us to charge your card?", "Do you want to order?".
 * "Did you order with us before?" and "Is the order complete?" only speak of one.
 */
const ASKS_FOR_ACT = new RegExp(
  [
    `\\b(?:shall|should|may|can|could|must|if|that) (?:i|we)\\b[^.?!;]{0,60}?\\b${FINAL_ACTS}\\b`,
    `\\b(?:want|wish|like|agree|ready|prepared|happy|consent|authori[sz]e|allow|permission|sure|intend|going)\\b[^.?!;]{0,40}?\\b(?:to|us|me)\\b(?: \\w+){0,4}? ${FINAL_ACTS}\\b`,
    `\\b(?:want|like|need|get) (?:an?|the|your) (?:refund|transfer|cancell?ation|withdrawal)\\b`,
    `\\b(?:will|can|could|would) you\\b(?: \\w+){0,2}? ${FINAL_ACTS}\\b`,
    `^\\W*(?:so,? )?(?:really |definitely )?${FINAL_ACTS}\\b[^.?!]*\\?`,
  ].join("|"),
  "i",
);

/**
 * Whether an answer does something irreversible: its own words say so, or the flow sends a request for it or connects the
 * callee with someone before anything else is asked. The question counts only where a yes to it is the act. Such an
 * answer is read back unless the callee said it explicitly.
 */
export function isIrreversible(context: CallContext, ask: AskNode, { exit, value }: Answer): boolean {
  const taken = exit === null ? undefined : ask.exits[exit];
  if ([taken?.when ?? "", taken?.readBack ?? ""].some((each) => FINAL_WORDS.test(each))) return true;
  // The question counts only for its yes, and only where the exit does not say itself what it means.
  if (ask.answer === "yes_no" && value === true && taken?.readBack === undefined && ASKS_FOR_ACT.test(ask.text)) {
    return true;
  }
  return leadsTo(context, taken?.next ?? ask.next, ["request", "transfer"]);
}

/** Whether leaving a conversation by an exit does something irreversible, or is the end of the call. */
export function isIrreversibleExit(
  context: CallContext,
  { exits, otherwise }: ConversationNode,
  exit: number,
): boolean {
  const { when = "", next = otherwise } = exits[exit] ?? {};
  return FINAL_WORDS.test(when) || leadsTo(context, next, ["request", "transfer", "end"]);
}

/** Whether any way from a node leads to one of these effects before the callee is asked something. */
function leadsTo(
  context: CallContext,
  first: string | undefined,
  effects: readonly ("request" | "transfer" | "end")[],
): boolean {
  const visited = new Set(first === undefined ? [] : [first]);
  // Iterating over a set that grows visits what was added, each id once.
  for (const id of visited) {
    const node = nodeOf(context, id);
    const effect = effectOf(node);
    if (effect !== null && effects.includes(effect)) return true;
    if (visited.size > NODES_MAX) return false;
    if (!PASSED.has(node.type)) continue;
    for (const { to } of edgesOf(node)) if (to !== undefined) visited.add(to);
  }
  return false;
}

/** Nodes that the call passes without a word of the callee. */
const PASSED: ReadonlySet<string> = new Set(["say", "set", "branch", "dtmf", "tool"]);

function effectOf(node: ReturnType<typeof nodeOf>): "request" | "transfer" | "end" | null {
  if (node.type === "tool") return node.request.method === "GET" ? null : "request";
  return node.type === "transfer" || node.type === "end" ? node.type : null;
}
