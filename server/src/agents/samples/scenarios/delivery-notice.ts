import type { NewScenario } from "@parley/contract/scenarios";
import { AGENT_HANGS_UP, everydayScenarios, writeScenario } from "./write-scenario.ts";

const ADA = {
  first_name: "Ada",
  from_whom: "from Swift Parcels",
  parcel: "with your new lamp",
  delivery_time: "tomorrow between nine and noon",
};

export const DELIVERY_SCENARIOS: readonly NewScenario[] = [
  writeScenario("Somebody is in", ADA, ["Yes, I will be home."], "as_planned", AGENT_HANGS_UP, {
    type: "said",
    contains: "the driver will ring at your door",
  }),
  writeScenario(
    "Nobody is in",
    ADA,
    ["No, nobody is home.", "At the door."],
    "at_the_door",
    AGENT_HANGS_UP,
    { type: "collected", name: "someone_home", equals: false },
    { type: "not_reached", nodeId: "as_planned" },
  ),
  writeScenario(
    "Leaves it with a neighbor",
    ADA,
    ["No.", "With the neighbor.", "Mister Miller next door."],
    "with_neighbor",
    AGENT_HANGS_UP,
    { type: "collected", name: "neighbor_name" },
  ),
  writeScenario(
    "Corrects the day",
    ADA,
    ["No.", "Another day.", "Tomorrow.", "No.", "In three days.", "Yes."],
    "on_another_day",
    AGENT_HANGS_UP,
    { type: "said", contains: "So we come on" },
    { type: "collected", name: "delivery_date" },
  ),
  writeScenario("Is silent first", ADA, [{ silent: true }, "Yes, I will be home."], "as_planned", AGENT_HANGS_UP, {
    type: "said",
    contains: "Are you still there",
  }),
  writeScenario(
    "Interrupts",
    ADA,
    [{ interruptAfterMs: 4000, say: "Yes, I will be home." }],
    "as_planned",
    AGENT_HANGS_UP,
  ),
  writeScenario("Answers by keys", ADA, [{ press: "2" }, { press: "2" }], "at_the_door", AGENT_HANGS_UP),
  ...everydayScenarios(ADA, "Your parcel with your new lamp will be delivered"),
];
