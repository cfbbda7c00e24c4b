import { ID_PREFIXES, type IdKind, makeId } from "@parley/contract/ids";
import type { Route } from "@parley/contract/route";
import { ROUTES } from "@parley/contract/routes";
import type { Scope } from "@parley/contract/scopes";
import { run } from "@parley/server/platform/database/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Credentials } from "../harness/accounts.ts";
import { until } from "../harness/api-client.ts";
import { createReplyCheck, type ReplyCheck } from "../harness/check-reply.ts";
import { type HttpReply, send, sendPatiently } from "../harness/http-client.ts";
import { readStream } from "../harness/read-stream.ts";
import { isThorough } from "../harness/thoroughness.ts";
import { type CallerKind, expectedRefusal } from "./expected-refusal.ts";
import type { Fixture, FixtureRow } from "./fixture.ts";
import { type MatrixAccount, type MatrixWorld, openMatrixWorld } from "./matrix-world.ts";
import { registeredRoutes } from "./registered-routes.ts";
import { FIXTURES } from "./route-fixtures.ts";

const patternOf = ({ path }: Route) => new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
const scopeOf = ({ access }: Route): Scope => (access.by === "key_or_member" && access.scope) || "calls:read";

let matrix: MatrixWorld;
let check: ReplyCheck;
beforeAll(async () => {
  matrix = await openMatrixWorld(new Set(ROUTES.map(scopeOf)));
  check = await createReplyCheck(matrix.base);
});
afterAll(() => matrix?.world.close());

/** A way to ask a route: as JSON, or as one of the other media types it offers. */
interface Way {
  readonly name: string;
  readonly route: Route;
  readonly row: FixtureRow;
  readonly accept: string;
}

const WAYS: readonly Way[] = ROUTES.flatMap((route) => {
  const row = FIXTURES[route.id];
  if (!row) return [];
  const types = [...(route.producesJson ? ["application/json"] : []), ...route.alsoProduces];
  return types.map((accept) => ({
    name: `${route.method} ${route.path}${accept === "application/json" ? "" : ` as ${accept}`}`,
    route,
    row,
    accept,
  }));
});

async function askBy(
  { route, accept }: Way,
  fixture: Fixture,
  credentials: Credentials,
  method: string = route.method,
): Promise<HttpReply> {
  const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => fixture.params?.[name] ?? "");
  const query = new URLSearchParams(fixture.query).toString();
  // Only public routes count requests by address, and the matrix exceeds the limit per address.
  const reply = await sendPatiently(matrix.base, {
    method,
    path: query ? `${filled}?${query}` : filled,
    headers: { accept, ...fixture.headers, ...credentials },
    ...(fixture.json ? { json: fixture.json } : {}),
  });
  return method === "HEAD" ? reply : check(reply, route);
}

function outcome(reply: HttpReply): string {
  return reply.status === 200 ? "200" : `${reply.status} ${reply.body?.error?.code}`;
}

/** A refusal without what differs from request to request. */
function bare(reply: HttpReply) {
  const { requestId: _requestId, ...error } = reply.body?.error ?? {};
  const { date: _date, "x-request-id": _id, ratelimit: _rate, ...headers } = reply.headers;
  return { status: reply.status, error, headers };
}

const KIND_BY_PREFIX = new Map(Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix as string, kind as IdKind]));

/** The same request with every id replaced by one of the same kind that was never issued. */
function withUnknownIds(fixture: Fixture): Fixture {
  const text = JSON.stringify(fixture).replaceAll(/\b([a-z]+)_[0-9a-z]{26}\b/g, (id, prefix: string) => {
    const kind = KIND_BY_PREFIX.get(prefix);
    return kind ? makeId(kind) : id;
  });
  return JSON.parse(text) as Fixture;
}

function unknownTwin(way: Way, fixture: Fixture): Fixture {
  const twin = way.row.unknown ?? withUnknownIds(fixture);
  expect(twin, "the request must name something").not.toEqual(fixture);
  return twin;
}

