import { randomBytes } from "node:crypto";
import type { ToolReplies } from "@parley/contract/callee-steps";
import { AppError, invalidField } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import * as routes from "@parley/contract/routes/try";
import type { ToolTrial, ToolTrialResult, TryEvent, TryReply, TryTurn } from "@parley/contract/try";
import { type TextCallEvent, takeTextTurn } from "@parley/voice/conversation/text-call/take-text-turn";
import { refitTextCall } from "@parley/voice/conversation/text-call/text-call-state";
import { prepareRequest } from "@parley/voice/conversation/tools/prepare-request";
import { valuesOfReply } from "@parley/voice/conversation/tools/save-values";
import type { Expectation } from "@parley/voice/ports/brain";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { McpFunction, ToolCaller, ToolReply } from "@parley/voice/ports/tool-caller";
import { enteredOf } from "../../../calls/transcripts/transcript-items.ts";
import type { Database } from "../../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../../platform/http/handler.ts";
import type { McpCaller } from "../../../speech/conversations/call-mcp-tool.ts";
import { compileOrRefuse } from "../../drafts.ts";
import { type FoundFlow, findTriedFlow, withSubFlows } from "../../find-tried-flow.ts";
import type { McpPlan } from "../../mcp/functions-for-flow.ts";
import { withGivenReplies } from "./given-tools.ts";
import { type TextBrains, textCallSetup } from "./text-brains.ts";
import type { TryState, TryStates } from "./try-state.ts";

export interface TryRoutesDeps {
  readonly db: Database;
  readonly brains: TextBrains;
  readonly states: TryStates;
  /** Sends and signs requests as a call of the account does. */
  toolCallerFor(accountId: string, callId: string): ToolCaller;
  mcpPlanFor(accountId: string, flow: Flow): Promise<McpPlan>;
  mcpCallerFor(plan: McpPlan): McpCaller;
  readonly nowMs: () => number;
}

/** Trying an agent by text, and its tools one by one. */
export function tryRoutes(deps: TryRoutesDeps): BoundRoute[] {
  const { db, brains, states, toolCallerFor, nowMs } = deps;
  return [
    handle(routes.tryAgent, async ({ accountId, params, body }) => {
      const found = await withSubFlows(db, accountId, await findTriedFlow(db, accountId, params.id, body));
      const mcp = await deps.mcpPlanFor(accountId, found.flow);
      const { callMcpTool, close } = deps.mcpCallerFor(mcp);
      const callerFor = (callId: string) => ({ ...toolCallerFor(accountId, callId), callMcpTool });
      const turn = { brains, states, nowMs, toolCallerFor: callerFor, mcpFunctions: mcp.functions };
      try {
        return { data: await takeTryTurn(turn, found, body) };
      } finally {
        await close();
      }
    }),

    handle(routes.tryTool, async ({ accountId, params, body }) => {
      await findTriedFlow(db, accountId, params.id, {});
      return { data: await tryTool({ nowMs, toolCallerFor: (callId) => toolCallerFor(accountId, callId) }, body) };
    }),
  ];
}

interface TryTurnDeps {
  readonly brains: TextBrains;
  readonly states: TryStates;
  /** Sends the requests of tools, as in a call. */
  toolCallerFor(callId: string): ToolCaller;
  /** Approved tools of MCP servers that the flow lists. Omitted: none. */
  readonly mcpFunctions?: readonly McpFunction[];
  readonly nowMs: () => number;
}

/** A client that waits for longer has given up, and so has a callee. */
const TURN_MAX_MS = 45_000;

/** Takes one turn of a try. Nothing of it is kept here: the answer carries all that the next turn needs. */
async function takeTryTurn(deps: TryTurnDeps, found: FoundFlow, turn: TryTurn): Promise<TryReply> {
  refuseBadTurn(turn);
  const { plan, warnings } = compileOrRefuse(found.flow, deps.brains.modelNames, "The flow cannot be tried.");
  const before = turn.state === undefined ? null : deps.states.read(turn.state, found.agentId);
  const refitted = before === null ? null : refitTextCall(plan, before.call);
  if (before !== null && refitted === null) {
    throw new AppError("invalid_state", "The node that the try is at is no longer in the flow; start again.");
  }
  const facts = before?.facts ?? newFacts(deps, found, turn);
  const given = turn.toolReplies ?? {};
  const caller = withGivenReplies(given, deps.toolCallerFor(facts.callId));
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(tooLate()), TURN_MAX_MS);
  try {
    const setup = await textCallSetup(deps.brains, plan, facts, caller, over.signal, deps.mcpFunctions);
    const taken = await takeTextTurn(setup, refitted, turn.callee ?? null);
    const events = taken.events.map((event) => toTryEvent(event, given));
    const next: TryState = { facts, call: taken.state };
    return {
      state: deps.states.write(next, found.agentId),
      events,
      said: events.flatMap((event) => (event.type === "said" ? [event.text] : [])).join(" "),
      nodeId: taken.state.nodeId,
      path: events.flatMap((event) => (event.type === "node" ? [event.nodeId] : [])),
      collected: { ...taken.state.flow.state.collected },
      variables: { ...facts.variables },
      expects: toExpects(taken.expects),
      ended: taken.state.ended,
      warnings,
    };
  } finally {
    clearTimeout(timer);
    // Work in progress, such as an unawaited request, ends with the turn.
    over.abort(new Error("the turn is over"));
  }
}

