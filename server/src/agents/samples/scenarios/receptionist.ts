import type { NewScenario } from "@parley/contract/scenarios";
import { AGENT_HANGS_UP, everydayScenarios, writeScenario } from "./write-scenario.ts";

const HOTEL = {
  business: "Harbor Hotel",
  facts: "Breakfast is from seven to ten. Parking costs ten dollars.",
  from_whom: "from Harbor Hotel",
};

/** A model words things as it likes: what is expected of it is what it must know, do and keep. */
export const RECEPTIONIST_SCENARIOS: readonly NewScenario[] = [
  writeScenario(
    "Asks for something it knows",
    HOTEL,
    ["When is breakfast?", "Thank you, that was all I need."],
    "helped",
    AGENT_HANGS_UP,
    { type: "said", contains: "seven" },
    { type: "not_transferred" },
  ),
  writeScenario(
    "Leaves a message",
    HOTEL,
    [
      "I would like to leave a message.",
      "My name is Ada. Please hold my room. You can reach me after five.",
      "Yes, that is right.",
    ],
    "message_taken",
    AGENT_HANGS_UP,
    { type: "collected", name: "caller_name" },
    { type: "collected", name: "message" },
  ),
  writeScenario("Needs nothing", HOTEL, ["No thank you, I need nothing more."], "helped", AGENT_HANGS_UP, {
    type: "not_collected",
    name: "message",
  }),
  writeScenario(
    "Corrects the message",
    HOTEL,
    [
      "I would like to leave a message.",
      "My name is Ada. Please hold my room. You can reach me after five.",
      "No, after six.",
      "Yes, that is right.",
    ],
    "message_taken",
    AGENT_HANGS_UP,
    { type: "said", contains: "six" },
  ),
  writeScenario(
    "Is silent first",
    HOTEL,
    [{ silent: true }, "Thank you, I need nothing more."],
    "helped",
    AGENT_HANGS_UP,
    { type: "said", contains: "Are you still there" },
  ),
  writeScenario(
    "Interrupts",
    HOTEL,
    [{ interruptAfterMs: 2000, say: "When is breakfast?" }, "Thank you, I need nothing more."],
    "helped",
    AGENT_HANGS_UP,
    { type: "said", contains: "seven" },
  ),
  ...everydayScenarios(HOTEL, "Please call us back"),
];
