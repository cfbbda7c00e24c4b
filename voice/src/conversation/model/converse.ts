import type { ConversationNode } from "@parley/contract/flow-conversation";
import { deniesMachine } from "@parley/flow/says-machine";
import type { ReplyPart } from "../../ports/brain.ts";
import type { ModelPart } from "../../ports/language-model.ts";
import { ReplyCleaner } from "../../text/reply-cleaner.ts";
import { spokenReply } from "../../text/spoken-form.ts";
import { type CallContext, isInterruptible, phrase, say, sayClause, speak } from "../call-context.ts";
import type { FlowState, HistoryItem } from "../flow-state.ts";
import type { ConversationResult } from "../resume-flow.ts";
import { ClauseCutter } from "../texts/clauses.ts";
import { prepareToolCall } from "../tools/prepare-request.ts";
import type { ToolLedger } from "../tools/tool-ledger.ts";
import { askModels, type ModelAccess } from "./ask-models.ts";
import {
  exitOfTool,
  instructionsFor,
  isWithheld,
  modelMessages,
  outputOf,
  toolNamed,
  toolsFor,
} from "./instructions.ts";

export interface ConverseDeps extends ModelAccess {
  readonly context: CallContext;
  readonly ledger: ToolLedger;
  /** Adds a tool call to the history immediately, so that it is there whatever happens to this reply. */
  readonly remember: (item: HistoryItem) => void;
  /** Calls of a turn that was taken back, by what they asked for: the same request is not carried out again. */
  readonly undoneCalls: ReadonlyMap<string, string>;
}

type ToolCall = Extract<ModelPart, { type: "tool_call" }>;

/** A model that keeps calling tools is stopped after this many rounds. */
const ROUNDS_MAX = 5;
const FILLER_AFTER_MS = 800;
/** By then a person who picked up is known to be one; until then the callee hears a filler. */
const PERMIT_FILLER_MS = 1_500;

/** Runs a model's turn. Null when it was aborted. */
export async function* converse(
  deps: ConverseDeps,
  node: ConversationNode,
  currentState: () => FlowState,
  signal: AbortSignal,
): AsyncGenerator<ReplyPart, ConversationResult | null, undefined> {
  const { ledger } = deps;
  let said = "";
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const state = currentState();
    // A tool that was running when the callee interrupted is awaited: the model must not consider it missing.
    if (!(yield* settleTools(deps, pendingIn(state, ledger), [], signal))) return null;
    const spoken: HistoryItem[] = said === "" ? [] : [{ role: "agent", text: said }];
    const turn = yield* takeModelTurn(deps, node, currentState(), spoken, signal);
    if (signal.aborted) return null;
    said = [said, turn.text].filter((text) => text !== "").join(" ");
    // Nothing is done for a reply that broke off: its calls may be incomplete.
    if (turn.hasFailed) return { type: "failed" };
    const left = turn.calls.find(({ tool }) => exitOfTool(tool) !== null);
    if (left !== undefined) return { type: "left", exit: exitOfTool(left.tool) ?? 0, values: recordOf(left.input) };
    if (turn.calls.length === 0) return said === "" ? { type: "failed" } : { type: "said" };
    if (!(yield* runTools(deps, node, currentState, turn.calls, signal))) return null;
  }
  return said === "" ? { type: "failed" } : { type: "said" };
}

interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly hasFailed: boolean;
}

async function* takeModelTurn(
  deps: ConverseDeps,
  node: ConversationNode,
  state: FlowState,
  spoken: readonly HistoryItem[],
  signal: AbortSignal,
): AsyncGenerator<ReplyPart, ModelTurn, undefined> {
  const { context, ledger } = deps;
  const mayBeInterrupted = isInterruptible(context, node);
  const cleaner = new ReplyCleaner();
  const cutter = new ClauseCutter();
  const clauses: string[] = [];
  const calls: ToolCall[] = [];
  const request = {
    instructions: instructionsFor(
      context,
      state,
      node.prompt,
      node.exits.map(({ when }) => when),
    ),
    messages: modelMessages([...state.history, ...spoken], ledger),
    tools: toolsFor(context, state, node),
    ...(node.model === undefined ? {} : { model: node.model }),
  };
  const clauseParts = (texts: readonly string[]): ReplyPart[] =>
    texts.flatMap((text) => {
      const part = sayClause(honestClause(context, spokenReply(text, context.style)), mayBeInterrupted);
      if (!/[\p{L}\p{N}]/u.test(part.text)) return [];
      clauses.push(part.text);
      return [part];
    });
  let hasFailed = false;
  yield { type: "waits", on: "model" };
  for await (const event of askModels(deps, request, signal)) {
    if (event.type === "slow") yield* say(phrase(context, "moment"), mayBeInterrupted);
    else if (event.type === "failed") hasFailed = true;
    else if (event.part.type === "text") yield* clauseParts(cutter.push(cleaner.push(event.part.text)));
    else if (event.part.type === "tool_call" && !isWithheld(context, state, node, event.part.tool))
      calls.push(event.part);
  }
  // The beginning of a sentence that was never finished is not spoken.
  if (!hasFailed && !signal.aborted) yield* clauseParts([...cutter.push(cleaner.end()), ...cutter.end()]);
  return { text: clauses.join(" "), calls, hasFailed };
}

