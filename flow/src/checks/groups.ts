import type { Flow } from "@parley/contract/flow";
import type { FlowProblem } from "../problem.ts";

/** Finds groups that the canvas cannot draw: ids that are taken, and nodes that do not exist or have another group. */
export function checkGroups({ nodes, groups = [] }: Flow): FlowProblem[] {
  const known = new Set(nodes.map(({ id }) => id));
  const ids = new Set<string>();
  const grouped = new Map<string, string>();
  return groups.flatMap(({ id, name, nodeIds }, index): FlowProblem[] => {
    const refuse = (reason: string, field: string, message: string, node = ""): FlowProblem => ({
      code: "bad_group",
      nodeId: null,
      path: `groups[${index}].${field}`,
      message,
      parts: { reason, group: name, node },
    });
    const found: FlowProblem[] = [];
    if (ids.has(id)) found.push(refuse("id", "id", `Two groups have the id ${id}; give one of them another.`));
    ids.add(id);
    for (const [place, nodeId] of nodeIds.entries()) {
      const field = `nodeIds[${place}]`;
      const other = grouped.get(nodeId);
      if (!known.has(nodeId)) {
        const message = `The group ${id} has the node "${nodeId}", and there is no such node.`;
        found.push(refuse("unknown", field, message, nodeId));
      } else if (other !== undefined) {
        const message = `The node ${nodeId} is listed in the group ${id}, and already in ${other}.`;
        found.push(refuse("twice", field, message, nodeId));
      } else grouped.set(nodeId, id);
    }
    return found;
  });
}