/**
 * One function refuses these for all routes. Thorough runs ask each route as all of them; others as this many, taken in
 * turn, so that each of them asks some routes.
 */
function inTurn<T>(route: Route, all: readonly T[], count: number): readonly T[] {
  if (isThorough) return all;
  const from = (ROUTES.indexOf(route) * count) % all.length;
  return [...all, ...all].slice(from, from + count);
}

/** A caller of each kind that could be refused somewhere, with their credentials. */
function callers(route: Route): [string, CallerKind, Credentials][] {
  const { cookie, origin } = matrix.ours.owner.cookie as { cookie: string; origin: string };
  const scope = scopeOf(route);
  const isOpenToKeys = route.access.by === "key_or_member" && route.access.scope === null;
  const fromElsewhere: [string, CallerKind, Credentials][] = [
    ["a cookie with another Origin", "cookie from another site", { cookie, origin: "https://evil.example" }],
    ["a cookie with Origin null", "cookie from another site", { cookie, origin: "null" }],
    ["a cookie sent cross-site", "cookie from another site", { cookie, origin, "sec-fetch-site": "cross-site" }],
    ["a cookie sent same-site", "cookie from another site", { cookie, origin, "sec-fetch-site": "same-site" }],
  ];
  const dead = Object.entries(matrix.deadKeys).map(([name, key]): [string, CallerKind, Credentials] => [
    name,
    "dead key",
    key,
  ]);
  return [
    ["nobody", "nobody", {}],
    ["a key from elsewhere", "key from elsewhere", matrix.elsewhere],
    ["a key without the scope", isOpenToKeys ? "key" : "key without the scope", matrix.without(scope)],
    ["a key with all scopes", "key", matrix.ours.keys.test],
    ["a key with this scope alone", "key", matrix.only(scope)],
    ["a made-up cookie", "forged cookie", { cookie: `parley=st_${"x".repeat(43)}`, origin }],
    ["a cookie without Origin", "cookie without Origin", { cookie }],
    ...inTurn(route, fromElsewhere, 1),
    ["a member", "member", matrix.member],
    ["the owner", "owner", matrix.ours.owner.cookie],
    ...inTurn(route, dead, 2),
  ];
}

