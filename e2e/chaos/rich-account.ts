import { type Database, run } from "@parley/server/platform/database/database";
import { ask } from "../harness/api-client.ts";

const CALLS_AT_ONCE = 60;
const CALLS_PER_SECOND = 25;
const CREDIT_MICROS = 1_000_000_000n;

/** Claims the installation and creates a key for live calls. */
export async function createLiveKey(url: string, claimToken: string): Promise<string> {
  const headers = { origin: url };
  const claim = { token: claimToken, email: "owner@example.com", password: "four quiet green lamps" };
  const claimed = await ask(url, "/auth/claim", { body: claim, headers });
  const cookie = claimed.headers.get("set-cookie")?.split(";")[0];
  if (claimed.status !== 200 || !cookie) throw new Error(`not claimed: ${JSON.stringify(claimed.body)}`);
  const body = { name: "chaos", mode: "live" };
  const made = await ask(url, "/api/v1/api-keys", { body, headers: { ...headers, cookie } });
  if (made.status !== 200) throw new Error(`no live key: ${JSON.stringify(made.body)}`);
  return made.body.data.key as string;
}

/** A new account may make two calls a second from ten dollars; that is too little work to be killed in. */
export async function raiseLimits(db: Database): Promise<void> {
  await run(db, "update dispatch_lanes set concurrency_max = $1, calls_per_second = $2", [
    CALLS_AT_ONCE,
    CALLS_PER_SECOND,
  ]);
  await run(
    db,
    `insert into ledger_transfers (id, account_id, kind, available_micros, funded_micros)
     select 'trf_chaos', id, 'credit_added', $1::bigint, -$1::bigint from accounts`,
    [CREDIT_MICROS],
  );
}
