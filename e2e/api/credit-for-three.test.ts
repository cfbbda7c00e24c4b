import { run } from "@parley/server/platform/database/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, createKey, type SignedInMember, signUp } from "../harness/accounts.ts";
import { until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { send } from "../harness/http-client.ts";

const POSTS = 100;

let world: ApiWorld;
let urls: string[];
let owner: SignedInMember;

beforeAll(async () => {
  world = await openApiWorld();
  const first = await world.start({ PARLEY_RATE_LIMIT: "1000", PARLEY_CHARGE_SIMULATED_CALLS: "on" });
  // Two processes answer, and one of them dials.
  const second = await world.start({
    PARLEY_RATE_LIMIT: "1000",
    PARLEY_CHARGE_SIMULATED_CALLS: "on",
    PARLEY_ROLES: "api,calls",
    PARLEY_CONVERSATION_THREADS: "0",
  });
  urls = [first.url, second.url];
  owner = await signUp(first.url);
});
afterAll(() => world?.close());

test("of a hundred calls posted at once with credit for three, exactly three are dialed", async () => {
  const [account] = await run<{ id: string; agent_id: string }>(
    world.db,
    `select m.account_id as id, (select a.id from agents a where a.account_id = m.account_id and a.published_version is not null limit 1) as agent_id
     from members m where m.email = $1`,
    [owner.email],
  );
  if (!account) throw new Error("the account is not there");
  // Two minutes to this number cost 0.06 USD: what is left pays for three such calls, and nearly for a fourth.
  await run(
    world.db,
    `insert into ledger_transfers (id, account_id, kind, available_micros, funded_micros)
     values ('trf_three', $1, 'credit_removed', -(10000000 - 239999), 10000000 - 239999)`,
    [account.id],
  );
  const { key } = await createKey(urls[0] ?? "", owner.cookie, { mode: "live" });
  const json = { phoneNumber: "+15550100003", agentId: account.agent_id, engine: "local", ringTimeoutSeconds: 5 };
  const post = async (index: number): Promise<number> => {
    const { status } = await send(urls[index % urls.length] ?? "", {
      path: "/api/v1/calls",
      headers: byKey(key),
      json,
    });
    // Nothing was done for lack of a database connection: the reply says that it may be retried.
    return status === 503 ? post(index) : status;
  };
  const statuses = await Promise.all(Array.from({ length: POSTS }, (_, index) => post(index)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect(statuses.filter((status) => status === 402)).toHaveLength(POSTS - 3);

  const dialed = await until(
    () => run<{ id: string }>(world.db, "select distinct call_id as id from call_attempts where party = 'callee'"),
    (rows) => rows.length >= 3,
    30_000,
  );
  expect(dialed).toHaveLength(3);
  // No one answers there, so that nothing is charged and another call can be paid for.
  await until(
    () => run<{ state: string }>(world.db, "select state from calls"),
    (rows) => rows.every(({ state }) => state === "ended"),
    60_000,
  );
  const [balance] = await run(
    world.db,
    "select available_micros, held_micros from account_balances where account_id = $1",
    [account.id],
  );
  expect(balance).toEqual({ available_micros: 239_999n, held_micros: 0n });
  expect(await run(world.db, "select 1 from call_attempts")).toHaveLength(3);
}, 120_000);
