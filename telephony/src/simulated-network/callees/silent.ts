import type { CalleeMachine } from "./callee-machine.ts";

/** Somebody who answered and says nothing, for as long as it takes. */
export function silent(): CalleeMachine<null> {
  return { lines: [], begin: () => null, step: () => [null, []] };
}
