import { meaningsOfExits } from "../answers/read-choice.ts";
import type { CallScope } from "../call-scope.ts";
import { meaningsOfGlobals } from "./find-global.ts";

/** Every phrase that what a callee says may be compared with during this call. */
export function phrasesToRank(scope: CallScope): readonly string[] {
  const exits = [...scope.plan.nodes.values()].flatMap((node) => (node.type === "ask" ? meaningsOfExits(node) : []));
  return [...new Set([...exits, ...meaningsOfGlobals(scope)].flatMap(({ phrases }) => phrases))];
}
