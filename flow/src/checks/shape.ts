import type { Flow } from "@parley/contract/flow";
import { edgesOf, entriesOf, isFinal, neighboursOf, reachableFrom } from "../graph.ts";
import type { FlowProblem } from "../problem.ts";

/** Finds what keeps the nodes from forming a graph: the start, the ids, and the references. */
export function checkReferences(flow: Flow): FlowProblem[] {
  const ids = new Set(flow.nodes.map((node) => node.id));
  const dangling = flow.nodes.flatMap((node, index) =>
    edgesOf(node)
      .filter(({ to }) => to === undefined || !ids.has(to))
      .map(({ to, field }): FlowProblem => {
        const at = { nodeId: node.id, path: `nodes[${index}].${field}` };
        return to === undefined
          ? {
              ...at,
              code: "leads_nowhere",
              message: `The node ${node.id} does not say in ${field} where the call goes on.`,
            }
          : {
              ...at,
              code: "unknown_node",
              parts: { to },
              message: `The node ${node.id} leads to "${to}", and there is no such node.`,
            };
      }),
  );
  return [...checkStart(flow), ...checkIds(flow), ...dangling, ...checkMenu(flow, ids)];
}

function checkStart(flow: Flow): FlowProblem[] {
  const starts = flow.nodes.flatMap((node, index) => (node.type === "start" ? [{ node, index }] : []));
  const [first, ...others] = starts;
  if (!first) {
    const message = "The flow has no start node; add one that leads to the first thing the agent says.";
    return [{ code: "no_start", nodeId: null, path: "nodes", message }];
  }
  return others.map(({ node, index }) => ({
    code: "many_starts",
    nodeId: node.id,
    path: `nodes[${index}]`,
    parts: { first: first.node.id },
    message: `The node ${node.id} is a second start; the call already begins at ${first.node.id}.`,
  }));
}

function checkIds(flow: Flow): FlowProblem[] {
  const seen = new Set<string>();
  return flow.nodes.flatMap((node, index): FlowProblem[] => {
    if (!seen.has(node.id)) {
      seen.add(node.id);
      return [];
    }
    const message = `Two nodes have the id ${node.id}; give one of them another.`;
    return [{ code: "duplicate_id", nodeId: node.id, path: `nodes[${index}].id`, message }];
  });
}

function checkMenu({ settings }: Flow, ids: ReadonlySet<string>): FlowProblem[] {
  const to = settings?.phoneMenu;
  if (to === undefined || ids.has(to)) return [];
  const message = `For a phone menu the settings lead to "${to}", and there is no such node.`;
  return [{ code: "unknown_node", nodeId: null, path: "settings.phoneMenu", message, parts: { to } }];
}

/** Finds what cannot be said to a voicemail: two messages, or none if one is required. */
export function checkVoicemail({ nodes, settings }: Flow): FlowProblem[] {
  const messages = nodes.flatMap((node, index) => (node.type === "voicemail" ? [{ node, index }] : []));
  const [first, ...others] = messages;
  if (first === undefined && settings?.voicemail === "leave_message") {
    const message = "The settings ask for a message on a voicemail, but the flow has no voicemail node that holds it.";
    return [{ code: "no_voicemail", nodeId: null, path: "settings.voicemail", message }];
  }
  return others.map(({ node, index }) => ({
    code: "many_voicemails",
    nodeId: node.id,
    path: `nodes[${index}]`,
    message: `The node ${node.id} is a second message for a voicemail; ${first?.node.id} already holds one.`,
  }));
}

/** Finds nodes a call never reaches, and nodes from which it never ends. Requires a flow with valid references. */
export function checkPaths(flow: Flow): FlowProblem[] {
  const { after, before } = neighboursOf(flow.nodes);
  const visited = reachableFrom(entriesOf(flow), after);
  const finals = flow.nodes.filter(isFinal).map(({ id }) => id);
  const finishing = reachableFrom(finals, before);
  return flow.nodes.flatMap((node, index): FlowProblem[] => {
    const at = { nodeId: node.id, path: `nodes[${index}]` };
    if (!visited.has(node.id)) {
      return [
        { ...at, code: "unreachable", message: `No call ever comes to the node ${node.id}; nothing leads there.` },
      ];
    }
    if (!finishing.has(node.id)) {
      const message = `From the node ${node.id} a call never comes to an end node; it would go round for ever.`;
      return [{ ...at, code: "no_way_to_end", message }];
    }
    return [];
  });
}

/** Each is compared with what the callee says at every question; more would be slow and indistinguishable. */
const GLOBALS_MAX = 50;

/** Finds global nodes that the callee cannot reach, and phrases that are ambiguous between two of them. */
export function checkGlobals(flow: Flow): FlowProblem[] {
  const seen = new Map<string, string>();
  let count = 0;
  return flow.nodes.flatMap((node, index): FlowProblem[] => {
    if (!("global" in node) || node.global === undefined) return [];
    const at = { nodeId: node.id, path: `nodes[${index}].global` };
    const problems: FlowProblem[] = [];
    const refuse = (reason: string, message: string) =>
      problems.push({ ...at, code: "bad_global", message, parts: { reason } });
    count += 1;
    if (count === GLOBALS_MAX + 1)
      refuse("too_many", `With ${node.id} the flow has more than ${GLOBALS_MAX} global nodes.`);
    if (node.global.phrases.length === 0) {
      refuse("no_phrases", `The node ${node.id} is global but has no phrases, so it can never be reached.`);
    }
    if (node.global.returns === true && (node.type !== "say" || node.next !== undefined)) {
      refuse(
        "returns",
        `The node ${node.id} returns to the question that was open; only a say without next can do that.`,
      );
    }
    for (const [place, phrase] of node.global.phrases.entries()) {
      const plain = phrase.trim().replaceAll(/\s+/g, " ").toLowerCase();
      const other = seen.get(plain);
      if (other === undefined) seen.set(plain, node.id);
      else if (other !== node.id) {
        const message = `The global nodes ${other} and ${node.id} both have the phrase "${phrase}".`;
        const path = `${at.path}.phrases[${place}]`;
        problems.push({ nodeId: node.id, code: "duplicate_phrase", path, message, parts: { other, phrase } });
      }
    }
    return problems;
  });
}

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
