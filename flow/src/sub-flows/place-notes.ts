import type { Flow } from "@parley/contract/flow";
import type { FlowProblem, FlowWarning } from "../problem.ts";
import { type ExpandedFlow, inputOffset } from "./expand-flow.ts";
import { innerName } from "./sub-flow.ts";

/** The problems of an expanded flow, at the nodes of the document that they concern. */
export function placeProblems(document: Flow, expanded: ExpandedFlow, problems: readonly FlowProblem[]): FlowProblem[] {
  const open = document.nodes.flatMap(({ id, type }, index) =>
    type === "subflow" && expanded.flow.nodes[index]?.type === "subflow" ? [id] : [],
  );
  return problems
    .filter((problem) => !isConsequence(problem, open))
    .map((problem): FlowProblem => {
      const at = ownerOf(document, expanded, problem);
      if (at === null) return placeInput(document, problem);
      const message = `In the sub-flow of ${at.nodeId}: ${problem.message}`;
      return {
        ...at,
        code: "sub_flow_conflict",
        message,
        parts: { ...problem.parts, mistake: problem.message, code: problem.code },
      };
    });
}

/** Warnings about a sub-flow that concern those who use it. Others are shown where it is edited. */
const CONCERNS_USERS: ReadonlySet<FlowWarning["code"]> = new Set([
  "no_model",
  "unknown_model",
  "loop_without_question",
  "untranslated_text",
]);

/** The warnings about an expanded flow, at the nodes of the document that they concern: each once for a sub-flow. */
export function placeWarnings(document: Flow, expanded: ExpandedFlow, warnings: readonly FlowWarning[]): FlowWarning[] {
  const seen = new Set<string>();
  return warnings.flatMap((warning): FlowWarning[] => {
    if (warning.code === "unused_tool" && !isToolOf(document, warning.path)) return [];
    const at = ownerOf(document, expanded, warning);
    if (at === null) return [warning];
    const key = `${warning.code} ${at.path}`;
    if (!CONCERNS_USERS.has(warning.code) || seen.has(key)) return [];
    seen.add(key);
    return [{ ...warning, ...at, message: `In the sub-flow of ${at.nodeId}: ${warning.message}` }];
  });
}

/** The place in the document of something inside a sub-flow; null for anything else. */
function ownerOf(document: Flow, { owners }: ExpandedFlow, { nodeId, path }: Pick<FlowProblem, "nodeId" | "path">) {
  const owner = nodeId === null ? undefined : owners.get(nodeId);
  if (owner === undefined) return null;
  const index = document.nodes.findIndex(({ id }) => id === owner);
  return { nodeId: owner, path: path.startsWith("nodes[") ? `nodes[${index}]` : path };
}

function isToolOf({ tools = [] }: Flow, path: string): boolean {
  return Number(/^tools\[(\d+)\]/.exec(path)?.[1]) < tools.length;
}

/** Values of a sub-flow that could not be written into the flow are missing because of that alone. */
function isConsequence({ code, parts }: FlowProblem, open: readonly string[]): boolean {
  if (code !== "undeclared_variable" && code !== "collected_later") return false;
  return open.some((id) => parts?.["name"]?.startsWith(innerName(id, "")) === true);
}

/** The `set` in the place of a sub-flow has its inputs. */
function placeInput(document: Flow, problem: FlowProblem): FlowProblem {
  const [, index = "", place = ""] = /^nodes\[(\d+)\]\.values(?:\[(\d+)\]\.value)?$/.exec(problem.path) ?? [];
  const node = document.nodes[Number(index)];
  if (index === "" || node?.type !== "subflow") return problem;
  const input = place === "" ? undefined : node.inputs?.[Number(place)];
  if (input === undefined) {
    const message = `The sub-flow of ${node.id} does nothing.`;
    return { ...problem, code: "sub_flow_conflict", path: `nodes[${index}]`, message, parts: { mistake: message } };
  }
  const message = problem.message.replace(
    /^The value (\d+) of (\S+) is wrong at character (\d+)/,
    (_, number: string, id: string, at: string) =>
      `The input ${number} of ${id} is wrong at character ${Math.max(1, Number(at) - inputOffset(input.value))}`,
  );
  const parts = { ...problem.parts, text: input.value };
  return { ...problem, path: `nodes[${index}].inputs[${place}].value`, message, parts };
}
