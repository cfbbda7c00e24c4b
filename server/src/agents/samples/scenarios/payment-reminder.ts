import type { NewScenario } from "@parley/contract/scenarios";
import { AGENT_HANGS_UP, everydayScenarios, writeScenario } from "./write-scenario.ts";

const ADA = {
  full_name: "Ada Lovelace",
  from_whom: "from City Power",
  amount: "of forty dollars",
  due_date: "on Friday",
};
const NOT_A_WORD_ABOUT_MONEY = { type: "not_said", contains: "payment" } as const;

export const PAYMENT_SCENARIOS: readonly NewScenario[] = [
  writeScenario("Has paid", ADA, ["Yes, speaking.", "I have already paid."], "paid", AGENT_HANGS_UP, {
    type: "said",
    contains: "a payment of forty dollars is due on Friday",
  }),
  writeScenario(
    "Promises to pay",
    ADA,
    ["Yes, speaking.", "I will pay soon.", "Tomorrow.", "Yes, that is right."],
    "promised",
    AGENT_HANGS_UP,
    {
      type: "collected",
      name: "payment_date",
    },
  ),
  writeScenario(
    "Cannot pay",
    ADA,
    ["Yes, speaking.", "I need more time.", "Tomorrow.", "Yes, that is right."],
    "requested",
    AGENT_HANGS_UP,
    { type: "collected", name: "requested_date" },
    { type: "not_reached", nodeId: "promised" },
  ),
  writeScenario("Is somebody else", ADA, ["No."], "wrong_person", AGENT_HANGS_UP, NOT_A_WORD_ABOUT_MONEY),
  writeScenario(
    "Corrects the day",
    ADA,
    ["Yes, speaking.", "I will pay soon.", "Tomorrow.", "No.", "In three days.", "Yes, that is right."],
    "promised",
    AGENT_HANGS_UP,
    { type: "collected", name: "payment_date" },
  ),
  writeScenario(
    "Is silent first",
    ADA,
    [{ silent: true }, "Yes, speaking.", "I have already paid."],
    "paid",
    AGENT_HANGS_UP,
    {
      type: "said",
      contains: "Are you still there",
    },
  ),
  writeScenario(
    "Interrupts",
    ADA,
    ["Yes, speaking.", { interruptAfterMs: 2500, say: "I have already paid." }],
    "paid",
    AGENT_HANGS_UP,
  ),
  writeScenario("Answers by keys", ADA, [{ press: "1" }, { press: "1" }], "paid", AGENT_HANGS_UP),
  ...everydayScenarios(ADA, "Please call us back").map((scenario) =>
    scenario.name === "Wants a person"
      ? scenario
      : { ...scenario, expect: [...scenario.expect, NOT_A_WORD_ABOUT_MONEY] },
  ),
];
