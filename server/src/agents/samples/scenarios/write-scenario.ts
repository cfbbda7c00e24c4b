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
      { type: "said", contains: "I'll connect you" },
    ),
  ];
}

/**
 * What people do on any call that asks them something, and what every sample answers. One who cannot be understood is connected
 * with a person, or the call ends.
 */
export function phoneHabits(variables: Variables, notUnderstood: "connected" | "ended"): NewScenario[] {
  const atDesk = { ...variables, desk_number: "+15550100001" };
  return [
    writeScenario("Asks whether it is a machine", variables, ["Wait, am I talking to a computer here?"], null, {
      type: "said",
      contains: "I'm an automated assistant, not a person",
    }),
    writeScenario("Takes it for a scam", variables, ["This smells like a scam to me."], null, {
      type: "said",
      contains: "it's good to be careful",
    }),
    writeScenario("Asks where the number is from", variables, ["Where did you people get my number?"], null, {
      type: "said",
      contains: "Your number is in the records",
    }),
    writeScenario(
      "Wants the front desk",
      atDesk,
      ["Put me through to the front desk, would you?"],
      null,
      { type: "transferred", to: "+15550100001" },
      { type: "not_collected", name: "outcome" },
    ),
    writeScenario(
      "The person has died",
      variables,
      ["I'm afraid she passed away in the spring."],
      null,
      { type: "suppressed" },
      { type: "said", contains: "so sorry for your loss" },
      AGENT_HANGS_UP,
    ),
    writeScenario(
      "Is driving",
      variables,
      ["I'm behind the wheel, try me tonight at eight."],
      "not_now",
      { type: "collected", name: "callback" },
      AGENT_HANGS_UP,
    ),
    writeScenario("Speaks another language", variables, ["Lo siento, no hablo inglés."], null, {
      type: "said",
      contains: "I only speak English",
    }),
    writeScenario(
      notUnderstood === "connected"
        ? "Cannot be understood, and gets a person"
        : "Cannot be understood, and is left alone",
      atDesk,
      [
        "Purple monkey dishwasher.",
        "Purple monkey dishwasher.",
        "Purple monkey dishwasher.",
        "Purple monkey dishwasher.",
      ],
      null,
      notUnderstood === "connected" ? { type: "transferred", to: "+15550100001" } : { type: "not_transferred" },
      { type: "not_suppressed" },
    ),
  ];
}
