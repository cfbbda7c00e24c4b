import type { CalleeStep } from "@parley/contract/callee-steps";
import type { Call, EndReason } from "@parley/contract/calls";
import type { NewScenario, ScenarioExpectation } from "@parley/contract/scenarios";
import type { TranscriptItem } from "@parley/contract/transcripts";

export interface PastCall extends Pick<Call, "answeredBy" | "endReason" | "endedBy" | "variables" | "collected"> {
  readonly items: readonly TranscriptItem[];
  readonly wasSuppressed: boolean;
}

const STEPS_MAX = 100;
const SAID_MAX = 1000;
/** Ways to end that a scenario can bring about; the others are the network's. */
const REPEATABLE: ReadonlySet<EndReason> = new Set([
  "agent_hangup",
  "callee_hangup",
  "transferred",
  "voicemail_left",
  "voicemail_hangup",
  "silence",
  "fax",
]);

/** A scenario in which the callee repeats what it did in a call, with the same outcome expected. */
export function scenarioOfCall(call: PastCall, name: string): NewScenario {
  const machine = machineOf(call.answeredBy);
  const steps = machine === null ? stepsOf(call) : [{ machine }];
  return { name, steps, variables: { ...call.variables }, toolReplies: {}, expect: expectationsOf(call) };
}

function machineOf(answeredBy: Call["answeredBy"]) {
  return answeredBy === "human" || answeredBy === "unknown" ? null : answeredBy;
}

/** What was said before the agent had opened the call ("Hello?") is not an answer. */
function stepsOf({ items, endedBy, endReason }: PastCall): CalleeStep[] {
  const steps: CalleeStep[] = [];
  let agent: Extract<TranscriptItem, { type: "speech" }> | null = null;
  // What the agent says in one turn at several nodes are several items.
  let turnStartMs = 0;
  let keys = "";
  let repliesInARow = 0;
  const pressAll = () => {
    if (keys !== "") steps.push({ press: keys.slice(0, 32) });
    keys = "";
  };
  for (const item of items) {
    if (item.type === "dtmf" && item.by === "callee") {
      keys += item.key;
      repliesInARow = 0;
    }
    if (item.type !== "speech") continue;
    pressAll();
    if (item.role === "agent") {
      repliesInARow += 1;
      // The agent spoke again without an answer: the callee was silent.
      if (agent !== null && repliesInARow > 1 && !agent.interrupted && item.turn !== agent.turn)
        steps.push({ silent: true });
      if (item.turn !== agent?.turn) turnStartMs = item.startMs;
      agent = item;
      continue;
    }
    repliesInARow = 0;
    if (agent === null) continue;
    const say = (item.revisedText ?? item.text).trim().slice(0, SAID_MAX);
    if (say === "") continue;
    const isOver = agent.interrupted && item.startMs < agent.endMs + 500;
    steps.push(isOver ? { interruptAfterMs: Math.max(0, item.startMs - turnStartMs), say } : { say });
  }
  pressAll();
  if (endReason === "silence" && steps.length > 0 && !("silent" in (steps.at(-1) ?? {}))) steps.push({ silent: true });
  if (endReason === "silence") steps.push({ silent: true });
  if (endedBy === "callee") steps.push({ hangUp: true });
  return steps.slice(0, STEPS_MAX);
}

function expectationsOf({ endReason, collected, items, wasSuppressed }: PastCall): ScenarioExpectation[] {
  const lastNode = items.findLast((item) => item.type === "node");
  const values = Object.entries(collected ?? {}).flatMap(([name, value]): ScenarioExpectation[] => {
    if (typeof value === "string") return [{ type: "collected", name, equals: value.slice(0, 2000) }];
    return typeof value === "number" || typeof value === "boolean" ? [{ type: "collected", name, equals: value }] : [];
  });
  return [
    ...(endReason !== null && REPEATABLE.has(endReason) ? [{ type: "ended", reason: endReason } as const] : []),
    ...(lastNode?.type === "node" ? [{ type: "reached", nodeId: lastNode.nodeId } as const] : []),
    ...values.slice(0, 40),
    { type: wasSuppressed ? "suppressed" : "not_suppressed" } as const,
  ];
}
