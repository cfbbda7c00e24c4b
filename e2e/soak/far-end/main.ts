import { fateOf } from "../fates.ts";
import { openScriptedFarEnd } from "./far-end.ts";

// The other ends of a soak in a process of their own, so that what they hold is not counted among what we hold. Speaks
// with its parent: it says where it listens, and on any message what became of its scripts.
const farEnd = await openScriptedFarEnd((number) => {
  const { name, plays } = fateOf(number);
  return { name, play: plays };
});
process.on("message", () => process.send?.({ completed: farEnd.completed, complaints: farEnd.complaints }));
process.on("disconnect", () => process.exit(0));
process.send?.({ port: farEnd.port });
