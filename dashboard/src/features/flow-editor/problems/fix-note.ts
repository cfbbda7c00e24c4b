import type { Flow } from "@parley/contract/flow";
import type { FlowProblem, FlowWarning } from "@parley/flow/problem";
import { readPath } from "../fields/field-paths.ts";
import { addNode, addNodeAfter, connect, removeNodes, renameNode } from "../model/edit-flow.ts";
import { exitsOf } from "../model/exits.ts";
import type { NoteFix } from "../model/flow-notes.ts";
import { freeId } from "../model/new-node.ts";
import { subFlowsText } from "../sub-flows/text.ts";
import { problemsText } from "./text.ts";

type Found = FlowProblem | FlowWarning;

/** What one click can do about a finding, if its cure is not a matter of words. */
export function fixFor(found: Found): NoteFix | null {
  const { code, nodeId, path } = found;
  const part = found.parts ?? {};
  const edit = (label: string, apply: (flow: Flow) => Flow): NoteFix => ({ kind: "edit", label, apply });
  const removal = () => edit(problemsText.fixDeleteNode, (now) => removeNodes(now, new Set([nodeId ?? ""])));
  switch (code) {
    case "no_start":
      return edit(problemsText.fixAddStart, addStart);
    case "many_starts":
    case "many_voicemails":
    case "unreachable":
      return removal();
    case "leads_nowhere":
    case "unknown_node":
      return nodeId === null
        ? null
        : { kind: "connect", label: problemsText.fixConnect, nodeId, exitId: path.replace(/^nodes\[\d+\]\./, "") };
    case "duplicate_id":
      return edit(problemsText.fixChangeId, (now) => renameSecond(now, path));
    case "undeclared_variable": {
      const { name } = part;
      return name === undefined
        ? null
        : edit(problemsText.fixAddVariable, (now) =>
            now.variables.includes(name) ? now : { ...now, variables: [...now.variables, name] },
          );
    }
    case "no_voicemail":
      return edit(problemsText.fixAddVoicemail, (now) => addNode(now, "voicemail", placeBelow(now)).flow);
    case "exit_does_not_fit":
    case "duplicate_exit":
      return edit(problemsText.fixDeleteAnswer, (now) => withoutAt(now, path.replace(/\.when$/, "")));
    case "duplicate_key":
      return edit(problemsText.fixRemoveKey, (now) => withoutAt(now, path));
    case "duplicate_phrase":
      return edit(problemsText.fixRemoveHere, (now) => withoutAt(now, path));
    case "field_does_not_fit":
      return part["field"] === undefined || path.endsWith(".exits")
        ? null
        : edit(problemsText.fixRemove, (now) => withoutAt(now, path));
    case "bad_group":
      return part["reason"] === "id" ? null : edit(problemsText.fixRemove, (now) => withoutAt(now, path));
    case "unknown_exit":
    case "unknown_input":
    case "unknown_output":
      return edit(subFlowsText.removeIt, (now) => withoutAt(now, path.replace(/\.(when|name)$/, "")));
    case "missing_exit":
      return edit(subFlowsText.addExit, (now) => addAnswer(now, nodeId, part["exit"] ?? ""));
    case "unknown_tool":
      return edit(problemsText.fixRemoveTool, (now) => withoutAt(now, path));
    case "unknown_model":
      return edit(problemsText.fixDefaultModel, (now) => withoutAt(now, path));
    case "unused_variable":
      return edit(problemsText.fixRemove, (now) => withoutAt(now, path));
    case "unused_tool":
      return edit(problemsText.fixDeleteTool, (now) => withoutAt(now, path));
    case "nothing_offered":
      return edit(problemsText.fixOfferCallback, (now) => ({
        ...now,
        settings: { ...now.settings, callback: { ...now.settings?.callback, offer: true } },
      }));
    case "missing_answer": {
      const { missing } = part;
      return missing === undefined
        ? null
        : edit(problemsText.fixAddAnswer(missing), (now) => addAnswer(now, nodeId, missing));
    }
    default:
      return null;
  }
}

/** A start before the first node that nothing leads to. */
function addStart(flow: Flow): Flow {
  const reached = new Set(flow.nodes.flatMap((node) => exitsOf(node).map(({ to }) => to)));
  const first = flow.nodes.find(({ id, type }) => !reached.has(id) && type !== "voicemail") ?? flow.nodes[0];
  if (!first) {
    const start = addNode(flow, "start", { x: 0, y: 0 });
    return addNodeAfter(start.flow, "say", { x: 360, y: 0 }, start.id, "next").flow;
  }
  const { x, y } = first.position ?? { x: 0, y: 0 };
  const start = addNode(flow, "start", { x: x - 360, y });
  return connect(start.flow, start.id, "next", first.id);
}

function placeBelow({ nodes }: Flow): { x: number; y: number } {
  const places = nodes.map(({ position }) => position ?? { x: 0, y: 0 });
  return {
    x: Math.min(0, ...places.map(({ x }) => x)),
    y: Math.max(0, ...places.map(({ y }) => y)) + 240,
  };
}

/** The second of two nodes with one id; what leads to the id keeps leading to the first. */
function renameSecond(flow: Flow, path: string): Flow {
  const index = Number(/^nodes\[(\d+)\]/.exec(path)?.[1]);
  const node = flow.nodes[index];
  if (!node) return flow;
  const id = freeId(flow, node.id);
  if (flow.nodes.filter((each) => each.id === node.id).length < 2) return renameNode(flow, node.id, id) ?? flow;
  return { ...flow, nodes: flow.nodes.with(index, { ...node, id }) };
}

function addAnswer(flow: Flow, nodeId: string | null, when: string): Flow {
  const nodes = flow.nodes.map((node) =>
    node.id === nodeId && (node.type === "ask" || node.type === "subflow")
      ? { ...node, exits: [...node.exits, { when }] }
      : node,
  );
  return { ...flow, nodes };
}

/** The document without what stands at a path such as `nodes[2].exits[0]`. */
function withoutAt(flow: Flow, path: string): Flow {
  return without(flow, readPath(path)) as Flow;
}

function without(value: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  if (step === undefined || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const index = Number(step);
    if (index >= value.length) return value;
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, without(value[index], rest));
  }
  const { [step]: old, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...value, [step]: without(old, rest) };
}
