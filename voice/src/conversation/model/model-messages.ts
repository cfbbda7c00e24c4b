import type { ModelMessage } from "../../ports/language-model.ts";
import type { HistoryItem } from "../flow-state.ts";
import type { ToolLedger, ToolOutcome } from "../tools/tool-ledger.ts";

/** A reply of a tool that is longer would push the conversation out of the model's sight. */
const OUTPUT_LENGTH_MAX = 8000;

/**
 * The conversation as a model gets to see it. Each call of a tool is followed by its result, because that is the only
 * order models take; one that has none yet is shown as under way.
 */
export function modelMessages(history: readonly HistoryItem[], ledger: ToolLedger): readonly ModelMessage[] {
  return history.flatMap((item): ModelMessage[] => {
    if (item.role !== "tool_call") return [item];
    const { callId, tool } = item;
    const outcome = ledger.outcomeOf(callId);
    const missing = ledger.isUnderWay(callId) ? "there is no result yet" : "there is no such function";
    const output = outcome === null ? { error: missing } : outputOf(outcome);
    return [item, { role: "tool_result", callId, tool, output }];
  });
}

/** What a model, and the journal, are told of a result. */
export function outputOf(outcome: ToolOutcome): unknown {
  const body = shortened(outcome.body);
  return outcome.ok ? body : { error: outcome.reason, ...(body === null ? {} : { body }) };
}

function shortened(body: unknown): unknown {
  const text = JSON.stringify(body) ?? "null";
  return text.length <= OUTPUT_LENGTH_MAX ? body : `${text.slice(0, OUTPUT_LENGTH_MAX)} (shortened)`;
}
