import { describe, expect, test } from "vitest";
import { z } from "zod";
import { BODY_EXAMPLES, DATA_EXAMPLES } from "./openapi/examples.ts";
import { buildOpenApi, TAGS } from "./openapi.ts";
import { ROUTES } from "./routes.ts";
import { WEBHOOK_TYPES } from "./webhooks.ts";

interface Operation {
  operationId: string;
  description: string;
  security: Record<string, unknown>[];
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: { required?: boolean; content: Record<string, { example?: unknown }> };
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>;
  "x-required-scope"?: string;
}
interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, unknown>; responses: Record<string, { description: string }> };
}

const document = buildOpenApi({ version: "1.2.3" }) as Document;
const operation = (path: string, method: string): Operation => {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`${method} ${path} is not in the document`);
  return found;
};

test("every route of the API is in the document once, under its own id", () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((found) => found.operationId),
  );
  expect(ids.toSorted()).toEqual(ROUTES.map((route) => route.id).toSorted());
});

test("the example call is the one shown in the quick start", () => {
  expect(operation("/api/v1/calls", "post").requestBody?.content["application/json"]?.example).toEqual({
    phoneNumber: "+15550100001",
    agentId: expect.stringMatching(/^agt_/),
    engine: "local",
  });
});

test("the document says which scope a route needs and that a cookie works too", () => {
  const placing = operation("/api/v1/calls", "post");
  expect(placing["x-required-scope"]).toBe("calls:write");
  expect(placing.description).toContain("`calls:write`");
  expect(placing.security).toEqual([{ apiKey: [] }, { cookie: [] }]);
});

test("public routes require no credentials", () => {
  expect(operation("/auth/sign-in", "post").security).toEqual([]);
});

test("Idempotency-Key is documented only where it is honoured, and If-Match is required where needed", () => {
  const named = (path: string, method: string) =>
    (operation(path, method).parameters ?? []).filter((parameter) => parameter.in === "header");
  expect(named("/api/v1/calls", "post").map(({ name }) => name)).toEqual(["Idempotency-Key", "X-Parley-Mode"]);
  expect(named("/api/v1/api-keys", "post")).toEqual([]);
  expect(named("/api/v1/agents/{id}", "patch")).toContainEqual(
    expect.objectContaining({ name: "If-Match", required: true }),
  );
});

test("an optional body is not required", () => {
  expect(operation("/api/v1/calls/{id}/hangup", "post").requestBody?.required).toBe(false);
  expect(operation("/api/v1/calls", "post").requestBody?.required).toBe(true);
});

test("a reply has one schema for generators, and other formats are described in text", () => {
  const typesOf = (path: string) => Object.keys(operation(path, "get").responses["200"]?.content ?? {});
  expect(typesOf("/api/v1/calls")).toEqual(["application/json"]);
  expect(operation("/api/v1/calls", "get").description).toContain("`text/csv`");
  expect(typesOf("/api/v1/calls.csv")).toEqual(["text/csv"]);
  for (const methods of Object.values(document.paths)) {
    for (const { operationId, responses } of Object.values(methods))
      expect(Object.keys(responses["200"]?.content ?? {}), operationId).toHaveLength(1);
  }
});

test("no request field has a default that generators would treat as always present", () => {
  const bodies = ROUTES.flatMap(({ path, method, body }) =>
    body ? [JSON.stringify(operation(path, method.toLowerCase()).requestBody)] : [],
  );
  expect(bodies.filter((text) => text.includes('"default":'))).toEqual([]);
  const newCall = document.components.schemas["NewCall"] as {
    required: string[];
    properties: Record<string, { description?: string }>;
  };
  expect(newCall.required).toEqual(["phoneNumber", "agentId"]);
  expect(newCall.properties["maxDurationSeconds"]?.description).toContain("Default: `600`");
});

test("a schema has a second name only where the request and the reply really differ", () => {
  const { schemas } = document.components;
  const twins = Object.keys(schemas).filter((name) => name.endsWith("Output"));
  for (const name of twins) expect(schemas[name]).not.toEqual(schemas[name.replace(/Output$/, "")]);
  expect(twins.filter((name) => !/^FlowNode\w+Output$/.test(name)).toSorted()).toEqual([
    "FlowNodeOutput",
    "FlowOutput",
  ]);
});

