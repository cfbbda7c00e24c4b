import type { FlowNode } from "@parley/contract/flow";
import { evaluateExpression, isConditionMet } from "@parley/flow/expression/evaluate";
import { toText } from "@parley/flow/expression/value";
import { fillVariables } from "@parley/flow/placeholders";
import type { ReplyPart } from "../ports/brain.ts";
import { askAgain, newQuestion } from "./ask-question.ts";
import { type CallContext, isInterruptible, knownIn, nodeOf, phrase, say, speak } from "./call-context.ts";
import type { FlowState } from "./flow-state.ts";
import { LISTEN, type Outcome, OVER, type WaitsFor } from "./outcome.ts";
import { prepareRequest } from "./tools/prepare-request.ts";
import { BY_WORDS, type CollectedValue, NOT_UNDERSTOOD } from "./understanding/answer.ts";
import { isReadBackLater, noteTaken, volunteeredAnswer } from "./understanding/volunteered.ts";

/** After more nodes than this without a word from the callee, the flow is looping. */
const STEPS_MAX = 100;

/** The result of one node: the next one and the exit that leads there, or a stop. */
type Visit = { readonly state: FlowState; readonly parts: readonly ReplyPart[] } & (
  | { readonly goesTo: string | undefined; readonly exit: ExitId }
  | { readonly waitsFor: WaitsFor }
);

type NodeOf<Type extends FlowNode["type"]> = Extract<FlowNode, { type: Type }>;

/** The field of a node that names the next one, as in the document: `next`, or `exits[1].next`. */
type ExitId = "next" | "otherwise" | "failed" | `${"exits" | "prompts"}[${number}].next`;

/**
 * Walks from node to node, saying and recording what they say, until something outside the flow has to happen. `by` is the
 * exit that led to the first node; none led there at the start and after a jump.
 */
export function enterNode(context: CallContext, from: FlowState, firstId: string, by?: ExitId): Outcome {
  const parts: ReplyPart[] = [];
  let state = from;
  let nodeId: string | undefined = firstId;
  let exit = by;
  for (let steps = 0; nodeId !== undefined && steps < STEPS_MAX; steps += 1) {
    const node = nodeOf(context, nodeId);
    parts.push({ type: "entered", nodeId, ...(exit === undefined ? {} : { exit }) });
    const visit = visitNode(context, state, node);
    parts.push(...visit.parts);
    state = visit.state;
    if ("waitsFor" in visit) return { state, parts, waitsFor: visit.waitsFor };
    ({ goesTo: nodeId, exit } = visit);
  }
  return { ...giveUp(context, state), parts: [...parts, ...giveUp(context, state).parts] };
}

/** The conversation cannot continue. */
export function giveUp(context: CallContext, state: FlowState): Outcome {
  const parts: ReplyPart[] = [...say(phrase(context, "farewell"), false), { type: "end", reason: "engine_error" }];
  return { state: { ...state, at: { name: "ended" } }, parts, waitsFor: OVER };
}

