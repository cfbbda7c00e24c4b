import { buildOpenApi, TAGS } from "@parley/contract/openapi";
import type { Route } from "@parley/contract/route";
import { ROUTES } from "@parley/contract/routes";

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: { readonly description?: string };
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface SavedRequest {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** From the root, with `:name` for what differs. */
  readonly path: string;
  readonly pathVariables: readonly { readonly name: string; readonly value: string }[];
  readonly query: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[];
  readonly headers: readonly { readonly name: string; readonly value: string; readonly description?: string }[];
  /** JSON. */
  readonly body: string | null;
  /** The variable that keeps the id of what the request creates. */
  readonly keepsIdIn: string | null;
}

export interface RequestFolder {
  readonly name: string;
  readonly description: string;
  readonly requests: readonly SavedRequest[];
}

/** Requests whose reply has the id that later requests need, and the variable that keeps it. */
const KEEPS_ID: Readonly<Record<string, string>> = {
  createCall: "callId",
  createAgent: "agentId",
  createWebhook: "webhookId",
  createBatch: "batchId",
};
/** The variable that is the `id` of a path, by what comes before it. */
const ID_OF: Readonly<Record<string, string>> = {
  calls: "callId",
  agents: "agentId",
  webhooks: "webhookId",
  batches: "batchId",
};

/** What the variables of a collection are at first. */
export const VARIABLES: readonly { readonly name: string; readonly value: string }[] = [
  { name: "baseUrl", value: "http://127.0.0.1:3000" },
  { name: "apiKey", value: "" },
  ...Object.values(KEEPS_ID).map((name) => ({ name, value: "" })),
];

/** Everything that an API key may do and that answers with JSON, for programs that send requests by hand. */
export function listRequests(version: string): RequestFolder[] {
  const document = JSON.parse(JSON.stringify(buildOpenApi({ version }))) as Document;
  const routes = ROUTES.filter(({ access, producesJson }) => access.by === "key_or_member" && producesJson);
  return Object.entries(TAGS)
    .map(([name, description]) => ({
      name,
      description,
      requests: routes.filter(({ tag }) => tag === name).map((route) => toRequest(route, operationOf(document, route))),
    }))
    .filter(({ requests }) => requests.length > 0);
}

function operationOf({ paths }: Document, { path, method, id }: Route): Operation {
  const operation = paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${id} is not in the OpenAPI document`);
  return operation;
}

function toRequest(route: Route, operation: Operation): SavedRequest {
  const parameters = operation.parameters ?? [];
  const segments = route.path.split("/").slice(1);
  const example = operation.requestBody?.content["application/json"].example;
  return {
    id: route.id,
    name: operation.summary,
    description: operation.description,
    method: route.method,
    path: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    pathVariables: segments.flatMap((segment, at) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      const variable = ID_OF[segments[at - 1] ?? ""];
      return name === undefined ? [] : [{ name, value: variable === undefined ? "" : `{{${variable}}}` }];
    }),
    query: parameters
      .filter((each) => each.in === "query")
      .map(({ name, required, description, schema }) => ({
        name,
        description: description ?? schema.description ?? "",
        isRequired: required === true,
      })),
    headers: [
      ...(example === undefined ? [] : [{ name: "Content-Type", value: "application/json" }]),
      ...(parameters.some(({ name }) => name === "Idempotency-Key")
        ? [{ name: "Idempotency-Key", value: "{{$guid}}" }]
        : []),
      ...(parameters.some(({ name, required }) => name === "If-Match" && required)
        ? [{ name: "If-Match", value: "1", description: "The `revision` of the draft that you read." }]
        : []),
    ],
    body: example === undefined ? null : withOwnAgent(JSON.stringify(example, null, 2)),
    keepsIdIn: KEEPS_ID[route.id] ?? null,
  };
}

/** The agent of the reader in the place of the one in the examples. */
function withOwnAgent(json: string): string {
  return json.replaceAll(/"agt_01k8m3v9zq4t6w8y0a2c4e6g8j"/g, '"{{agentId}}"');
}
