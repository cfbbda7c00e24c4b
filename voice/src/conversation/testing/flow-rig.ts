import { Flow, type FlowNode } from "@parley/contract/flow";
import type { FlowTool } from "@parley/contract/flow-request";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { compileFlow } from "@parley/flow/compile";
import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import type { Brain, CalleeTurn, ReplyPart } from "../../ports/brain.ts";
import type { ToolReply, ToolRequest } from "../../ports/tool-caller.ts";
import { newQuestion } from "../ask-question.ts";
import { createFlowRunner, type FlowRunnerOptions, type FlowSnapshot } from "../flow-runner.ts";
import { BEGINNING, type FlowState } from "../flow-state.ts";

/** A Monday at noon. */
export const TEST_MOMENT_MS = Date.UTC(2026, 2, 2, 12);

interface FlowRig {
  readonly brain: Brain;
  readonly timers: VirtualClock;
  readonly faults: readonly unknown[];
  /** Ends the call. */
  end(): void;
}

export interface RigOptions extends Partial<Omit<FlowRunnerOptions, "plan" | "timers" | "signal" | "noteFault">> {
  readonly tools?: readonly FlowTool[];
  readonly settings?: FlowSettings;
  /** Whether it is known that someone is there to act for. Defaults to true. */
  readonly isPermitted?: boolean;
  /** Starts where this question was just asked, with these values collected and this said before it. */
  readonly openAt?: {
    readonly nodeId: string;
    readonly collected?: FlowState["collected"];
    readonly said?: string;
  };
}

/** The brain of a call to a flow of these nodes, from a start that leads to the first of them. */
export function openRig(nodes: readonly FlowNode[], options: RigOptions = {}): FlowRig {
  const { tools, settings, ...setup } = options;
  const start: FlowNode = { id: "start", type: "start", next: nodes[0]?.id ?? "" };
  const variables = Object.keys(options.variables ?? {});
  return openFlowRig(
    Flow.parse({
      ...{ schemaVersion: 1, variables, nodes: [start, ...nodes] },
      ...(tools === undefined ? {} : { tools }),
      settings: { disclosure: null, retries: { max: 2 }, ...settings },
    }),
    setup,
  );
}

export function openFlowRig(flow: Flow, options: Omit<RigOptions, "tools" | "settings"> = {}): FlowRig {
  const compiled = compileFlow(flow);
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join(" "));
  const timers = createVirtualClock();
  const call = new AbortController();
  const faults: unknown[] = [];
  const brain = createFlowRunner({
    ...{ language: "en-US", variables: {}, ranker: null, judge: null, models: [], toolCaller: null },
    mayDial: async () => ({ isAllowed: true }),
    call: {
      ...{ id: "call_1", phoneNumber: "+15550100001", from: null, mode: "test", isRecorded: false },
      ...{ startedAtMs: TEST_MOMENT_MS, timeZone: "UTC" },
    },
    ...options,
    ...(options.openAt === undefined ? {} : { resumesFrom: snapshotAt(options.openAt) }),
    plan: compiled.plan,
    timers,
    signal: call.signal,
    noteFault: (fault) => faults.push(fault),
  });
  if (options.isPermitted !== false) brain.permitEffects();
  return { brain, timers, faults, end: () => call.abort() };
}

function snapshotAt({ nodeId, collected = {}, said }: NonNullable<RigOptions["openAt"]>): FlowSnapshot {
  const history = said === undefined ? [] : [{ role: "agent", text: said } as const];
  const state = { ...BEGINNING, at: newQuestion(nodeId), collected, history, isDisclosed: true };
  return { turnId: 1, requests: [], state };
}

export interface TestToolCaller {
  readonly requests: readonly ToolRequest[];
  call(request: ToolRequest): Promise<ToolReply>;
  /** Sends the reply to the oldest pending request. */
  answer(reply: ToolReply | Error): void;
}

/** A caller whose replies are sent by hand, or immediately if `reply` defines them. */
export function createTestToolCaller(reply?: (request: ToolRequest) => ToolReply): TestToolCaller {
  const requests: ToolRequest[] = [];
  const waiting: PromiseWithResolvers<ToolReply>[] = [];
  return {
    requests,
    async call(request) {
      requests.push(request);
      if (reply !== undefined) return reply(request);
      const answer = Promise.withResolvers<ToolReply>();
      waiting.push(answer);
      return answer.promise;
    },
    answer(given) {
      const next = waiting.shift();
      if (next === undefined) throw new Error("no request is pending");
      if (given instanceof Error) next.reject(given);
      else next.resolve(given);
    },
  };
}

/** A reply that is being listened to, and can be cut off. */
interface OpenReply {
  readonly turnId: number;
  readonly parts: readonly ReplyPart[];
  /** What was said so far. */
  text(): string;
  /** Resolves when it is over. */
  readonly over: Promise<void>;
  cut(heardText: string): void;
}

/** Listens to a reply part by part, like an engine. */
export function listen(brain: Brain, turnId: number, turn: CalleeTurn | null): OpenReply {
  const cutting = new AbortController();
  const parts: ReplyPart[] = [];
  const reply = turn === null ? brain.open(turnId, cutting.signal) : brain.reply(turnId, turn, cutting.signal);
  const over = (async () => {
    for await (const part of reply) {
      if (cutting.signal.aborted) break;
      parts.push(part);
    }
  })();
  return {
    turnId,
    parts,
    over,
    text: () => parts.flatMap((part) => (part.type === "say" ? [part.text] : [])).join(" "),
    cut(heardText) {
      cutting.abort();
      brain.noteHeard(turnId, { text: heardText, wasCut: true });
    },
  };
}

/** Hears a reply to its end. */
export async function hear(brain: Brain, turnId: number, turn: CalleeTurn | null): Promise<OpenReply> {
  const reply = listen(brain, turnId, turn);
  await reply.over;
  brain.noteHeard(turnId, { text: reply.text(), wasCut: false });
  return reply;
}

/** Lets every promise that is ready run. */
export function promisesSettle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