/** A model that denies being one does not get to say so. */
function honestClause(context: CallContext, clause: string): string {
  return deniesMachine(clause) ? spokenReply(context.texts.phrases.machine, context.style) : clause;
}

/** Waits until requests may be sent, and says something if that takes long: `filled`. */
export async function* permitted(
  ledger: ToolLedger,
  filler: () => readonly ReplyPart[],
  signal: AbortSignal,
): AsyncGenerator<ReplyPart, "at_once" | "filled" | "aborted", undefined> {
  const soon = await ledger.waitForPermit(PERMIT_FILLER_MS, signal);
  if (soon.type !== "late") return soon.type === "done" ? "at_once" : "aborted";
  yield* filler();
  const waited = await ledger.waitForPermit(null, signal);
  return waited.type === "done" ? "filled" : "aborted";
}

/** Sends the model's requests and waits for all of them. False when it was aborted; the tools continue. */
async function* runTools(
  deps: ConverseDeps,
  node: ConversationNode,
  currentState: () => FlowState,
  calls: readonly ToolCall[],
  signal: AbortSignal,
): AsyncGenerator<ReplyPart, boolean, undefined> {
  const { context, ledger, remember, undoneCalls } = deps;
  const ids: string[] = [];
  const fillers: string[] = [];
  const permit = yield* permitted(ledger, () => say(phrase(context, "moment"), true), signal);
  if (permit === "aborted") return false;
  for (const { callId: givenId, tool: name, input, vendorState } of calls) {
    const callId = unusedId(givenId, currentState());
    remember({ role: "tool_call", callId, tool: name, input, ...(vendorState && { vendorState }) });
    const tool = toolNamed(context, node, name);
    // A call that the model made up gets an error as its result.
    if (tool === null) continue;
    const earlier = undoneCalls.get(contentOf(name, input));
    if (earlier !== undefined) {
      ledger.repeat(callId, earlier);
      ids.push(callId);
      continue;
    }
    const known = { ...context.variables, ...currentState().collected };
    const { isNew } = ledger.begin(callId, prepareToolCall(tool, known, recordOf(input)));
    if (isNew) yield { type: "tool_call", id: callId, name, input };
    ids.push(callId);
    if ("filler" in tool && tool.filler !== undefined) fillers.push(speak(context, currentState(), tool.filler));
  }
  return yield* settleTools(deps, ids, fillers, signal, permit === "filled");
}

/** Some models count their calls from one again in every reply. */
function unusedId(givenId: string, { history }: FlowState): string {
  const used = new Set(history.flatMap((item) => (item.role === "tool_call" ? [item.callId] : [])));
  let id = givenId;
  for (let count = 2; used.has(id); count += 1) id = `${givenId}_${count}`;
  return id;
}

/** What a call asks for, whatever its id. */
export function contentOf(tool: string, input: unknown): string {
  return JSON.stringify([tool, input]);
}

/** Waits for tools, and says something if it takes long. False when it was aborted. */
async function* settleTools(
  { context, ledger }: ConverseDeps,
  ids: readonly string[],
  fillers: readonly string[],
  signal: AbortSignal,
  isFilled = false,
): AsyncGenerator<ReplyPart, boolean, undefined> {
  if (ids.length > 0) yield { type: "waits", on: "tool" };
  let limitMs: number | null = isFilled ? null : (context.plan.settings.fillerAfterMs ?? FILLER_AFTER_MS);
  for (const id of ids) {
    let waited = await ledger.wait(id, limitMs, signal);
    if (waited.type === "late") {
      limitMs = null;
      yield* say(fillers[0] ?? phrase(context, "moment"), true);
      waited = await ledger.wait(id, null, signal);
    }
    if (waited.type === "aborted") return false;
  }
  yield* reportResults(ledger);
  return true;
}

/** Results that are not in the journal yet. */
export function* reportResults(ledger: ToolLedger): Generator<ReplyPart, void, undefined> {
  for (const { id, name, outcome } of ledger.takeUnreported()) {
    yield { type: "tool_result", id, name, output: outputOf(outcome), ok: outcome.ok };
  }
}

function pendingIn(state: FlowState, ledger: ToolLedger): string[] {
  return state.history.flatMap((item) =>
    item.role === "tool_call" && ledger.isUnderWay(item.callId) ? [item.callId] : [],
  );
}

export function recordOf(input: unknown): Readonly<Record<string, unknown>> {
  return input !== null && typeof input === "object" && !Array.isArray(input) ? (input as Record<string, unknown>) : {};
}
