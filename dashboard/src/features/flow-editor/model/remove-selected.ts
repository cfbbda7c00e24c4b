import type { Flow } from "@parley/contract/flow";
import { disconnect, removeComments, removeNodes } from "./edit-flow.ts";
import { COMMENT } from "./editor-store.ts";

/** An exit by its node and its field. */
export interface ExitPlace {
  readonly nodeId: string;
  readonly exitId: string;
}

interface Removed {
  readonly flow: Flow;
  /** What was taken away, in words; null when it was nothing. */
  readonly what: string | null;
}

/** Takes away all that is selected: nodes with their lines, comments, and lines alone. */
export function removeSelected(flow: Flow, selection: readonly string[], lines: readonly ExitPlace[]): Removed {
  const comments = new Set(selection.filter((id) => id.startsWith(COMMENT)).map((id) => id.slice(COMMENT.length)));
  const nodes = new Set(selection.filter((id) => !id.startsWith(COMMENT)));
  let left = lines.reduce((now, { nodeId, exitId }) => disconnect(now, nodeId, exitId), flow);
  if (nodes.size > 0) left = removeNodes(left, nodes);
  if (comments.size > 0) left = removeComments(left, comments);
  const parts = [
    counted(nodes.size, "node", "nodes"),
    counted(comments.size, "comment", "comments"),
    nodes.size > 0 ? null : counted(lines.length, "connection", "connections"),
  ].filter((part) => part !== null);
  return { flow: left, what: parts.length > 0 ? parts.join(" and ") : null };
}

function counted(count: number, one: string, many: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
}
