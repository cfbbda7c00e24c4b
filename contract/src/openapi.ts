import { z } from "zod";
import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import { describeOperation } from "./openapi/operation.ts";
import { ROUTES } from "./routes.ts";
import {
  AlertBody,
  CALL_WEBHOOK_TYPES,
  CallWebhookBody,
  CreditLowBody,
  DisabledWebhookBody,
  TestWebhookBody,
} from "./webhooks.ts";

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

interface Schema {
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>;
}

type Schemas = Record<string, unknown>;

const PROPERTY = "type";
const OUTPUT = "Output";

/**
 * Gives the members of unions that differ in their `type` names of their own, and a discriminator. Without one, client
 * generators make types that have to be told apart by trying.
 */
function nameUnionMembers(schemas: Schemas): void {
  // The unions of requests come first: a member that is the same in replies then has one name only.
  for (const name of Object.keys(schemas).toSorted()) {
    const { oneOf: members } = schemas[name] as Schema;
    const types = members?.map((member) => member.properties?.[PROPERTY]?.const);
    if (!members || !types?.every((type) => typeof type === "string")) continue;
    const mapping = Object.fromEntries(
      members.map((member, index) => [types[index], nameMember(schemas, name, String(types[index]), member)]),
    );
    const { oneOf: _, ...rest } = schemas[name] as Schema;
    const refs = Object.values(mapping).map(($ref) => ({ $ref }));
    schemas[name] = { ...rest, oneOf: refs, discriminator: { propertyName: PROPERTY, mapping } };
  }
}

function nameMember(schemas: Schemas, union: string, type: string, member: Schema): string {
  const base = union.endsWith(OUTPUT) ? union.slice(0, -OUTPUT.length) : union;
  const short = `${base}${type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  const isSame = JSON.stringify(schemas[short]) === JSON.stringify(member);
  const name = schemas[short] === undefined || isSame ? short : `${short}${OUTPUT}`;
  schemas[name] = member;
  return `#/components/schemas/${name}`;
}

const MEANINGS: Readonly<Record<string, string>> = {
  "call.initiated": "A call was accepted.",
  "call.in_progress": "The callee answered.",
  "call.completed": "A call ended in an orderly way.",
  "call.failed": "A call was not answered, or broke.",
  "call.transcript.ready": "The transcript is complete.",
  "call.recording.ready": "The recording can be fetched.",
  "call.analyzed": "The outcome of the call is available.",
  "credit.low": "The credit fell below the account's threshold.",
  "alert.raised": "A figure of the account went beyond its threshold.",
  "alert.resolved": "The figure recovered, or is no longer watched.",
  "webhook.disabled": "An endpoint was disabled.",
  "webhook.test": "Sent on request, to test an endpoint.",
};

const BODIES: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(CALL_WEBHOOK_TYPES.map((type) => [type, CallWebhookBody])),
  "credit.low": CreditLowBody,
  "alert.raised": AlertBody,
  "alert.resolved": AlertBody,
  "webhook.disabled": DisabledWebhookBody,
  "webhook.test": TestWebhookBody,
};

const header = (description: string, example: string) => z.string().meta({ description, example });
/** The headers of Standard Webhooks. */
const SIGNATURE_HEADERS = z.object({
  "webhook-id": header("The id of the event; the same when it is sent again.", "evt_01k8m3v9zq4t6w8y0a2c4e6g8j"),
  "webhook-timestamp": header("When it was sent, in seconds since 1970.", "1769851800"),
  "webhook-signature": header(
    "`v1,` and the signature in base64; several are separated by spaces.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
});

/** The events that the service sends to endpoints, as OpenAPI webhooks. */
function describeWebhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(BODIES).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          tags: ["Webhooks"],
          summary: MEANINGS[type] ?? type,
          description: `${MEANINGS[type]} Respond with any 2xx within 15 seconds; otherwise the event is sent again.`,
          security: [],
          requestParams: { header: SIGNATURE_HEADERS },
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: {
            "204": { description: "Received." },
            "4XX": { description: "Refused; it is sent again later." },
          },
        },
      },
    ]),
  );
}
