import type { CallEvent } from "@parley/contract/call-events";
import type { EndReason } from "@parley/contract/calls";
import type { NewScenario, ScenarioLine } from "@parley/contract/scenarios";
import type { TranscriptItem } from "@parley/contract/transcripts";
import type { CollectedValues } from "@parley/contract/try";
import type { ScenarioOutcome } from "./scenario-outcome.ts";

export interface FinishedCall {
  readonly endReason: EndReason | null;
  readonly collected: Readonly<Record<string, unknown>> | null;
  readonly items: readonly TranscriptItem[];
  readonly events: readonly Pick<CallEvent, "type" | "data">[];
}

/** What came of a call, read from its record as anybody can read it. Its turns stand for the steps of the callee. */
export function outcomeOfCall(call: FinishedCall, { steps }: Pick<NewScenario, "steps">): ScenarioOutcome {
  const lines: ScenarioLine[] = [];
  const visits: { nodeId: string; step: number }[] = [];
  const toolCalls: { name: string; step: number }[] = [];
  let step = 0;
  let nodeId: string | null = null;
  for (const item of call.items) {
    if (item.type === "speech") {
      step = Math.max(step, item.turn);
      // What the callee did not hear was not said.
      const text = item.role === "agent" ? item.heardText : item.text;
      if (text !== "") lines.push({ role: item.role, text, step: item.turn, nodeId });
    } else if (item.type === "node") {
      nodeId = item.nodeId;
      visits.push({ nodeId, step });
    } else if (item.type === "tool_call") toolCalls.push({ name: item.name, step });
    else if (item.type === "dtmf") lines.push({ role: item.by, text: `[presses ${item.key}]`, step, nodeId });
  }
  const transfers = call.events.flatMap(({ type, data }) =>
    type === "call.transfer" && data["state"] === "completed" ? [{ to: null, step }] : [],
  );
  return {
    ...{ lines, visits, toolCalls, transfers },
    collected: plainValues(call.collected ?? {}),
    endReason: call.endReason,
    suppressedAtStep: call.events.some(({ type }) => type === "call.number_suppressed") ? step : null,
    // Which of its steps a callee came to is not written down; that the call was cut short is seen by how it ended.
    ...{ stepsTaken: step, stepsTotal: Math.min(step, steps.length), faults: slowReplies(call.items) },
  };
}

/** A callee who waits for longer says something, or hangs up, and then nothing is as it was written. */
const SLOW_MS = 4_000;

/** A scenario that went wrong on a machine that is too busy says nothing about the flow. */
function slowReplies(items: readonly TranscriptItem[]): string[] {
  const slowestMs = Math.max(0, ...items.map((item) => (item.type === "speech" ? (item.timing?.totalMs ?? 0) : 0)));
  if (slowestMs < SLOW_MS) return [];
  return [`the agent took ${Math.round(slowestMs / 1000)} seconds to answer, because the machine is too busy`];
}

function plainValues(collected: Readonly<Record<string, unknown>>): CollectedValues {
  return Object.fromEntries(
    Object.entries(collected).map(([name, value]) => [
      name,
      typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null,
    ]),
  );
}