test("the members of every union have names and a discriminator, for generators", () => {
  interface Union {
    oneOf?: { $ref?: string }[];
    discriminator?: { propertyName: string; mapping: Record<string, string> };
  }
  const unions = Object.entries(document.components.schemas as Record<string, Union>).filter(([, { oneOf }]) => oneOf);
  expect(unions.map(([name]) => name)).toEqual(expect.arrayContaining(["FlowNode", "TranscriptItem", "TryEvent"]));
  for (const [name, { oneOf, discriminator }] of unions) {
    const refs = oneOf?.map(({ $ref }) => $ref);
    expect(Object.values(discriminator?.mapping ?? {}), name).toEqual(refs);
    for (const [type, ref] of Object.entries(discriminator?.mapping ?? {})) {
      const member = document.components.schemas[ref.replace("#/components/schemas/", "")];
      expect(member, ref).toMatchObject({ properties: { type: { const: type } } });
    }
  }
});

test("the events of webhooks are described, each with its body and the headers of its signature", () => {
  const events = Object.entries(document.webhooks);
  expect(events.map(([type]) => type).toSorted()).toEqual([...WEBHOOK_TYPES, "webhook.test"].toSorted());
  for (const [type, { post }] of events) {
    expect(
      post.parameters?.map(({ name }) => name),
      type,
    ).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
    expect(post.requestBody?.required, type).toBe(true);
  }
});

test("the revision of a draft is required where the service requires it", () => {
  const required = (path: string, method: string) =>
    operation(path, method).parameters?.find(({ name }) => name === "If-Match")?.required ?? false;
  expect(required("/api/v1/agents/{id}", "patch")).toBe(true);
  expect(required("/api/v1/agents/{id}/publish", "post")).toBe(false);
});

test("the server is the origin of the document unless it is named", () => {
  expect(document.servers).toEqual([{ url: "/" }]);
  const named = buildOpenApi({ version: "1.2.3", serverUrl: "https://parley.example" }) as Document;
  expect(named.servers).toEqual([{ url: "https://parley.example" }]);
});

test("every section of the reference has routes", () => {
  expect(Object.keys(TAGS).toSorted()).toEqual([...new Set(ROUTES.map((route) => route.tag))].toSorted());
});

describe("examples", () => {
  test.each(ROUTES.filter((route) => route.body).map((route) => [route.id, route.body] as const))(
    "the example body of %s is accepted by its schema",
    (id, body) => {
      expect(body?.safeParse(BODY_EXAMPLES[id])).toMatchObject({ success: true });
    },
  );

  test.each(Object.keys(DATA_EXAMPLES))("the example reply of %s matches its schema", (id) => {
    const route = ROUTES.find((known) => known.id === id);
    expect(route?.data.safeParse(DATA_EXAMPLES[id])).toMatchObject({ success: true });
  });

  test("no example belongs to a route that no longer exists", () => {
    const ids = ROUTES.filter((route) => route.body).map((route) => route.id);
    expect(Object.keys(BODY_EXAMPLES).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("every example written on a field is accepted by that field", () => {
    const faults: string[] = [];
    let seen = 0;
    for (const route of ROUTES) {
      const schemas: [z.ZodType, "input" | "output"][] = [
        [route.params, "input"],
        [route.query, "input"],
        [route.data, "output"],
      ];
      if (route.body) schemas.push([route.body, "input"]);
      for (const [schema, io] of schemas) {
        z.toJSONSchema(schema, {
          io,
          override: ({ zodSchema, jsonSchema }) => {
            if (jsonSchema["example"] === undefined) return;
            seen += 1;
            const result = z.safeParse(zodSchema, jsonSchema["example"]);
            if (!result.success) faults.push(`${route.id}: ${JSON.stringify(jsonSchema["example"])}`);
          },
        });
      }
    }
    expect(faults).toEqual([]);
    expect(seen).toBeGreaterThan(50);
  });
});
