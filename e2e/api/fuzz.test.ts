import { makeId } from "@parley/contract/ids";
import type { Route } from "@parley/contract/route";
import { ROUTES } from "@parley/contract/routes";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byKey, type Credentials, createKey, dataOf, freshEmail, PASSWORD, signUp } from "../harness/accounts.ts";
import { type HttpRequest, send, sendPatiently } from "../harness/http-client.ts";
import { isThorough } from "../harness/thoroughness.ts";
import { fromSchema, type JsonSchema, rightValue, type Sources, wrongValue } from "./from-schema.ts";
import { fullBodies, numberPlaces, withChange } from "./full-bodies.ts";
import { openRefusalScene, type RefusalScene } from "./refusal-scene.ts";

/** The number of requests per route; fewer, but never fewer than these, where they take longer than this together. */
const REQUESTS_PER_ROUTE = isThorough ? 90 : 15;
const REQUESTS_PER_SLOW_ROUTE = 10;
const ROUTE_MS_MAX = 5000;
const REQUESTS_BY_ANYONE = isThorough ? 40 : 10;
/** Fewer than these routes allow in a minute: one request more waits for the next minute. */
const REQUESTS_OF_LIMITED: Readonly<Record<string, number>> = { previewVoice: isThorough ? 25 : 10, examineEngine: 5 };
/** Half of the requests have mistakes nearly everywhere, the other half hardly anywhere. */
const RIGHT_PER_WRONG = [8, 200];

interface Operation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: JsonSchema } } };
}

let scene: RefusalScene;
let sources: Sources[];
let operations: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
const answered = { total: 0, succeeded: new Set<string>() };

beforeAll(async () => {
  scene = await openRefusalScene();
  // The requests are generated from the service's own OpenAPI document.
  const document = (await send(scene.base, { path: "/api/v1/openapi.json" })).body;
  operations = document.paths;
  const known: Sources["known"] = {
    agentId: [scene.agentId],
    agentVersion: [1],
    version: [1],
    engine: ["local", "nope"],
    phoneNumber: ["+15550100001", "+4930123456", "+819012345678"],
    email: [scene.owner.email, ...Array.from({ length: 9 }, freshEmail)],
    currentPassword: [PASSWORD],
    password: [PASSWORD],
    // Nothing beyond this machine may be asked, should a trunk ever be used.
    host: ["127.0.0.1", "::1"],
    outboundProxy: ["sip:127.0.0.1:5999", null],
    trunkId: await makeTrunk("/api/v1/operator/trunks"),
    flow: [dataOf(await send(scene.base, { path: `/api/v1/agents/${scene.agentId}`, headers: scene.test })).flow],
  };
  sources = RIGHT_PER_WRONG.map((rightPerWrong) => ({
    components: document.components.schemas,
    known,
    rightPerWrong,
  }));
});
afterAll(() => scene?.world.close());

// They end the sign-in, create the maximum number of keys, or remove an account's limits.
const USES_UP_ITS_OWNER = new Set(["signOut", "changePassword", "createApiKey", "endOtherSessions"]);
const CHANGES_AN_ACCOUNT = "/api/v1/operator/accounts/{id}";

