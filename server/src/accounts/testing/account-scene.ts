import { createHash } from "node:crypto";
import type { Me } from "@parley/contract/accounts";
import { claimAccount, inviteMember, signUp } from "@parley/contract/routes/members";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { type Listener, listen } from "../../platform/database/listen.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createApiServer } from "../../platform/http/api-server.ts";
import { createCursors } from "../../platform/http/cursor.ts";
import { createLocalLimiter } from "../../platform/http/limits/rate-limit.ts";
import type { Mail } from "../../platform/mail/send-mail.ts";
import { createLog } from "../../platform/telemetry/log.ts";
import type { AccountDeps } from "../account-deps.ts";
import { API_KEYS_CHANNEL, createKeyLookup, type KeyLookup } from "../api-keys/key-lookup.ts";
import { apiKeyRoutes } from "../api-keys/routes.ts";
import { auditRoutes } from "../audit/routes.ts";
import type { PasswordHasher } from "../credentials/password-hash.ts";
import { createPasswordJudge } from "../credentials/password-judge.ts";
import { cookieNameFor, createSignInFinder } from "../credentials/sessions.ts";
import { deviceSignInRoutes } from "../device-sign-in/routes.ts";
import { accountRoutes } from "../routes.ts";
import { type CallRoute, createRouteCaller } from "./call-route.ts";

const PUBLIC_URL = "http://parley.test";
/** One for all scenes of the process, because it loads its dictionaries for a second. Its thread ends when it is idle. */
const judge = createPasswordJudge();
export const PASSWORD = "gurke tisch wolke";

export interface SignedInPerson {
  /** The token of the cookie. */
  readonly token: string;
  readonly me: Me;
  readonly email: string;
}

export interface AccountScene {
  readonly database: TestDatabase;
  readonly deps: AccountDeps;
  readonly lookup: KeyLookup;
  readonly call: CallRoute;
  readonly mails: Mail[];
  /** How many passwords were hashed or checked so far. */
  readonly hashCount: () => number;
  signUp(): Promise<SignedInPerson>;
  /** Invites a person into the owner's account and lets them accept. */
  join(ownerToken: string, role?: "owner" | "member"): Promise<SignedInPerson>;
  close(): Promise<void>;
}

export interface SceneOptions {
  readonly signUp?: "open" | "closed";
  readonly publicUrl?: string;
  readonly hasMail?: boolean;
  readonly operatorsNeedSecondFactor?: boolean;
  /** The clock of codes; keys and limits keep the real one. */
  readonly nowMs?: () => number;
  /** The default is quick and not safe. */
  readonly hasher?: PasswordHasher;
}

/** The routes about people and keys behind the real HTTP kernel, on their own database. */
export async function openAccountScene(postgresUrl: string, options: SceneOptions = {}): Promise<AccountScene> {
  const database = await createTestDatabase(postgresUrl);
  const { db } = database;
  const publicUrl = options.publicUrl ?? PUBLIC_URL;
  const secrets = deriveSecrets("a secret of the tests that is long enough");
  const mails: Mail[] = [];
  const quickHasher = createQuickHasher();
  const deps: AccountDeps = {
    db,
    secrets,
    cursors: createCursors(secrets.sign),
    hasher: options.hasher ?? quickHasher,
    judge,
    mailer:
      options.hasMail === false
        ? null
        : { send: (mail) => void mails.push(mail), settled: async () => undefined, close: async () => undefined },
    publicUrl: () => publicUrl,
    signUp: options.signUp ?? "open",
    operatorsNeedSecondFactor: options.operatorsNeedSecondFactor ?? false,
    nowMs: options.nowMs ?? Date.now,
    addSampleAgents: async () => undefined,
  };
  const listener = await openListener(database.url);
  const lookup = createKeyLookup({ db, listener, secrets, nowMs: Date.now, onError: () => undefined });
  const app = createApiServer({
    db,
    log: createLog("silent"),
    identities: {
      findKey: lookup.findKey,
      findSignIn: createSignInFinder(db, secrets, deps.operatorsNeedSecondFactor),
    },
    routes: [...accountRoutes(deps), ...auditRoutes(deps), ...apiKeyRoutes(deps), ...deviceSignInRoutes(deps)],
    cookieName: cookieNameFor(publicUrl),
    ownOrigins: () => [publicUrl],
    trustProxy: [],
    accountLimiter: createLocalLimiter("api", 10_000, Date.now),
    addressLimiter: createLocalLimiter("address", 10_000, Date.now),
    nowMs: Date.now,
    onReply: () => undefined,
  });
  const call = createRouteCaller(app, publicUrl);

  return {
    database,
    deps,
    lookup,
    call,
    mails,
    hashCount: () => quickHasher.count,
    async signUp() {
      const email = nextEmail();
      const reply = await call(signUp, { body: { email, password: PASSWORD }, ip: nextIp() });
      return { token: reply.token, me: reply.data, email };
    },
    async join(ownerToken, role = "member") {
      const email = nextEmail();
      const invited = await call(inviteMember, { as: ownerToken, body: { email, role } });
      const body = { token: tokenIn(invited.data.inviteUrl), password: PASSWORD };
      const reply = await call(claimAccount, { body, ip: nextIp() });
      return { token: reply.token, me: reply.data, email };
    },
    async close() {
      await app.close();
      await lookup.stop();
      await listener.close();
      await database.close();
    },
  };
}

export async function openListener(url: string): Promise<Listener> {
  const listener = listen(url, [API_KEYS_CHANNEL], () => undefined);
  await new Promise<void>((resolve) => {
    const stop = listener.onReconnect(() => {
      stop();
      resolve();
    });
  });
  return listener;
}

/** The token at the end of a link. */
export function tokenIn(url: string): string {
  const token = new URL(url).searchParams.get("token");
  if (!token) throw new Error(`there is no token in ${url}`);
  return token;
}

let lastNumber = 0;

export function nextEmail(): string {
  lastNumber += 1;
  return `person${lastNumber}@example.com`;
}

/** An address that no other test has used up. */
export function nextIp(): string {
  lastNumber += 1;
  return `198.18.${Math.floor(lastNumber / 250)}.${(lastNumber % 250) + 1}`;
}

/** Replaces argon2id where a test needs many passwords. It counts calls and is fast and insecure. */
function createQuickHasher(): PasswordHasher & { readonly count: number } {
  let count = 0;
  const digest = (password: string) => `quick:${createHash("sha256").update(password).digest("hex")}`;
  return {
    async hash(password) {
      count += 1;
      return digest(password);
    },
    async verify(password, stored) {
      count += 1;
      return digest(password) === stored;
    },
    get count() {
      return count;
    },
  };
}
