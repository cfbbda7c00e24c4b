import type { NewScenario } from "@parley/contract/scenarios";
import { AGENT_HANGS_UP, everydayScenarios, writeScenario } from "./write-scenario.ts";

const ADA = { first_name: "Ada", from_whom: "from Green Street Dental", appointment_time: "on Tuesday at ten" };

export const APPOINTMENT_SCENARIOS: readonly NewScenario[] = [
  writeScenario("Will come", ADA, ["Yes, I will come."], "confirmed", AGENT_HANGS_UP, {
    type: "said",
    contains: "your appointment is confirmed",
  }),
  writeScenario(
    "Moves it to another day",
    ADA,
    ["I would like to come another day.", "Tomorrow.", "At half past two.", "Yes, that is right."],
    "moved",
    AGENT_HANGS_UP,
    { type: "collected", name: "new_date" },
    { type: "collected", name: "new_time", equals: "14:30" },
    { type: "not_reached", nodeId: "canceled" },
  ),
  writeScenario(
    "Cancels",
    ADA,
    ["I would like to cancel.", "Yes, please cancel it."],
    "canceled",
    AGENT_HANGS_UP,
    { type: "reached", nodeId: "really_cancel" },
    { type: "said", contains: "Your appointment is canceled" },
  ),
  writeScenario(
    "Corrects the time",
    ADA,
    [
      "I would like to come another day.",
      "Tomorrow.",
      "At half past two.",
      "No.",
      "Tomorrow.",
      "At three in the afternoon.",
      "Yes, that is right.",
    ],
    "moved",
    AGENT_HANGS_UP,
    { type: "said", contains: "So you would like to come on" },
    { type: "collected", name: "new_time", equals: "15:00" },
  ),
  writeScenario("Is silent first", ADA, [{ silent: true }, "Yes, I will come."], "confirmed", AGENT_HANGS_UP, {
    type: "said",
    contains: "Are you still there",
  }),
  writeScenario("Interrupts", ADA, [{ interruptAfterMs: 3000, say: "Yes, I will come." }], "confirmed", AGENT_HANGS_UP),
  writeScenario("Presses a key", ADA, [{ press: "1" }], "confirmed", AGENT_HANGS_UP),
  ...everydayScenarios(ADA, "If you cannot come, please call us back"),
];
