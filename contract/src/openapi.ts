import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";
import { describeOperation } from "./openapi/operation.ts";
import { TAGS } from "./openapi/tags.ts";
import { ROUTES } from "./routes.ts";

export interface OpenApiOptions {
  /** The version of the service. */
  readonly version: string;
  /** Where the API is reached, without a trailing slash. Default: wherever the document came from. */
  readonly serverUrl?: string;
}

const DESCRIPTION = `An API call in, a phone call out, conducted by a voice agent.

Success is always HTTP 200 with \`{"success": true, "data": ...}\`. Every refusal has the one shape of \`ErrorReply\`;
its \`code\` is from [a closed list](/docs/errors). Unknown fields are refused, never ignored.

Keys begin with \`svc_test_\` or \`svc_live_\`. Test calls stay on the simulated network and cost nothing.`;

/** The whole contract as an OpenAPI 3.1 document, made from the same declarations that serve and validate requests. */
export function buildOpenApi(options: OpenApiOptions): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of ROUTES) {
    if (!(route.tag in TAGS)) throw new Error(`${route.id} has a tag without a description: ${route.tag}`);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeOperation(route) };
  }
  return createDocument(
    {
      openapi: "3.1.1",
      info: {
        title: "Parley",
        version: options.version,
        summary: "Voice agents that phone people.",
        description: DESCRIPTION,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: options.serverUrl ?? "/" }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      components: {
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            description: "`Authorization: Bearer <API_KEY>`. A signed-in member makes the key; it is shown once.",
          },
          cookie: {
            type: "apiKey",
            in: "cookie",
            name: "parley",
            description:
              "A signed-in browser (`__Host-parley` where the service is reached by https). Unsafe requests need an `Origin` that matches.",
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
}

interface NumberSchema {
  minimum?: number;
  maximum?: number;
}

/** A whole number is always a safe one; saying so as bounds only fills the reference with sixteen-digit numbers. */
function leaveOutSafeBounds(jsonSchema: NumberSchema): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/**
 * Generators of clients take a field with a `default` for one that is always there, which is true of replies and wrong of
 * requests: there it is the field that may be left out.
 */
function tellDefaultInWords(jsonSchema: { default?: unknown; description?: string }): void {
  if (jsonSchema.default === undefined) return;
  const words = `Default: \`${JSON.stringify(jsonSchema.default)}\`.`;
  jsonSchema.description = jsonSchema.description ? `${jsonSchema.description} ${words}` : words;
  delete jsonSchema.default;
}

/** JSON Schema 2020-12, which OpenAPI 3.1 takes over whole, knows only `examples`. */
function writeExampleAsList(jsonSchema: { example?: unknown; examples?: unknown }): void {
  if (jsonSchema.example === undefined) return;
  jsonSchema.examples = [jsonSchema.example];
  delete jsonSchema.example;
}
