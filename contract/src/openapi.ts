import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import { nameUnionMembers } from "./openapi/name-union-members.ts";
import { describeOperation } from "./openapi/operation.ts";
import { describeWebhooks } from "./openapi/webhooks.ts";
import { ROUTES } from "./routes.ts";

export interface OpenApiOptions {
  /** The version of the service. */
  readonly version: string;
  /** The URL of the API, without a trailing slash. Default: the origin of the document. */
  readonly serverUrl?: string;
}

const DESCRIPTION = `An API call in, a phone call out, conducted by a voice agent.

A successful response is always HTTP 200 with \`{"success": true, "data": ...}\`. Every error has the shape of \`ErrorReply\`;
its \`code\` is from [a closed list](/docs/errors). Unknown fields are refused, never ignored.

Keys begin with \`svc_test_\` or \`svc_live_\`. Test calls stay on the simulated network and are free.`;

/** The contract as an OpenAPI 3.1 document, generated from the declarations that also validate requests. */
export function buildOpenApi(options: OpenApiOptions): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of ROUTES) {
    if (!(route.tag in TAGS)) throw new Error(`${route.id} has a tag without a description: ${route.tag}`);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeOperation(route) };
  }
  const document = createDocument(
    {
      openapi: "3.1.1",
      info: {
        title: "Parley",
        version: options.version,
        summary: "AI voice agents that make phone calls.",
        description: DESCRIPTION,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: options.serverUrl ?? "/" }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      webhooks: describeWebhooks(),
      components: {
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            description: "`Authorization: Bearer <API_KEY>`. A signed-in member creates the key; it is shown once.",
          },
          cookie: {
            type: "apiKey",
            in: "cookie",
            name: "parley",
            description:
              "A signed-in browser (`__Host-parley` if the service uses https). Unsafe requests need a matching `Origin`.",
          },
        },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        leaveOutSafeBounds(jsonSchema);
        writeExampleAsList(jsonSchema);
        if (io === "input") tellDefaultInWords(jsonSchema);
      },
    },
  );
  nameUnionMembers(document.components?.schemas ?? {});
  return document;
}

interface NumberSchema {
  minimum?: number;
  maximum?: number;
}

/** Integers are always safe integers; stating the bounds would only clutter the reference. */
function leaveOutSafeBounds(jsonSchema: NumberSchema): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/**
 * Client generators treat a field with a `default` as always present, which is true for replies but wrong for
 * requests, where the field is optional.
 */
function tellDefaultInWords(jsonSchema: { default?: unknown; description?: string }): void {
  if (jsonSchema.default === undefined) return;
  const words = `Default: \`${JSON.stringify(jsonSchema.default)}\`.`;
  jsonSchema.description = jsonSchema.description ? `${jsonSchema.description} ${words}` : words;
  delete jsonSchema.default;
}

/** JSON Schema 2020-12, which OpenAPI 3.1 uses, has only `examples`. */
function writeExampleAsList(jsonSchema: { example?: unknown; examples?: unknown }): void {
  if (jsonSchema.example === undefined) return;
  jsonSchema.examples = [jsonSchema.example];
  delete jsonSchema.example;
}

/** The sections of the reference, in order. */
export const TAGS: Readonly<Record<string, string>> = {
  Calls: "Place calls, follow them live and read their results.",
  Batches: "Calls to a list of numbers, with progress and results.",
  Agents: "What an agent says and asks: a draft that you edit, and published versions that calls use.",
  "Trying agents": "Test an agent without calling anybody, and run scenarios with expected outcomes.",
  Alerts: "Thresholds of an account, and the alerts they raised.",
  "MCP servers": "Servers of the Model Context Protocol whose tools agents may use.",
  Webhooks: "Endpoints for events, their deliveries, and replays.",
  Engines: "The engines that conduct calls, and what is missing to use the unavailable ones.",
  Billing: "The credit of the account, the ledger, and prices.",
  "Suppression list": "Numbers that the account never calls.",
  Settings: "Spend caps, calling hours, retention and disclosure of the account.",
  "Sign-in": "Sign-up, sign-in, invitations and passwords.",
  "API keys": "API keys. They are created by members; a key cannot create keys.",
  Members: "Members of the account, and the audit log.",
  Operator: "Administration of the installation, for operators only.",
  Trunks: "Trunks of this installation, and the routes that select them.",
};
