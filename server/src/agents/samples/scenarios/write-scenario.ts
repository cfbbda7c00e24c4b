import type { CalleeStep } from "@parley/contract/callee-steps";
import type { NewScenario, ScenarioExpectation } from "@parley/contract/scenarios";

export type Variables = Readonly<Record<string, string>>;

/** Lines are what the callee says. */
export type ScriptedStep = string | CalleeStep;

/** Writes a scenario in which the agent brings the call to its end, with this outcome. */
export function writeScenario(
  name: string,
  variables: Variables,
  steps: readonly ScriptedStep[],
  outcome: string | null,
  ...expect: readonly ScenarioExpectation[]
): NewScenario {
  return {
    name,
    variables: { ...variables },
    toolReplies: {},
    steps: steps.map((step) => (typeof step === "string" ? { say: step } : step)),
    expect: [
      ...(outcome === null ? [] : [{ type: "collected", name: "outcome", equals: outcome } as const]),
      ...expect,
    ],
  };
}

export const AGENT_HANGS_UP: ScenarioExpectation = { type: "ended", reason: "agent_hangup" };

/** What every sample must do with callees who do not talk about its subject at all. */
export function everydayScenarios(variables: Variables, leftOnVoicemail: string): NewScenario[] {
  return [
    writeScenario(
      "A voicemail answers",
      variables,
      [{ machine: "voicemail" }],
      null,
      { type: "ended", reason: "voicemail_left" },
      { type: "said", contains: leftOnVoicemail },
      { type: "not_suppressed" },
    ),
    writeScenario(
      "Wrong number",
      variables,
      ["Sorry, you have the wrong number."],
      "wrong_number",
      AGENT_HANGS_UP,
      { type: "said", contains: "sorry to have disturbed you" },
      { type: "not_suppressed" },
    ),
    writeScenario("Stop calling me", variables, ["Stop calling me."], null, { type: "suppressed" }, AGENT_HANGS_UP, {
      type: "not_transferred",
    }),
    writeScenario(
      "Nobody says anything",
      variables,
      [{ silent: true }, { silent: true }],
      null,
      { type: "ended", reason: "silence" },
      { type: "said", contains: "Are you still there" },
      { type: "not_suppressed" },
    ),
    writeScenario(
      "Wants a person",
      { ...variables, desk_number: "+15550100001" },
      ["Can I talk to a human, please?"],
      null,
      { type: "transferred", to: "+15550100001" },
      { type: "said", contains: "I will connect you" },
    ),
  ];
}
