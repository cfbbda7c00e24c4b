import type { Flow } from "@parley/contract/flow";
import type { FlowProblem } from "../problem.ts";

/** Each is compared with what the callee says at every question; more would be slow, and nobody could tell them apart. */
const GLOBALS_MAX = 50;

/** Finds nodes the callee could not bring the call to, or of which it could not be told which is meant. */
export function checkGlobals(flow: Flow): FlowProblem[] {
  const seen = new Map<string, string>();
  let count = 0;
  return flow.nodes.flatMap((node, index): FlowProblem[] => {
    if (!("global" in node) || node.global === undefined) return [];
    const at = { nodeId: node.id, path: `nodes[${index}].global` };
    const problems: FlowProblem[] = [];
    const refuse = (message: string) => problems.push({ ...at, code: "bad_global", message });
    count += 1;
    if (count === GLOBALS_MAX + 1) refuse(`With ${node.id} the flow has more than ${GLOBALS_MAX} global nodes.`);
    if (node.global.phrases.length === 0) {
      refuse(`The node ${node.id} is global but has no phrases, so nobody can get there.`);
    }
    if (node.global.returns === true && (node.type !== "say" || node.next !== undefined)) {
      refuse(`The node ${node.id} returns to the question that was open; only a say without next can do that.`);
    }
    for (const [place, phrase] of node.global.phrases.entries()) {
      const plain = phrase.trim().replaceAll(/\s+/g, " ").toLowerCase();
      const other = seen.get(plain);
      if (other === undefined) seen.set(plain, node.id);
      else if (other !== node.id) {
        const message = `The global nodes ${other} and ${node.id} both have the phrase "${phrase}".`;
        problems.push({ nodeId: node.id, code: "duplicate_phrase", path: `${at.path}.phrases[${place}]`, message });
      }
    }
    return problems;
  });
}
