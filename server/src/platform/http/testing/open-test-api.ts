import type { ErrorReply } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import { SCOPES } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { deriveSecrets } from "../../config/secret.ts";
import type { Database } from "../../database/database.ts";
import { createLog } from "../../telemetry/log.ts";
import { createApiServer } from "../api-server.ts";
import { type Cursors, createCursors } from "../cursor.ts";
import type { BoundRoute } from "../handler.ts";
import { createLocalLimiter } from "../limits/rate-limit.ts";

/** The envelope, before the contract has been asked about what is in it. */
interface TestBody {
  readonly success: boolean;
  readonly data?: unknown;
  readonly nextCursor?: string | null;
  readonly error?: ErrorReply["error"];
}

/** A reply as a client sees it. */
interface TestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: TestBody;
  /** What was answered, which must be exactly what the contract says. */
  read<S extends z.ZodType>(schema: S): z.output<S>;
  readPage<S extends z.ZodType>(schema: S): { readonly data: z.output<S>[]; readonly nextCursor: string | null };
}

const Success = z.strictObject({ success: z.literal(true), data: z.unknown() });
const Page = z.strictObject({
  success: z.literal(true),
  data: z.array(z.unknown()),
  nextCursor: z.string().nullable(),
});

interface TestRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mode?: Mode;
}

/** One account's view of the API, with a key that has every scope. */
export interface TestClient {
  readonly accountId: string;
  send(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, request?: TestRequest): Promise<TestReply>;
}

export interface TestApi {
  readonly app: FastifyInstance;
  /** Creates an account with an empty balance and both lanes. */
  addAccount(name: string): Promise<TestClient>;
  close(): Promise<void>;
}

/** The real HTTP kernel over the given routes; the key `svc_<mode>_<account id>` acts for that account. */
export function openTestApi(db: Database, routesOf: (cursors: Cursors) => readonly BoundRoute[]): TestApi {
  const limiter = createLocalLimiter("api", 100_000, Date.now);
  const cursors = createCursors(deriveSecrets("a secret that is only used in tests").sign);
  const app = createApiServer({
    db,
    log: createLog("error"),
    identities: {
      async findKey(key) {
        const [, mode, accountId] = /^svc_(test|live)_(\w+)$/.exec(key) ?? [];
        if (!accountId) return null;
        const identity = { kind: "key", keyId: `key_${accountId}`, accountId, mode: mode as Mode } as const;
        return {
          actor: { ...identity, scopes: new Set(SCOPES), dailySpendCapMicros: null },
          allowedIps: [],
          expiresAtMs: null,
        };
      },
      findSignIn: async () => null,
    },
    routes: routesOf(cursors),
    cookieName: "parley",
    ownOrigins: () => [],
    trustProxy: [],
    accountLimiter: limiter,
    addressLimiter: limiter,
    nowMs: Date.now,
    onReply: () => undefined,
  });

  return {
    app,
    async addAccount(name) {
      const accountId = makeId("account");
      await db.insertInto("accounts").values({ id: accountId, name }).execute();
      await db.insertInto("account_balances").values({ account_id: accountId }).execute();
      const lanes = (["test", "live"] as const).map((mode) => ({ account_id: accountId, mode }));
      await db.insertInto("dispatch_lanes").values(lanes).execute();
      return { accountId, send: (method, path, request) => send(app, accountId, method, path, request) };
    },
    close: async () => app.close(),
  };
}

async function send(
  app: FastifyInstance,
  accountId: string,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  { body, headers, mode = "test" }: TestRequest = {},
): Promise<TestReply> {
  const reply = await app.inject({
    method,
    url: `/api/v1${path}`,
    headers: {
      authorization: `Bearer svc_${mode}_${accountId}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  const envelope: TestBody = reply.json();
  return {
    status: reply.statusCode,
    headers: reply.headers,
    body: envelope,
    read: (schema) => schema.parse(Success.parse(envelope).data),
    readPage(schema) {
      const { data, nextCursor } = Page.parse(envelope);
      return { data: data.map((each) => schema.parse(each)), nextCursor };
    },
  };
}

/** Follows a list to its end, page by page. */
export async function walkPages<S extends z.ZodType>(
  client: TestClient,
  path: string,
  limit: number,
  schema: S,
): Promise<z.output<S>[]> {
  const seen: z.output<S>[] = [];
  let cursor: string | null = null;
  do {
    const reply: TestReply = await client.send("GET", `${path}?limit=${limit}${cursor ? `&cursor=${cursor}` : ""}`);
    const page = reply.readPage(schema);
    seen.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor);
  return seen;
}
