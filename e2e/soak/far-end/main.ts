import { caseOf } from "../call-cases.ts";
import { openScriptedFarEnd } from "./far-end.ts";

// The far ends of a soak test in their own process, so that their resources are not counted as ours. Reports to its
// parent where it listens, and on any message the results of its scripts.
const farEnd = await openScriptedFarEnd((number) => {
  const { name, plays } = caseOf(number);
  return { name, play: plays };
});
process.on("message", () => process.send?.({ completed: farEnd.completed, complaints: farEnd.complaints }));
process.on("disconnect", () => process.exit(0));
process.send?.({ port: farEnd.port });
