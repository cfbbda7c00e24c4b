import type { Flow } from "@parley/contract/flow";
import type { FlowRequest } from "@parley/contract/flow-request";
import { parsePath } from "../json-path.ts";
import type { FlowProblem, NoteParts } from "../problem.ts";

/** These are set by the HTTP client; RFC 9110 sections 7.2, 7.6 and 8.6. */
const OWN_HEADERS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "proxy-authorization",
  "proxy-connection",
  "keep-alive",
  "expect",
  "content-type",
  "idempotency-key",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
]);

/** Finds requests that could never be sent, and paths in their replies that could never be found. */
export function checkRequests(flow: Flow): FlowProblem[] {
  const ofNodes = flow.nodes.flatMap((node, index): FlowProblem[] => {
    if (node.type !== "tool") return [];
    const path = `nodes[${index}]`;
    const paths = (node.saves ?? []).flatMap((saved, place): FlowProblem[] => {
      if (parsePath(saved.path) !== null) return [];
      const message = `The node ${node.id} saves "${saved.path}"; write a place such as slots[0].start, or $ for all of it.`;
      const parts = { path: saved.path };
      return [{ code: "bad_path", nodeId: node.id, path: `${path}.saves[${place}].path`, message, parts }];
    });
    return [...checkRequest(node.request, node.id, `${path}.request`, `The node ${node.id}`), ...paths];
  });
  return [...ofNodes, ...checkTools(flow)];
}

function checkTools(flow: Flow): FlowProblem[] {
  const tools = flow.tools ?? [];
  const seen = new Set<string>();
  const problems = tools.flatMap(({ name, request, parameters = [] }, index): FlowProblem[] => {
    const path = `tools[${index}]`;
    const found = [...checkRequest(request, null, `${path}.request`, `The tool ${name}`)];
    if (seen.has(name) || new Set(parameters.map((parameter) => parameter.name)).size < parameters.length) {
      const what = seen.has(name) ? `Two tools have the name ${name}` : `Two parameters of ${name} have one name`;
      const parts = { tool: name, of: seen.has(name) ? "tools" : "parameters" };
      found.push({ code: "duplicate_tool", nodeId: null, path, message: `${what}; give one of them another.`, parts });
    }
    seen.add(name);
    return found;
  });
  const unknown = flow.nodes.flatMap((node, index) =>
    (node.type === "conversation" ? (node.tools ?? []) : []).flatMap((name, place): FlowProblem[] => {
      if (seen.has(name)) return [];
      const message = `The node ${node.id} uses the tool ${name}, and the flow has none of that name.`;
      const path = `nodes[${index}].tools[${place}]`;
      return [{ code: "unknown_tool", nodeId: node.id, path, message, parts: { tool: name } }];
    }),
  );
  return [...problems, ...unknown];
}

function checkRequest(request: FlowRequest, nodeId: string | null, path: string, who: string): FlowProblem[] {
  const problems: FlowProblem[] = [];
  const refuse = (field: string, message: string, parts: NoteParts) =>
    problems.push({ code: "bad_request", nodeId, path: `${path}.${field}`, message, parts });
  if (!isRequestUrl(request.url)) {
    refuse(
      "url",
      `${who} needs a URL such as https://api.example.com/orders/{{number}}, with a host that is written out.`,
      { reason: "url" },
    );
  }
  if (request.method === "GET" && request.body !== undefined) {
    refuse("body", `${who} sends a body with GET, which servers do not read; put it into the URL or use POST.`, {
      reason: "body",
    });
  }
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const refuseHeader = (reason: string, message: string) =>
      refuse(`headers.${name}`, message, { reason, header: name });
    if (OWN_HEADERS.has(name.toLowerCase())) refuseHeader("header", `${who} sets ${name}, which the service sets.`);
    else if (/[\r\n\0]/.test(value)) refuseHeader("line_break", `${who} has a line break in ${name}.`);
  }
  return problems;
}

/** The host must not depend on the callee's words or the call's inputs, nor be hidden behind credentials. */
function isRequestUrl(url: string): boolean {
  if (!/^https?:\/\/[^/?#{}\s\\@]+([/?]|$)/i.test(url)) return false;
  return URL.canParse(url.replaceAll(/\{\{[^{}]*\}\}/g, "x"));
}