function visitNode(context: CallContext, state: FlowState, node: FlowNode): Visit {
  switch (node.type) {
    case "start":
      return { state, parts: [], goesTo: node.next, exit: "next" };
    case "say":
      return visitSay(context, state, node);
    case "ask":
      return visitAsk(context, state, node);
    case "conversation":
      return visitConversation(context, state, node);
    case "branch":
      return visitBranch(context, state, node);
    case "tool": {
      const request = prepareRequest(node.id, node.request, { ...context.variables, ...state.collected });
      const requests = state.requests + 1;
      const at = { name: "requesting", nodeId: node.id } as const;
      const waitsFor: WaitsFor = { type: "request", nodeId: node.id, callId: `${node.id}_${requests}`, request };
      return { state: { ...state, at, requests, answered: null }, parts: [], waitsFor };
    }
    case "set":
      return visitSet(context, state, node);
    case "transfer":
      return visitTransfer(context, state, node);
    case "dtmf": {
      const keys = fillVariables(node.keys, textValues(context, state)).replaceAll(/[^0-9*#]/g, "");
      const parts: ReplyPart[] = keys === "" ? [] : [{ type: "press", keys }];
      return { state: { ...state, answered: null }, parts, goesTo: node.next, exit: "next" };
    }
    case "subflow":
      throw new Error(`the sub-flow of ${node.id} is not part of the plan`);
    case "voicemail":
      return close(context, state, node, speak(context, state, node.text));
    case "end": {
      const opened = node.text === undefined ? { state, texts: [] } : disclose(context, state);
      const text = [...opened.texts, ...(node.text === undefined ? [] : [speak(context, state, node.text)])].join(" ");
      return close(context, opened.state, node, text);
    }
  }
}

/** Asks, unless the callee has already said it: then it is read back, here or by the flow's own question. */
function visitAsk(context: CallContext, state: FlowState, node: NodeOf<"ask">): Visit {
  const opened = disclose(context, state);
  const first = noteFirst(opened.state, speak(context, state, node.text));
  const at = newQuestion(node.id);
  const reading = state.volunteered.length === 0 ? NOT_UNDERSTOOD : volunteeredAnswer(context, state, node);
  if (reading.type !== "answer" && reading.type !== "doubt" && reading.type !== "unsure") {
    return { ...askAgain(context, first, at, opened.texts), waitsFor: LISTEN };
  }
  const value = reading.type === "doubt" ? null : reading.answer.value;
  const next = noteTaken(first, node, value);
  const why = [{ judge: "slots", says: "was said before" } as const, ...(reading.why ?? [])];
  const by = reading.by ?? BY_WORDS;
  const journal = (taken: "answer" | "ask_back", result: CollectedValue): ReplyPart => ({
    type: "decided",
    decision: { nodeId: node.id, taken, result, ...by, why },
  });
  if (reading.type === "doubt") {
    const asking = askAgain(
      context,
      next,
      { ...at, doubt: { type: "choosing", options: reading.options } },
      opened.texts,
    );
    const result = reading.options.map(({ value }) => String(value)).join(" or ");
    return { ...asking, parts: [journal("ask_back", result), ...asking.parts], waitsFor: LISTEN };
  }
  const { answer } = reading;
  if (reading.type === "unsure" || node.confirm !== undefined || !isReadBackLater(context, node)) {
    const asking = askAgain(context, next, { ...at, doubt: { type: "confirming", answer } }, opened.texts);
    return { ...asking, parts: [journal("ask_back", answer.value), ...asking.parts], waitsFor: LISTEN };
  }
  const kept = node.saveAs === undefined ? { state: next, parts: [] } : collect(next, { [node.saveAs]: answer.value });
  const before = { ...next, at, answered: null };
  return {
    state: { ...kept.state, answered: { nodeId: node.id, value: answer.value, before } },
    parts: [journal("answer", answer.value), ...kept.parts],
    goesTo: node.next,
    exit: "next",
  };
}

function visitSay(context: CallContext, state: FlowState, node: NodeOf<"say">): Visit {
  const mayBeInterrupted = isInterruptible(context, node);
  const text = speak(context, state, node.text);
  // A greeting comes first, and the disclosure that a machine is speaking right after it.
  const opened = disclose(context, state);
  const parts = [text, ...opened.texts].flatMap((each) => say(each, mayBeInterrupted));
  const next = noteFirst(opened.state, text);
  if (node.global?.returns !== true) return { state: next, parts, goesTo: node.next, exit: "next" };
  if (next.at.name !== "asking") return { state: next, parts, waitsFor: LISTEN };
  const again = askAgain(context, next, next.at);
  return { state: again.state, parts: [...parts, ...again.parts], waitsFor: LISTEN };
}

function visitConversation(context: CallContext, state: FlowState, node: NodeOf<"conversation">): Visit {
  const opened = disclose(context, state);
  const at = { name: "conversing", nodeId: node.id, turns: 0, failures: 0 } as const;
  const texts = [...opened.texts, ...(node.text === undefined ? [] : [speak(context, state, node.text)])];
  const parts = texts.flatMap((text) => say(text, isInterruptible(context, node)));
  const next = { ...noteFirst(opened.state, texts.at(-1) ?? null), at, answered: null };
  return { state: next, parts, waitsFor: node.text === undefined ? { type: "converse", nodeId: node.id } : LISTEN };
}

function visitBranch(context: CallContext, state: FlowState, node: NodeOf<"branch">): Visit {
  const known = knownIn(context, state);
  const conditions = context.plan.conditions.get(node.id) ?? [];
  const taken = conditions.findIndex((condition) => isConditionMet(condition, known));
  if (taken >= 0) return { state, parts: [], goesTo: node.exits[taken]?.next, exit: `exits[${taken}].next` };
  if ((node.prompts ?? []).length === 0) return { state, parts: [], goesTo: node.otherwise, exit: "otherwise" };
  const at = { name: "judging", nodeId: node.id } as const;
  return { state: { ...state, at }, parts: [], waitsFor: { type: "judge", nodeId: node.id } };
}

function visitSet(context: CallContext, state: FlowState, node: NodeOf<"set">): Visit {
  const expressions = context.plan.expressions.get(node.id) ?? [];
  const parts: ReplyPart[] = [];
  let next = state;
  // Each value is available to those after it.
  for (const [index, { saveAs }] of node.values.entries()) {
    const expression = expressions[index];
    const value = expression === undefined ? null : evaluateExpression(expression, knownIn(context, next));
    const plain = value !== null && typeof value === "object" ? toText(value) : value;
    next = { ...next, collected: { ...next.collected, [saveAs]: plain } };
    parts.push({ type: "collected", name: saveAs, value: plain });
  }
  return { state: next, parts, goesTo: node.next, exit: "next" };
}

function visitTransfer(context: CallContext, state: FlowState, node: NodeOf<"transfer">): Visit {
  const to = fillVariables(node.to, textValues(context, state)).replaceAll(/[\s().-]/g, "");
  const next = { ...state, answered: null };
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return { state: next, parts: [], goesTo: node.failed, exit: "failed" };
  const at = { name: "dialing", nodeId: node.id } as const;
  return { state: { ...next, at }, parts: [], waitsFor: { type: "dial", nodeId: node.id, to } };
}

function close(context: CallContext, state: FlowState, node: FlowNode, text: string): Visit {
  const parts: ReplyPart[] = [...say(text, isInterruptible(context, node)), { type: "end", reason: "finished" }];
  return { state: { ...state, at: { name: "ended" }, answered: null }, parts, waitsFor: OVER };
}

/** Saves values, and records them in the journal. */
export function collect(
  state: FlowState,
  values: Readonly<Record<string, CollectedValue>>,
): { readonly state: FlowState; readonly parts: readonly ReplyPart[] } {
  const parts = Object.entries(values).map(([name, value]): ReplyPart => ({ type: "collected", name, value }));
  return { state: { ...state, collected: { ...state.collected, ...values } }, parts };
}

/** The disclosure that a machine is speaking, once in every call. */
function disclose(
  context: CallContext,
  state: FlowState,
): { readonly state: FlowState; readonly texts: readonly string[] } {
  if (state.isDisclosed) return { state, texts: [] };
  const text = disclosureText(context);
  return { state: { ...state, isDisclosed: true }, texts: text === null ? [] : [text] };
}

export function disclosureText(context: CallContext): string | null {
  const { disclosure } = context.plan.settings;
  const text =
    disclosure === undefined ? context.texts.disclosure[context.call.isRecorded ? "recorded" : "plain"] : disclosure;
  return text === null ? null : speak(context, { collected: {} }, text);
}

function noteFirst(state: FlowState, text: string | null): FlowState {
  return state.firstSaid === null && text !== null ? { ...state, firstSaid: text } : state;
}

function textValues(context: CallContext, { collected }: FlowState): Record<string, string> {
  const texts = Object.entries(collected).map(([name, value]) => [name, value === null ? "" : String(value)]);
  return { ...context.variables, ...Object.fromEntries(texts) };
}

/**
 * The flow waits for a tool, a judgement or permission to dial, and was interrupted: it keeps waiting. Entering the
 * node again asks for the same thing under the same id, so nothing is done twice.
 */
export function waitOn(context: CallContext, state: FlowState): Outcome {
  const { at } = state;
  switch (at.name) {
    case "requesting": {
      const again = enterNode(context, { ...state, requests: state.requests - 1 }, at.nodeId);
      return { ...again, parts: [] };
    }
    case "judging":
    case "dialing": {
      const again = enterNode(context, state, at.nodeId);
      return { ...again, parts: [] };
    }
    // A callee who is being connected is not listened to, so this was cut off before it began.
    case "transferring": {
      const node = nodeOf(context, at.nodeId);
      if (node.type !== "transfer") return { state, parts: [], waitsFor: LISTEN };
      const again = enterNode(context, state, at.nodeId);
      return { ...again, parts: [] };
    }
    default:
      return { state, parts: [], waitsFor: LISTEN };
  }
}