describe("every route has its row", () => {
  test("the routes that the service registers are those of the contract, each with a fixture", async () => {
    const declared = ROUTES.map(({ method, path }) => `${method} ${path}`).sort();
    expect(await registeredRoutes(matrix.world)).toEqual(declared);
    expect(ROUTES.map(({ id }) => id).filter((id) => !FIXTURES[id])).toEqual([]);
    expect(Object.keys(FIXTURES).filter((id) => !ROUTES.some((route) => route.id === id))).toEqual([]);
  });

  test("a fixture fills every parameter of its path", async () => {
    for (const way of WAYS) {
      const wanted = [...way.route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const { params } = await way.row.make(matrix.ours, "test");
      expect(Object.keys(params ?? {}), way.name).toEqual(wanted);
    }
  });

  test("another method on any path is refused with exactly the methods it has", async () => {
    for (const path of new Set(ROUTES.map((route) => route.path))) {
      // A path without a parameter may also be one whose parameter has this value.
      const asked = path.replaceAll(/[{}]/g, "");
      const declared = ROUTES.filter((route) => patternOf(route).test(asked)).map(({ method }): string => method);
      const methods = declared.includes("GET") ? [...declared, "HEAD"] : declared;
      const reply = check(await send(matrix.base, { method: "PUT", path: asked }));
      expect(outcome(reply), path).toBe("405 method_not_allowed");
      expect(reply.headers.allow?.split(", ").sort(), path).toEqual([...new Set(methods)].sort());
    }
  });
});

const letInAs = ({ letIn }: FixtureRow) => (letIn ? `${letIn.status} ${letIn.code}` : "200");

describe("who is allowed", () => {
  test.each(WAYS)(
    "$name refuses everyone it must, in the words of the contract, and allows everyone it must",
    async (way) => {
      const { route, row, accept } = way;
      const shared = await row.make(matrix.ours, "test");
      const wrong: string[] = [];
      const allowed: [string, Credentials][] = [];
      for (const [name, kind, credentials] of callers(route)) {
        const refusal = expectedRefusal(route.access, route.method, kind);
        if (!refusal) {
          allowed.push([name, credentials]);
          continue;
        }
        const reply = await askBy(way, shared, credentials);
        const seen = `${outcome(reply)} ${reply.headers["www-authenticate"] ?? "-"}`;
        const wanted = `${refusal.status} ${refusal.code} ${refusal.wwwAuthenticate ?? "-"}`;
        if (seen !== wanted) wrong.push(`${name}: wanted ${wanted}, got ${seen}`);
      }
      // What the refused callers asked for still exists: the first allowed caller requests the same.
      let fixture: Fixture | null = shared;
      for (const [name, credentials] of allowed) {
        fixture ??= await row.make(matrix.ours, "test");
        const reply = await askBy(way, fixture, fixture.cookie ? { ...credentials, ...fixture.cookie } : credentials);
        if (outcome(reply) !== letInAs(row)) wrong.push(`${name}: wanted ${letInAs(row)}, got ${reply.text}`);
        if (reply.status === 200 && !reply.headers["content-type"]?.startsWith(accept))
          wrong.push(`${name}: wanted ${accept}, got ${reply.headers["content-type"]}`);
        fixture = null;
      }
      expect(wrong).toEqual([]);
    },
  );

  test.each(WAYS)("$name is open to the operator, in the operator's own account", async (way) => {
    const fixture = await way.row.make(matrix.first, "test");
    const reply = await askBy(way, fixture, { ...matrix.first.owner.cookie, ...fixture.cookie });
    expect(outcome(reply)).toBe(letInAs(way.row));
  });
});

describe("HEAD and a trailing slash", () => {
  const reading = WAYS.filter(({ route }) => route.method === "GET");
  // Headers that state when, or how often, a request was answered.
  const steady = ({ headers }: HttpReply) => {
    const { date: _date, "x-request-id": _id, ratelimit: _rate, etag: _etag, connection: _c, ...rest } = headers;
    const { "keep-alive": _keep, "transfer-encoding": _chunked, "content-length": _length, ...kept } = rest;
    return kept;
  };

  test.each(reading)("$name answers HEAD as it answers GET, without a body", async (way) => {
    const fixture = await way.row.make(matrix.ours, "test");
    const credentials = { ...matrix.ours.owner.cookie, ...fixture.cookie };
    const noted = () => run<{ count: string }>(matrix.world.db, "select count(*) from audit_log");
    const before = await noted();
    const head = await askBy(way, fixture, credentials, "HEAD");
    expect(head.text).toBe("");
    expect(await noted(), "nothing is noted as read").toEqual(before);
    const get = await askBy(way, fixture, credentials);
    expect(head.status).toBe(get.status);
    expect(steady(head)).toEqual(steady(get));
    expect(outcome(await askBy(way, fixture, {}, "HEAD")).slice(0, 3)).toBe(
      outcome(await askBy(way, fixture, {})).slice(0, 3),
    );
  });

  test.each(WAYS.filter(({ row }) => row.letIn === undefined))(
    "$name is the same route with a trailing slash",
    async (way) => {
      const fixture = await way.row.make(matrix.ours, "test");
      const isOperators = way.route.access.by === "member" && way.route.access.role === "operator";
      const { cookie } = isOperators ? matrix.first.owner : matrix.ours.owner;
      const slashed = { ...way, route: { ...way.route, path: `${way.route.path}/` } };
      const own = isOperators ? await way.row.make(matrix.first, "test") : fixture;
      expect(outcome(await askBy(slashed, own, { ...cookie, ...own.cookie }))).toBe("200");
    },
  );

  test.each([
    "/",
    "/docs",
    "/docs/api",
    "/docs/errors",
    "/docs/errors.md",
    "/docs/status",
    "/docs/guides/quick-start",
    "/docs/guides/quick-start.md",
    "/docs/search.json",
    "/llms.txt",
    "/docs/start.js",
    "/api/v1/openapi.json",
    "/healthz",
    "/readyz",
    "/claim",
    "/reset",
    "/metrics",
  ])("the page %s too", async (path) => {
    const [get, head] = [await send(matrix.base, { path }), await send(matrix.base, { path, method: "HEAD" })];
    expect([head.status, head.text]).toEqual([get.status, ""]);
    expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
    if (path !== "/") expect((await send(matrix.base, { path: `${path}/` })).status).toBe(get.status);
  });
});

describe("what belongs to another account", () => {
  const isOperators = ({ access }: Route) => access.by === "member" && access.role === "operator";
  const naming = WAYS.filter(
    ({ route, row }) =>
      !isOperators(route) &&
      !row.isForAnyoneWho &&
      !row.isEverybodys &&
      (route.path.includes("{") || row.unknown || row.namesInBody),
  );

  test.each(naming)("$name answers exactly as it does for something that never existed", async (way) => {
    const { route, row } = way;
    const fixture = await row.make(matrix.ours, "test");
    const twin = unknownTwin(way, fixture);
    const strangers: Credentials[] = [
      ...(route.access.by === "key_or_member" ? [matrix.theirs.keys.test, matrix.theirs.keys.live] : []),
      matrix.theirs.owner.cookie,
      matrix.first.owner.cookie,
    ];
    for (const stranger of strangers) {
      const foreign = await askBy(way, fixture, stranger);
      expect(foreign.status, foreign.text).toBe(404);
      expect(bare(foreign)).toEqual(bare(await askBy(way, twin, stranger)));
    }
    expect(outcome(await askBy(way, fixture, matrix.ours.owner.cookie))).toBe(letInAs(row));
  });
});

describe("test and live", () => {
  const byKey = WAYS.filter(({ route }) => route.access.by === "key_or_member");
  const MODES = [
    ["test", "live"],
    ["live", "test"],
  ] as const;

  test.each(byKey)("$name works in both modes, by key, by header and by query", async (way) => {
    const { cookie } = matrix.ours.owner;
    for (const [mode] of MODES) {
      const asks: [Fixture, Credentials][] = [
        [await way.row.make(matrix.ours, mode), matrix.ours.keys[mode]],
        [await way.row.make(matrix.ours, mode), { ...cookie, "x-parley-mode": mode }],
        [withMode(await way.row.make(matrix.ours, mode), mode), cookie],
      ];
      for (const [fixture, credentials] of asks) {
        expect(outcome(await askBy(way, fixture, credentials))).toBe(letInAs(way.row));
      }
    }
  });

  test.each(byKey.filter(({ row }) => row.ofOneMode))("$name does not know what is of the other mode", async (way) => {
    const { cookie } = matrix.ours.owner;
    for (const [mode, other] of MODES) {
      const own = await way.row.make(matrix.ours, mode);
      const twin = unknownTwin(way, own);
      const asks: [Fixture, Fixture, Credentials][] = [
        [own, twin, matrix.ours.keys[other]],
        [own, twin, { ...cookie, "x-parley-mode": other }],
        [withMode(own, other), withMode(twin, other), cookie],
      ];
      for (const [across, unknown, credentials] of asks) {
        const reply = await askBy(way, across, credentials);
        expect(["404 call_not_found", "404 not_found"]).toContain(outcome(reply));
        expect(bare(reply)).toEqual(bare(await askBy(way, unknown, credentials)));
      }
    }
  });
});

const withMode = (fixture: Fixture, mode: string): Fixture => ({ ...fixture, query: { ...fixture.query, mode } });

describe("lists and exports", () => {
  const lists = WAYS.filter(
    ({ route, accept }) =>
      route.method === "GET" &&
      !route.path.includes("{") &&
      !accept.includes("stream") &&
      (route.access.by === "key_or_member" || (route.access.by === "member" && route.access.role !== "operator")),
  );

  test.each(lists)("$name shows nothing of another account", async (way) => {
    const accounts: MatrixAccount[] = [matrix.ours, matrix.theirs, matrix.first];
    for (const account of accounts) {
      const others = accounts.filter((other) => other !== account).flatMap(({ secrets }) => secrets);
      const byKeys = way.route.access.by === "key_or_member" ? [account.keys.test, account.keys.live] : [];
      for (const credentials of [...byKeys, account.owner.cookie]) {
        const { text } = await askBy(way, await way.row.make(account, "test"), credentials);
        expect(others.filter((secret) => text.includes(secret))).toEqual([]);
      }
    }
  });

  test("filters by another account's agent find nothing", async () => {
    const path = `/api/v1/calls?agentId=${matrix.ours.agentId}`;
    expect((await send(matrix.base, { path, headers: matrix.theirs.keys.test })).body.data).toEqual([]);
    expect((await send(matrix.base, { path, headers: matrix.ours.keys.test })).body.data.length).toBeGreaterThan(0);
  });

  test.each(["application/json", "text/csv"])("calls of the other mode are in no list as %s", async (accept) => {
    // The matrix places more calls than one page has.
    const list = async (credentials: Credentials) => {
      const pages: string[] = [];
      let after = "";
      do {
        const path = `/api/v1/calls?limit=100${after}`;
        const { text, body } = await send(matrix.base, { path, headers: { accept, ...credentials } });
        pages.push(text);
        after = body?.nextCursor ? `&cursor=${body.nextCursor}` : "";
      } while (after);
      return pages.join("\n");
    };
    const { calls, keys, owner } = matrix.ours;
    for (const [mode, other] of [["test", "live"] as const, ["live", "test"] as const]) {
      for (const credentials of [keys[mode], { ...owner.cookie, "x-parley-mode": mode }]) {
        const text = await list(credentials);
        expect(text).toContain(calls[mode]);
        expect(text).not.toContain(calls[other]);
      }
    }
  });
});

describe("live streams", () => {
  test("an account's stream reports its own calls in its own mode, and no others", async () => {
    const open = (credentials: Credentials) => readStream(matrix.base, "/api/v1/events", credentials);
    const streams = {
      own: await open(matrix.ours.keys.test),
      ownByCookie: await open(matrix.ours.owner.cookie),
      otherMode: await open(matrix.ours.keys.live),
      otherModeByCookie: await open({ ...matrix.ours.owner.cookie, "x-parley-mode": "live" }),
      stranger: await open(matrix.theirs.keys.test),
      operator: await open(matrix.first.owner.cookie),
    };
    const placed: string[] = [];
    for (const [account, mode] of [
      [matrix.ours, "test"],
      [matrix.theirs, "live"],
      [matrix.ours, "test"],
    ] as const) {
      const json = { phoneNumber: "+15550100001", agentId: account.agentId };
      const reply = await send(matrix.base, { path: "/api/v1/calls", headers: account.keys[mode], json });
      placed.push(reply.body.data.id);
    }
    const [one = "", , two = ""] = placed;
    await until(
      async () => streams.own.text(),
      (text) => text.includes(two),
      30_000,
    );
    await until(
      async () => streams.ownByCookie.text(),
      (text) => text.includes(two),
      30_000,
    );
    expect(streams.own.text()).toContain(one);
    for (const stream of [streams.otherMode, streams.otherModeByCookie, streams.stranger, streams.operator]) {
      expect(placed.filter((id) => stream.text().includes(id))).toEqual([]);
    }
    for (const stream of Object.values(streams)) stream.close();
  });
});