/** Credentials and ids that work for the route, and that the route may use up. */
async function openRoute({ id, path, access }: Route): Promise<{ credentials: Credentials; ids: string[] }> {
  const { base, test: key } = scene;
  const make = async (from: string, headers: Credentials, json: object): Promise<string> =>
    dataOf(await send(base, { path: from, headers, json })).id;
  if (path.startsWith("/api/v1/calls/")) {
    // A number that no generated request puts on the suppression list.
    const call = { phoneNumber: "+15550109999", agentId: scene.agentId };
    return { credentials: key, ids: [await make("/api/v1/calls", key, call)] };
  }
  if (path.startsWith("/api/v1/batches/{")) {
    const batch = { name: "To be changed", agentId: scene.agentId, rows: [{ phoneNumber: "+15550109999" }] };
    return { credentials: key, ids: [await make("/api/v1/batches", key, batch)] };
  }
  if (path.startsWith("/api/v1/mcp-servers/{")) {
    // An account has twenty servers at most, and the generated requests create as many.
    const { cookie } = await signUp(base);
    const server = { name: "changed", url: "https://mcp.example/mcp", timeoutMs: 500, isEnabled: false };
    return { credentials: cookie, ids: [await make("/api/v1/mcp-servers", cookie, server)] };
  }
  if (path.startsWith("/api/v1/device-sign-ins/{")) {
    const begun = dataOf(await send(base, { path: "/auth/device", json: { client: "A device" } }));
    return { credentials: scene.owner.cookie, ids: [begun.userCode] };
  }
  if (path.startsWith("/api/v1/agents/")) {
    if (id === "describeAgent") await removeProviders();
    const draft = await make("/api/v1/agents", key, { name: "To be changed" });
    const isUsedUp = id === "deleteAgent" || id === "changeAgent";
    return { credentials: key, ids: isUsedUp ? [draft] : [scene.agentId, draft] };
  }
  if (id === "previewVoice") {
    // An account may request thirty previews a minute: one of its own, so that none of these waits for the next minute.
    const { cookie } = await signUp(base);
    return { credentials: byKey((await createKey(base, cookie)).key), ids: [] };
  }
  if (access.by === "key_or_member") return { credentials: key, ids: [] };
  if (access.by === "anyone") return { credentials: {}, ids: [] };
  const needsItsOwn = USES_UP_ITS_OWNER.has(id) || path.startsWith(CHANGES_AN_ACCOUNT);
  const owner = needsItsOwn ? await signUp(base) : scene.owner;
  if (path.startsWith("/api/v1/operator/trunks") || path.startsWith("/api/v1/operator/routes"))
    return { credentials: scene.operator.cookie, ids: await makeTrunk(path) };
  if (access.by === "member" && access.role === "operator")
    return { credentials: scene.operator.cookie, ids: [owner.accountId] };
  if (!path.includes("{")) return { credentials: owner.cookie, ids: [] };
  const ids = [
    (await createKey(base, owner.cookie)).id,
    await make("/api/v1/members", owner.cookie, { email: freshEmail() }),
  ];
  return { credentials: owner.cookie, ids };
}

/** No language model is asked: those of generated requests do not exist, and a vendor that fails is a 503. */
async function removeProviders(): Promise<void> {
  const { base, operator } = scene;
  const path = "/api/v1/operator/providers";
  const all: { name: string }[] = dataOf(await send(base, { path, headers: operator.cookie }));
  for (const { name } of all) {
    await send(base, { method: "DELETE", path: `${path}/${name}`, headers: operator.cookie });
  }
}

/** The id of a new trunk, or of a new route to it, as the path requires. */
async function makeTrunk(path: string): Promise<string[]> {
  const make = async (from: string, json: object): Promise<string> =>
    dataOf(await send(scene.base, { path: from, headers: scene.operator.cookie, json })).id;
  // Nothing listens there, so that an examination ends immediately.
  const fields = { name: makeId("trunk"), host: "127.0.0.1", port: 1, transport: "tcp", isEnabled: false };
  const trunk = await make("/api/v1/operator/trunks", fields);
  if (!path.startsWith("/api/v1/operator/routes/")) return [trunk];
  return [await make("/api/v1/operator/routes", { prefix: "49", trunkId: trunk })];
}

function requestsOf({ id, access }: Route): number {
  // Passwords are slow to check on purpose.
  return REQUESTS_OF_LIMITED[id] ?? (access.by === "anyone" ? REQUESTS_BY_ANYONE : REQUESTS_PER_ROUTE);
}

