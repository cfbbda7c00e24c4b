import { SCOPES, type Scope } from "@parley/contract/scopes";
import { API_KEY_SCANNER, looksLikeApiKey, makeApiKey } from "@parley/server/accounts/api-keys/key-format";
import { type Database, run } from "@parley/server/platform/database/database";
import {
  addMember,
  byKey,
  type Credentials,
  claimFirst,
  createKey,
  dataOf,
  type SignedInMember,
  signUp,
} from "../harness/accounts.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { send } from "../harness/http-client.ts";
import { addRecording } from "../harness/recorded-call.ts";
import type { ServiceProcess } from "../harness/service-process.ts";

/** An account with one of everything that a path can name. */
export interface MatrixAccount {
  readonly base: string;
  readonly db: Database;
  readonly id: string;
  readonly owner: SignedInMember;
  readonly keys: { readonly test: Credentials; readonly live: Credentials };
  readonly agentId: string;
  readonly calls: { readonly test: string; readonly live: string };
  /** What no one else may ever be shown. */
  readonly secrets: readonly string[];
}

export interface MatrixWorld {
  readonly world: ApiWorld;
  readonly service: ServiceProcess;
  readonly base: string;
  /** The account whose resources are requested. */
  readonly ours: MatrixAccount;
  readonly theirs: MatrixAccount;
  /** The first account; its owner is the operator. */
  readonly first: MatrixAccount;
  readonly member: Credentials;
  /** Keys of our account that must never be accepted. */
  readonly deadKeys: Readonly<Record<string, Credentials>>;
  readonly elsewhere: Credentials;
  readonly only: (scope: Scope) => Credentials;
  readonly without: (scope: Scope) => Credentials;
}

export async function openMatrixWorld(scopes: ReadonlySet<Scope>): Promise<MatrixWorld> {
  const world = await openApiWorld();
  const service = await world.start({ PARLEY_RATE_LIMIT: "100000" });
  const base = service.url;
  const first = await furnish(world, base, await claimFirst(service));
  const ours = await furnish(world, base, await signUp(base));
  const theirs = await furnish(world, base, await signUp(base));
  const { cookie } = ours.owner;
  const byScope = async (choose: (scope: Scope) => Scope[]) =>
    new Map(
      await Promise.all(
        [...scopes].map(async (scope): Promise<[Scope, Credentials]> => {
          const { key } = await createKey(base, cookie, { scopes: choose(scope) });
          return [scope, byKey(key)];
        }),
      ),
    );
  const only = await byScope((scope) => [scope]);
  const without = await byScope((scope) => SCOPES.filter((other) => other !== scope));
  return {
    world,
    service,
    base,
    ours,
    theirs,
    first,
    member: (await addMember(base, cookie)).cookie,
    deadKeys: await makeDeadKeys(world, base, cookie),
    elsewhere: byKey((await createKey(base, cookie, { allowedIps: ["203.0.113.7"] })).key),
    only: (scope) => only.get(scope) ?? {},
    without: (scope) => without.get(scope) ?? {},
  };
}

async function makeDeadKeys(world: ApiWorld, base: string, owner: Credentials): Promise<Record<string, Credentials>> {
  const revoked = await createKey(base, owner);
  await send(base, { method: "DELETE", path: `/api/v1/api-keys/${revoked.id}`, headers: owner });
  const expired = await createKey(base, owner, { expiresAt: "2199-01-01T00:00:00Z" });
  await run(world.db, "update api_keys set expires_at = now() - interval '1 second' where id = $1", [expired.id]);
  const { key } = await createKey(base, owner);
  const badChecksum = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
  if (looksLikeApiKey(badChecksum) || !new RegExp(`^${API_KEY_SCANNER}$`).test(badChecksum))
    throw new Error("the key with the bad checksum is not one");
  return {
    "no Bearer": { authorization: "Bearer" },
    "Basic instead of Bearer": { authorization: `Basic ${Buffer.from(key).toString("base64")}` },
    "a malformed key": byKey("svc_test_short"),
    "a key with something behind it": byKey(`${key}x`),
    "a key with a bad checksum": byKey(badChecksum),
    "a well-formed key nobody made": byKey(makeApiKey("test")),
    "a revoked key": byKey(revoked.key),
    "an expired key": byKey(expired.key),
  };
}

async function furnish(world: ApiWorld, base: string, owner: SignedInMember): Promise<MatrixAccount> {
  const { cookie } = owner;
  const [test, live] = await Promise.all([createKey(base, cookie), createKey(base, cookie, { mode: "live" })]);
  const keys = { test: byKey(test.key), live: byKey(live.key) };
  const agents = dataOf(await send(base, { path: "/api/v1/agents", headers: cookie })) as { id: string }[];
  const agentId = agents[0]?.id ?? "";
  const suppressed = `+1555${owner.accountId.replaceAll(/\D/g, "").slice(-7).padStart(7, "3")}`;
  await send(base, { path: "/api/v1/suppressions", headers: cookie, json: { phoneNumber: suppressed } });
  const place = async (headers: Credentials): Promise<string> =>
    dataOf(await send(base, { path: "/api/v1/calls", headers, json: { phoneNumber: "+15550100001", agentId } })).id;
  const calls = { test: await place(keys.test), live: await place(keys.live) };
  for (const id of Object.values(calls)) await addRecording(world, id);
  return {
    base,
    db: world.db,
    id: owner.accountId,
    owner,
    keys,
    agentId,
    calls,
    secrets: [
      owner.accountId,
      owner.memberId,
      owner.email,
      test.id,
      live.id,
      ...agents.map(({ id }) => id),
      calls.test,
      calls.live,
      suppressed,
    ],
  };
}
