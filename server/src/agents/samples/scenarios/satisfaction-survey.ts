import type { NewScenario } from "@parley/contract/scenarios";
import { AGENT_HANGS_UP, everydayScenarios, writeScenario } from "./write-scenario.ts";

const ADA = { first_name: "Ada", from_whom: "from Harbor Hotel", subject: "about your stay last week" };

export const SURVEY_SCENARIOS: readonly NewScenario[] = [
  writeScenario(
    "Is satisfied",
    ADA,
    ["Yes, of course.", "Five.", "The people were very friendly.", "Yes, I would."],
    "answered",
    AGENT_HANGS_UP,
    { type: "collected", name: "rating", equals: 5 },
    { type: "collected", name: "reason" },
    { type: "collected", name: "would_recommend", equals: true },
    { type: "not_reached", nodeId: "call_back" },
  ),
  writeScenario(
    "Is not satisfied",
    ADA,
    [
      "Yes, of course.",
      "Two.",
      "The food was cold and nobody came when we called.",
      "Yes, please.",
      "No, I would not.",
    ],
    "answered",
    AGENT_HANGS_UP,
    { type: "collected", name: "rating", equals: 2 },
    { type: "collected", name: "call_back", equals: true },
    { type: "collected", name: "would_recommend", equals: false },
    { type: "said", contains: "I am sorry to hear that" },
  ),
  writeScenario(
    "Does not want to answer",
    ADA,
    ["No, thank you."],
    "refused",
    AGENT_HANGS_UP,
    { type: "not_reached", nodeId: "rating" },
    { type: "not_suppressed" },
  ),
  writeScenario(
    "Corrects the rating",
    ADA,
    ["Yes.", "Three, no, four.", "The breakfast.", "Yes."],
    "answered",
    AGENT_HANGS_UP,
    { type: "collected", name: "rating", equals: 4 },
    { type: "reached", nodeId: "what_was_good" },
  ),
  writeScenario("Is silent first", ADA, [{ silent: true }, "No, thank you."], "refused", AGENT_HANGS_UP, {
    type: "said",
    contains: "Are you still there",
  }),
  writeScenario(
    "Interrupts",
    ADA,
    [{ interruptAfterMs: 3000, say: "I have no time now. Please call me later." }],
    "not_now",
    AGENT_HANGS_UP,
  ),
  writeScenario(
    "Rates by a key",
    ADA,
    ["Yes, of course.", { press: "5" }, "The people were very friendly.", "Yes, I would."],
    "answered",
    AGENT_HANGS_UP,
    { type: "collected", name: "rating", equals: 5 },
  ),
  ...everydayScenarios(ADA, "We wanted to ask you three short questions"),
];