/** Mostly left out. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const urlText = fc.stringMatching(/^[!-~]{0,40}$/);
const headerText = fc.stringMatching(/^[ -~\xa1-\xff]{0,60}$/);

function requestFor(route: Route, credentials: Credentials, ids: readonly string[]): fc.Arbitrary<HttpRequest> {
  return fc.oneof(...sources.map((source) => requestFrom(route, credentials, ids, source)));
}

function requestFrom(
  route: Route,
  credentials: Credentials,
  ids: readonly string[],
  source: Sources,
): fc.Arbitrary<HttpRequest> {
  const operation = operations[route.path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`${route.id} is not in the OpenAPI document`);
  const part = (name: string) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...(name === "version" ? ["1"] : ids), "x") },
      { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 80 }).map(encodeURIComponent) },
      // What begins a query or a fragment ends the path, which is then that of another route.
      { weight: 1, arbitrary: urlText.map((text) => text.replace(/^[#?]+/, "")) },
    );
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const schema = operation.requestBody?.content["application/json"].schema;
  return fc
    .record({
      parts: fc.tuple(...names.map(part)),
      query: rightValue(
        {
          properties: Object.fromEntries(queries.map(({ name, schema: of }) => [name, of])),
          required: queries.filter(({ required }) => required).map(({ name }) => name),
        },
        source,
      ),
      strayQuery: rarely(urlText),
      body: schema
        ? fc.oneof({ weight: 20, arbitrary: fromSchema(schema, source) }, { weight: 1, arbitrary: wrongValue })
        : fc.constant(undefined),
      accept: fc.constantFrom("application/json", "*/*", "", "a/b;q=x,,", ...route.alsoProduces),
      ifMatch: fc.oneof(fc.constant('"1"'), headerText),
      idempotencyKey: rarely(headerText),
    })
    .map(({ parts, query, strayQuery, body, accept, ifMatch, idempotencyKey }) => {
      let index = 0;
      // Without its last part a path with a slash at its end is another route.
      const path = route.path.replaceAll(/\{\w+\}/g, () => String(parts[index++] ?? "") || "x");
      const search = [
        ...Object.entries(query as object).map(([name, value]) => `${asQueryText(name)}=${asQueryText(value)}`),
        ...(strayQuery === null ? [] : [strayQuery]),
      ].join("&");
      return {
        method: route.method,
        path: search ? `${path}?${search}` : path,
        headers: {
          ...credentials,
          accept,
          "if-match": ifMatch,
          ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }),
        },
        ...(body === undefined ? {} : { json: body }),
      };
    });
}

function asQueryText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return encodeURIComponent((text ?? "").toWellFormed().slice(0, 2000));
}

// Signing up and in comes before wrong links have used up what one address may try.
const IN_ORDER = [
  ...ROUTES.filter(({ access }) => access.by === "anyone").reverse(),
  ...ROUTES.filter(({ access }) => access.by !== "anyone"),
];

describe("requests generated from the contract", () => {
  test.each(IN_ORDER)("$method $path never breaks, and answers as declared", async (route) => {
    const { credentials, ids } = await openRoute(route);
    const slowFrom = performance.now() + ROUTE_MS_MAX;
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(requestFor(route, credentials, ids), async (request) => {
        if (sent >= REQUESTS_PER_SLOW_ROUTE && performance.now() > slowFrom) return;
        sent += 1;
        const reply = scene.check(await sendPatiently(scene.base, request), route);
        expect(reply.status, reply.text).toBeLessThan(500);
        answered.total += 1;
        if (reply.status === 200) answered.succeeded.add(route.id);
      }),
      { numRuns: requestsOf(route) },
    );
  });

  test.each(ROUTES.filter(({ body }) => body !== null))(
    "$method $path never breaks on the largest and smallest numbers it accepts",
    async (route) => {
      const { credentials, ids } = await openRoute(route);
      const operation = operations[route.path]?.[route.method.toLowerCase()];
      const schema = operation?.requestBody?.content["application/json"].schema ?? {};
      const full = fullBodies(scene.agentId)[route.id];
      const components = sources[0]?.components ?? {};
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        name === "version" ? "999999999" : (ids[0] ?? "x"),
      );
      const places = numberPlaces(schema, full, components);
      const together = (which: "most" | "least") =>
        places.reduce((body: unknown, place) => withChange(body, place.path, () => place[which]), full);
      const bodies = [
        together("most"),
        together("least"),
        ...places.flatMap((place) =>
          [place.most, place.least].map((value) => withChange(full, place.path, () => value)),
        ),
      ];
      for (const json of bodies) {
        const request = { method: route.method, path, headers: { ...credentials, "if-match": '"1"' }, json };
        const reply = scene.check(await sendPatiently(scene.base, request), route);
        expect(reply.status, `${JSON.stringify(json)}\n${reply.text}`).toBeLessThan(500);
      }
    },
  );

  test("most routes also got a request they could answer", () => {
    console.log(
      `${answered.total} requests were answered; ${answered.succeeded.size} routes of ${ROUTES.length} said yes`,
    );
    // A few routes allow fewer requests than even a slow one gets.
    expect(answered.total).toBeGreaterThan(ROUTES.length * REQUESTS_PER_SLOW_ROUTE * 0.9);
    // The others need a call in the right state: live, recorded or over. The access matrix has those.
    expect(answered.succeeded.size).toBeGreaterThan(ROUTES.length * (isThorough ? 0.7 : 0.5));
  });
});
