import type { NewScenario } from "@parley/contract/scenarios";
import { AGENT_HANGS_UP, everydayScenarios, writeScenario } from "./write-scenario.ts";

const ADA = {
  first_name: "Ada",
  from_whom: "from Swift Parcels",
  parcel: "with your new lamp",
  delivery_time: "tomorrow between nine and noon",
};

export const DELIVERY_SCENARIOS: readonly NewScenario[] = [
  writeScenario("Somebody is in", ADA, ["Yes, someone will be there."], "as_planned", AGENT_HANGS_UP, {
    type: "said",
    contains: "the driver will ring at your door",
  }),
  writeScenario(
    "Nobody is in",
    ADA,
    ["No, nobody will be home.", "At the door, please."],
    "at_the_door",
    AGENT_HANGS_UP,
    { type: "collected", name: "someone_home", equals: false },
    { type: "not_reached", nodeId: "as_planned" },
  ),
  writeScenario(
    "Leaves it with a neighbor",
    ADA,
    ["No, nobody will be home.", "With a neighbor, please.", "Mrs. Brown, next door."],
    "with_neighbor",
    AGENT_HANGS_UP,
    { type: "collected", name: "neighbor_name" },
  ),
  writeScenario(
    "Corrects the day",
    ADA,
    [
      "No, nobody will be home.",
      "Please bring it another day.",
      "Tomorrow.",
      "No.",
      "In three days.",
      "Yes, that is right.",
    ],
    "on_another_day",
    AGENT_HANGS_UP,
    { type: "said", contains: "So we come on" },
    { type: "collected", name: "delivery_date" },
  ),
  writeScenario(
    "Is silent first",
    ADA,
    [{ silent: true }, "Yes, someone will be there."],
    "as_planned",
    AGENT_HANGS_UP,
    {
      type: "said",
      contains: "Are you still there",
    },
  ),
  writeScenario(
    "Interrupts",
    ADA,
    [{ interruptAfterMs: 4000, say: "Yes, someone will be there." }],
    "as_planned",
    AGENT_HANGS_UP,
  ),
  writeScenario("Answers by keys", ADA, [{ press: "2" }, { press: "2" }], "at_the_door", AGENT_HANGS_UP),
  ...everydayScenarios(ADA, "Your parcel with your new lamp will be delivered"),
];
