import type { NewScenario, ScenarioLine } from "@parley/contract/scenarios";
import {
  type TextCallEvent,
  type TextCallOptions,
  takeTextTurn,
} from "@parley/voice/conversation/text-call/take-text-turn";
import type { TextCallState } from "@parley/voice/conversation/text-call/text-call-state";
import { describeStep } from "./describe-step.ts";
import type { ScenarioOutcome } from "./scenario-outcome.ts";

/** Holds the call of a scenario by text, with the brain of a real call. Every step is taken until the call is over. */
export async function runOnText(
  setup: TextCallOptions,
  { steps }: Pick<NewScenario, "steps">,
): Promise<ScenarioOutcome> {
  const lines: ScenarioLine[] = [];
  const events: { readonly event: TextCallEvent; readonly step: number }[] = [];
  const [first] = steps;
  const isAnsweredByMachine = first !== undefined && "machine" in first;
  let stepsTaken = isAnsweredByMachine ? 1 : 0;
  let state: TextCallState | null = null;

  const take = async (index: number | null) => {
    const step = index === null ? null : (steps[index] ?? null);
    if (step !== null)
      lines.push({ role: "callee", text: describeStep(step), step: stepsTaken, nodeId: state?.nodeId ?? null });
    const turn = await takeTextTurn(setup, state, step);
    state = turn.state;
    for (const event of turn.events) {
      events.push({ event, step: stepsTaken });
      if (event.type === "said")
        lines.push({ role: "agent", text: event.text, step: stepsTaken, nodeId: event.nodeId });
    }
    return turn.state;
  };

  let now = await take(isAnsweredByMachine ? 0 : null);
  while (now.ended === null && stepsTaken < steps.length) {
    stepsTaken += 1;
    now = await take(stepsTaken - 1);
  }
  return {
    lines,
    ...readEvents(events),
    collected: { ...now.flow.state.collected },
    endReason: now.ended?.reason ?? null,
    stepsTaken,
    stepsTotal: steps.length,
  };
}

function readEvents(events: readonly { readonly event: TextCallEvent; readonly step: number }[]) {
  return {
    visits: events.flatMap(({ event, step }) => (event.type === "entered" ? [{ nodeId: event.nodeId, step }] : [])),
    suppressedAtStep: events.find(({ event }) => event.type === "suppress")?.step ?? null,
    transfers: events.flatMap(({ event, step }) => (event.type === "transfer" ? [{ to: event.to, step }] : [])),
    toolCalls: events.flatMap(({ event, step }) => (event.type === "tool_call" ? [{ name: event.name, step }] : [])),
    faults: events.flatMap(({ event }) => (event.type === "fault" ? [event.text] : [])),
  };
}
