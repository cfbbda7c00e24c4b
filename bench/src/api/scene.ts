import { makeId } from "@parley/contract/ids";
import { SCOPES } from "@parley/contract/scopes";
import { makeApiKey } from "@parley/server/accounts/api-keys/key-format";
import { deriveSecrets } from "@parley/server/platform/config/secret";
import pg from "pg";

export const SECRET = "a-secret-for-benchmarks-that-is-long-enough";

export interface Scene {
  readonly accountId: string;
  readonly agentId: string;
  readonly keyId: string;
  readonly key: string;
}

/** An account that may do everything, with credit for millions of calls. */
export async function setScene(url: string): Promise<Scene> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const scene = {
    accountId: makeId("account"),
    agentId: makeId("agent"),
    keyId: makeId("apiKey"),
    key: makeApiKey("live"),
  };
  const { accountId, agentId, keyId, key } = scene;
  const flow = JSON.stringify({ schemaVersion: 1, variables: [], nodes: [] });
  const credit = 1_000_000_000_000;
  await client.query("begin");
  await client.query("insert into accounts (id, name) values ($1, 'Bench')", [accountId]);
  await client.query("insert into account_balances (account_id) values ($1)", [accountId]);
  await client.query(
    "insert into ledger_transfers (id, account_id, kind, available_micros, funded_micros) values ($1, $2, 'credit_added', $3, $4)",
    [makeId("transfer"), accountId, credit, -credit],
  );
  for (const mode of ["test", "live"]) {
    await client.query("insert into dispatch_lanes (account_id, mode, queued_max) values ($1, $2, 1000000)", [
      accountId,
      mode,
    ]);
  }
  await client.query(
    "insert into agents (id, account_id, name, language, flow) values ($1, $2, 'Bench', 'en-US', $3)",
    [agentId, accountId, flow],
  );
  await client.query(
    "insert into agent_versions (id, agent_id, version, note, language, flow) values ($1, $2, 1, '', 'en-US', $3)",
    [makeId("agentVersion"), agentId, flow],
  );
  await client.query("update agents set published_version = 1 where id = $1", [agentId]);
  await client.query(
    "insert into api_keys (id, account_id, mode, name, prefix, last_four, digest, scopes) values ($1, $2, 'live', 'Bench', '', '', $3, $4)",
    [keyId, accountId, deriveSecrets(SECRET).digest(key), SCOPES],
  );
  await client.query("commit");
  await client.end();
  return scene;
}

/** Fills the account's list with ended test calls, newest now. */
export async function fillCalls(url: string, scene: Scene, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into calls (id, account_id, mode, phone_number, agent_id, agent_version, engine, max_duration_seconds, ring_timeout_seconds,
       status, state, end_reason, ended_by, ended_at, created_at, duration_seconds, cost_micros)
     select 'call_' || lpad(n::text, 26, '0'), $1, 'live', '+1555' || lpad((n % 1000000)::text, 7, '0'), $2, 1, 'local', 600, 30,
       case when n % 4 = 0 then 'failed' else 'completed' end, 'ended', case when n % 4 = 0 then 'busy' else 'callee_hangup' end, 'callee',
       now() - make_interval(secs => n), now() - make_interval(secs => n), 10, 0
     from generate_series(1, $3::int) n`,
    [scene.accountId, scene.agentId, count],
  );
  await client.query("vacuum analyze calls");
  await client.query("checkpoint");
  await client.end();
}
