import type { Flow, FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import type { Expression } from "./expression/expression.ts";
import { namesIn } from "./expression/expression.ts";
import { isListening, neighboursOf, reachableFrom } from "./graph.ts";
import { placeholderNames } from "./placeholders.ts";
import type { FlowWarning } from "./problem.ts";
import { textsOfFlow } from "./texts.ts";

/** Whether a call at this node asks a language model, if there is one. */
export function usesModel(node: FlowNode): boolean {
  return node.type === "conversation" || (node.type === "branch" && (node.prompts ?? []).length > 0);
}

/** Whether a call at this node requires a language model. */
export function needsModel(node: FlowNode): boolean {
  return usesModel(node) && !(node.type === "conversation" && node.optional === true);
}

/** One warning for each node that cannot work without a language model, or will not get the one it requests. */
export function warnOfModels(flow: Flow, configured: readonly string[]): FlowWarning[] {
  return flow.nodes.flatMap((node, index): FlowWarning[] => {
    if (!usesModel(node)) return [];
    const [first] = configured;
    if (first === undefined) {
      if (!needsModel(node)) return [];
      const message = `The node ${node.id} needs a language model, and none is configured; until one is, calls cannot use this agent.`;
      return [{ code: "no_model", nodeId: node.id, path: `nodes[${index}]`, message }];
    }
    const requested = "model" in node ? node.model : undefined;
    if (requested === undefined || configured.includes(requested)) return [];
    const message = `The node ${node.id} wants the language model ${requested}, which is not configured; calls ask ${first} in its place.`;
    const parts = { requested, used: first };
    return [{ code: "unknown_model", nodeId: node.id, path: `nodes[${index}].model`, message, parts }];
  });
}

/** Finds questions whose answers are not used, and answers that take the same exit as those that were not understood. */
export function warnOfAnswers(flow: Flow): FlowWarning[] {
  return flow.nodes.flatMap((node, index): FlowWarning[] => {
    const found = node.type === "ask" ? explain(node) : null;
    return found === null ? [] : [{ code: "missing_answer", nodeId: node.id, path: `nodes[${index}].exits`, ...found }];
  });
}

function explain({ id, answer, exits, next, saveAs }: AskNode): Pick<FlowWarning, "message" | "parts"> | null {
  if (next !== undefined) return null;
  if (exits.length === 0 && saveAs === undefined) {
    const message = `The node ${id} asks, and neither keeps the answer nor goes on by it; give it exits, or a name to save the answer under.`;
    return { message };
  }
  // A value that is only saved may take one exit; choices are their exits, and leave none out.
  if (exits.length === 0 || answer !== "yes_no") return null;
  const given = new Set(exits.map(({ when }) => when.trim().toLowerCase()));
  const missing = ["yes", "no"].find((word) => !given.has(word));
  if (missing === undefined) return null;
  const message = `The node ${id} has no exit for ${missing}; such an answer takes otherwise, like one that was not understood.`;
  return { message, parts: { missing } };
}

/**
 * Finds loops in which the callee is never asked, such as a request that is retried whenever it fails. One warning for
 * each loop, at its first node. Loops with no way out, or in which nothing happens, are problems and found elsewhere.
 */
export function warnOfLoops(flow: Flow): FlowWarning[] {
  const passing = flow.nodes.filter((node) => !isListening(node));
  const { after } = neighboursOf(passing);
  const reported = new Set<string>();
  return flow.nodes.flatMap((node, index): FlowWarning[] => {
    if (!mayWait(node) || reported.has(node.id)) return [];
    const onwards = reachableFrom(after.get(node.id) ?? [], after);
    if (!onwards.has(node.id)) return [];
    for (const { id } of passing) {
      if (onwards.has(id) && reachableFrom(after.get(id) ?? [], after).has(node.id)) reported.add(id);
    }
    const message = `From the node ${node.id} a call can come back to it without the callee being asked anything, again and again; ask something on the way, or count the attempts.`;
    return [{ code: "loop_without_question", nodeId: node.id, path: `nodes[${index}]`, message }];
  });
}

/**
 * Finds out whether calls end on callees who are not understood in any retry, without a person or a callback for them. One warning, at
 * the settings that decide it. An agent that rules one of them out has decided.
 */
export function warnOfLostCallees(flow: Flow): FlowWarning[] {
  const { settings } = flow;
  const { offer, redial } = settings?.callback ?? {};
  if (settings?.connectAfterFailures !== undefined || offer !== undefined || redial === true) return [];
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const lost = flow.nodes.find(
    (node) =>
      node.type === "ask" && ((node.retries ?? settings?.retries)?.max ?? 0) > 0 && endsSilently(nodes, node.otherwise),
  );
  if (lost === undefined) return [];
  const message = `A callee who is not understood at the node ${lost.id}, or at one like it, is offered neither a callback nor a person before the call ends; set callback.offer or connectAfterFailures, to false if the flow is meant so.`;
  return [{ code: "nothing_offered", nodeId: null, path: "settings.callback", message, parts: { node: lost.id } }];
}

/** Whether nothing is asked, requested or dialed from a node to the end of the call. */
function endsSilently(nodes: ReadonlyMap<string, FlowNode>, firstId: string | undefined): boolean {
  const seen = new Set<string>();
  for (let id = firstId; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const node = nodes.get(id);
    if (node?.type === "end") return true;
    id = node?.type === "say" || node?.type === "set" ? node.next : undefined;
  }
  return false;
}

/** Whether a loop through it depends on others, and not on the flow alone. */
function mayWait({ type }: FlowNode): boolean {
  return type === "tool" || type === "transfer";
}

/** What is declared and never used is most likely misspelled where it should be used. */
export function warnOfUnused(flow: Flow, expressions: readonly Expression[]): FlowWarning[] {
  const used = new Set([
    ...textsOfFlow(flow).flatMap(({ text }) => placeholderNames(text)),
    ...expressions.flatMap((expression) => [...namesIn(expression)].map((path) => path.replace(/^variables\./, ""))),
  ]);
  const variables = flow.variables.flatMap((name, index): FlowWarning[] => {
    const message = `The variable ${name} is declared, and nothing in the flow uses it.`;
    const path = `variables[${index}]`;
    return used.has(name) ? [] : [{ code: "unused_variable", nodeId: null, path, message, parts: { name } }];
  });
  const offered = new Set(flow.nodes.flatMap((node) => (node.type === "conversation" ? (node.tools ?? []) : [])));
  const tools = (flow.tools ?? []).flatMap(({ name }, index): FlowWarning[] => {
    const message = `No conversation node lists the tool ${name}, so no model can use it.`;
    const path = `tools[${index}]`;
    return offered.has(name) ? [] : [{ code: "unused_tool", nodeId: null, path, message, parts: { name } }];
  });
  return [...variables, ...tools];
}
