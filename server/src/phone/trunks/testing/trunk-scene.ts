import { makeId } from "@parley/contract/ids";
import { type CallRoute, createRouteCaller } from "../../../accounts/testing/call-route.ts";
import { deriveSecrets, type Secrets } from "../../../platform/config/secret.ts";
import { type Database, run } from "../../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import { createApiServer } from "../../../platform/http/api-server.ts";
import type { MemberActor } from "../../../platform/http/authenticate.ts";
import { createCursors } from "../../../platform/http/cursor.ts";
import type { BoundRoute } from "../../../platform/http/handler.ts";
import { createLocalLimiter } from "../../../platform/http/limits/rate-limit.ts";
import { createLog } from "../../../platform/telemetry/log.ts";
import { trunkRoutes } from "../routes.ts";

const SECRET = "a secret of the tests that is long enough";
const PUBLIC_URL = "http://parley.test";

export interface TrunkScene {
  readonly database: TestDatabase;
  readonly secrets: Secrets;
  /** The account the operator belongs to. */
  readonly accountId: string;
  readonly operatorId: string;
  /** `as: "operator"` and `as: "owner"` are signed in. */
  readonly call: CallRoute;
  /** The settings of the installation; a test may change them. */
  readonly reach: { publicUrl: string | null };
  /** Every line that was logged. */
  readonly logged: string[];
  close(): Promise<void>;
}

/** The routes about trunks behind the real HTTP kernel, on their own database. */
export async function openTrunkScene(
  postgresUrl: string,
  moreRoutes: (db: Database, secrets: Secrets) => readonly BoundRoute[] = () => [],
): Promise<TrunkScene> {
  const database = await createTestDatabase(postgresUrl);
  const { db } = database;
  const accountId = makeId("account");
  const operatorId = makeId("member");
  await run(db, "insert into accounts (id, name) values ($1, 'Operators')", [accountId]);
  const member = {
    ...({ kind: "member", accountId, role: "owner", email: null, lacksSecondFactor: false } as const),
    signInId: makeId("signIn"),
  };
  const people = new Map<string, MemberActor>([
    ["operator", { ...member, memberId: operatorId, isOperator: true }],
    ["owner", { ...member, memberId: makeId("member"), isOperator: false }],
  ]);
  const secrets = deriveSecrets(SECRET);
  const reach = { publicUrl: "https://parley.example" as string | null, vendorUrls: { twilio: null, telnyx: null } };
  const logged: string[] = [];
  const app = createApiServer({
    db,
    log: createLog("debug", { write: (line) => void logged.push(line) }),
    identities: { findKey: async () => null, findSignIn: async (token) => people.get(token) ?? null },
    routes: [
      ...trunkRoutes({ db, secrets, reach, cursors: createCursors(secrets.sign), reload: async () => undefined }),
      ...moreRoutes(db, secrets),
    ],
    cookieName: "parley",
    ownOrigins: () => [PUBLIC_URL],
    trustProxy: [],
    accountLimiter: createLocalLimiter("api", 100_000, Date.now),
    addressLimiter: createLocalLimiter("address", 100_000, Date.now),
    nowMs: Date.now,
    onReply: () => undefined,
  });
  return {
    database,
    secrets,
    accountId,
    operatorId,
    call: createRouteCaller(app, PUBLIC_URL),
    reach,
    logged,
    async close() {
      await app.close();
      await database.close();
    },
  };
}