function refuseBadTurn({ state, callee, variables }: TryTurn): void {
  const isFirst = state === undefined;
  if (!isFirst && callee === undefined) {
    throw invalidField("callee", "required", "callee must say what the callee does, with a state.");
  }
  if (isFirst && callee !== undefined && !("machine" in callee)) {
    throw invalidField("callee", "too_early", "callee can only be a machine before the agent has opened the call.");
  }
  if (!isFirst && callee !== undefined && "machine" in callee) {
    throw invalidField("callee.machine", "too_late", "callee.machine can only answer when the call begins.");
  }
  if (!isFirst && variables !== undefined) {
    throw invalidField("variables", "too_late", "variables are given with the first turn only.");
  }
}

function newFacts({ nowMs }: Pick<TryTurnDeps, "nowMs">, found: FoundFlow, turn: TryTurn): TryState["facts"] {
  return {
    callId: `try_${randomBytes(12).toString("hex")}`,
    language: turn.language ?? found.language,
    variables: turn.variables ?? {},
    startedAtMs: nowMs(),
  };
}

function toExpects(expectation: Expectation | null): TryReply["expects"] {
  if (expectation === null) return null;
  const { kind, answers, keysMax } = expectation;
  return { kind, answers: [...answers], takesKeys: keysMax !== null };
}

function tooLate(): AppError {
  return new AppError("unavailable", `The agent did not answer within ${TURN_MAX_MS / 1000} seconds.`, {
    retryAfterSeconds: 1,
  });
}

/** What the agent did, in the words of the contract. */
function toTryEvent(event: TextCallEvent, given: ToolReplies): TryEvent {
  switch (event.type) {
    case "entered":
      return { type: "node", ...enteredOf(event) };
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

interface TryToolDeps {
  toolCallerFor(callId: string): ToolCaller;
  readonly nowMs: () => number;
}

const EXCERPT_CHARS = 4000;

/** Sends the request of a tool once, with the given values, and returns how a call would interpret the reply. */
async function tryTool(deps: TryToolDeps, { request, saves, values }: ToolTrial): Promise<ToolTrialResult> {
  const prepared = prepareRequest("trial", request, values);
  const caller = deps.toolCallerFor(`try_${randomBytes(12).toString("hex")}`);
  const over = new AbortController();
  const startedMs = deps.nowMs();
  const answered = await ask(caller, { ...prepared, id: "trial", signal: over.signal });
  const durationMs = Math.max(0, Math.round(deps.nowMs() - startedMs));
  const { name: _name, timeoutMs: _timeoutMs, headers, ...sent } = prepared;
  const base = { sent: { ...sent, headers: { ...headers } }, durationMs };
  if ("failure" in answered) {
    return { ...base, ok: false, status: null, excerpt: "", isCut: false, saved: {}, failure: answered.failure };
  }
  const { status, body } = answered;
  const text = body === null ? "" : typeof body === "string" ? body : JSON.stringify(body, null, 2);
  const ok = status >= 200 && status <= 299;
  return {
    ...base,
    ok,
    status,
    excerpt: text.slice(0, EXCERPT_CHARS),
    isCut: text.length > EXCERPT_CHARS,
    saved: ok ? { ...valuesOfReply(body, saves) } : {},
    failure: null,
  };
}

async function ask(
  caller: ToolCaller,
  request: Parameters<ToolCaller["call"]>[0],
): Promise<ToolReply | { readonly failure: string }> {
  try {
    return await caller.call(request);
  } catch (error) {
    if (error instanceof ProviderError) return { failure: error.message };
    throw error;
  }
}
