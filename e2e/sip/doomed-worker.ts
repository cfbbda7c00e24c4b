import { openLine } from "./open-line.ts";
import type { TrunkPlan } from "./trunk-to.ts";

// A worker that places one call and waits to be killed. It receives the trunk to use, and sends its parent everything
// that the journal of the call would know by then.
export interface DoomedOrder {
  readonly sipPort: number;
  readonly trunkPort: number;
  readonly plan: TrunkPlan;
  readonly until: "ringing" | "answered";
}

process.once("message", async ({ sipPort, trunkPort, plan, until }: DoomedOrder) => {
  const line = await openLine({ sipPort });
  const trunk = line.addTrunk(trunkPort, plan);
  const { callId, dialId, journal, ...placed } = await line.place();
  await placed.until(until);
  const record = (journal.answers[0] ?? journal.attempts[0])?.record;
  process.send?.({ callId, dialId, trunkId: trunk.id, record });
});
process.on("disconnect", () => process.exit(1));
