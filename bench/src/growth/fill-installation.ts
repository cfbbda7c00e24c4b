import pg from "pg";
import type { Scene } from "../api/scene.ts";

/** How large an installation is. */
export interface InstallationSize {
  readonly accounts: number;
  /** Ended calls, over the last year. */
  readonly calls: number;
  readonly queued: number;
}

/** What most measurements look at: a tenth of the ended calls is of this account, and it has scheduled calls. */
const SCHEDULED_PER_QUEUED = 0.1;
/** At most so many accounts have calls waiting at the same time. Every other one has as many calls as it may have. */
const WAITING_LANES_MAX = 1000;
const ENDPOINTS = 100;
/** A word that is said in so many of the account's calls, however many there are. */
export const RARE_WORD = "marzipan";
const CALLS_WITH_RARE_WORD = 50;

// Ids sort by time, and so do those that are made here.
const MAKE_ID = `create function pg_temp.make_id(prefix text, at timestamptz) returns text language plpgsql as $$
  declare rest bigint := (extract(epoch from at) * 1000)::bigint; chars text := '';
  begin
    for i in 1..10 loop
      chars := substr('0123456789abcdefghjkmnpqrstvwxyz', (rest % 32)::int + 1, 1) || chars;
      rest := rest / 32;
    end loop;
    return prefix || '_' || chars || right(replace(gen_random_uuid()::text, '-', ''), 16);
  end $$`;

const CALL_COLUMNS = `id, account_id, mode, phone_number, agent_id, agent_version, engine, max_duration_seconds, ring_timeout_seconds,
  created_at, status, state, due_at`;

/** Fills the database of a scene by bulk statements. */
export async function fillInstallation(url: string, scene: Scene, size: InstallationSize): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run = (sql: string, values: readonly unknown[] = []) => client.query(sql, [...values]);
  try {
    await run("set synchronous_commit = off");
    await run(MAKE_ID);
    await run(
      `insert into accounts (id, name) select 'acc_' || lpad(n::text, 26, '0'), 'Account ' || n from generate_series(1, $1::int) n`,
      [size.accounts],
    );
    await run("insert into account_balances (account_id) select id from accounts on conflict do nothing");
    await run(
      `insert into dispatch_lanes (account_id, mode, concurrency_max, calls_per_second)
       select id, mode, 100000, 100000 from accounts, unnest(array['test', 'live']) mode on conflict do nothing`,
    );
    // Foreign keys and triggers are about what the program writes, and would take most of the time.
    await run("set session_replication_role = replica");
    await fillCalls(run, scene, size);
    await fillWebhooks(run, scene, size);
    await run("set session_replication_role = origin");
    await fillQueue(run, scene, size);
    await run("vacuum analyze");
    await run("checkpoint");
  } finally {
    await client.end();
  }
}

type Run = (sql: string, values?: readonly unknown[]) => Promise<unknown>;

async function fillCalls(run: Run, scene: Scene, { accounts, calls }: InstallationSize): Promise<void> {
  await run(
    `insert into calls (${CALL_COLUMNS}, answered_at, ended_at, end_reason, ended_by, duration_seconds, cost_micros)
     select pg_temp.make_id('call', at), case when n % 10 = 0 then $1 else 'acc_' || lpad((n % $3::int + 1)::text, 26, '0') end, 'live',
       '+1555' || lpad((n % 1000000)::text, 7, '0'), $2, 1, 'local', 600, 30, at, case when n % 4 = 1 then 'failed' else 'completed' end, 'ended', at,
       case when n % 4 <> 1 then at end, at + interval '1 minute', case when n % 4 = 1 then 'busy' else 'callee_hangup' end, 'callee', 10, 0
     from (select n, now() - interval '365 days' * n / $4::int as at from generate_series(1, $4::int) n) made`,
    [scene.accountId, scene.agentId, accounts, calls],
  );
  await run(
    `insert into call_events (call_id, sequence, type, created_at)
     select id, sequence, type, created_at from calls, (values (1, 'call.initiated'), (2, 'call.dialing'), (3, 'call.completed')) e (sequence, type)
     where state = 'ended'`,
  );
  await run(
    `insert into transcript_words (call_id, words)
     select id, to_tsvector('simple', 'appointment tomorrow ' || phone_number || case when place <= $2 then ' ${RARE_WORD}' else '' end)
       || array_to_tsvector(array[account_id || ':' || mode])
     from (select *, row_number() over (order by id) as place from calls where answered_at is not null and account_id = $1) answered`,
    [scene.accountId, CALLS_WITH_RARE_WORD],
  );
  await run(
    `insert into usage_quarters (account_id, mode, quarter_at, end_reason, calls, answered, failed, talk_seconds, cost_micros)
     select account_id, mode, quarter_of(created_at), end_reason, count(*), count(answered_at), count(*) filter (where status = 'failed'),
       sum(duration_seconds), sum(cost_micros)
     from calls where state = 'ended' group by 1, 2, 3, 4`,
  );
}

/** Endpoints of a hundred accounts, each with a delivery that waits, and all that was delivered in the last weeks. */
async function fillWebhooks(run: Run, scene: Scene, { calls }: InstallationSize): Promise<void> {
  await run(
    `insert into webhook_endpoints (id, account_id, mode, url, headers_sealed, secret_sealed)
     select 'whk_' || lpad(n::text, 26, '0'), $1, 'test', 'https://example.com/' || n, '', '' from generate_series(1, $2::int) n`,
    [scene.accountId, ENDPOINTS],
  );
  await run(
    `with made as (
       select n, pg_temp.make_id('evt', at) as id, at from (
         select n, now() - interval '60 days' * n / $2::int as at from generate_series(1, $2::int) n
       ) moments
     ), events as (
       insert into outbox (id, account_id, mode, type, body, created_at) select id, $1, 'test', 'call.completed', '{}', at from made
     )
     insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, attempt_count, next_attempt_at, created_at)
     select pg_temp.make_id('dlv', at), 'whk_' || lpad((n % $3::int + 1)::text, 26, '0'), id, 'call.completed',
       case when n <= $3::int then 'pending' else 'delivered' end, 1, case when n <= $3::int then timestamptz '-infinity' end, at
     from made`,
    [scene.accountId, Math.max(2 * ENDPOINTS, calls / 10), ENDPOINTS],
  );
}

async function fillQueue(run: Run, scene: Scene, { accounts, queued }: InstallationSize): Promise<void> {
  const lanes = Math.min(accounts, WAITING_LANES_MAX);
  await run(
    `insert into calls (${CALL_COLUMNS})
     select pg_temp.make_id('call', now()), 'acc_' || lpad((n % $2::int + 1)::text, 26, '0'), 'live', '+15550100002', $1, 1, 'local', 600, 30,
       now(), 'initiated', 'queued', now()
     from generate_series(1, $3::int) n`,
    [scene.agentId, lanes, queued],
  );
  await run(
    `insert into calls (${CALL_COLUMNS}, scheduled_at)
     select pg_temp.make_id('call', now()), $1, 'live', '+15550100002', $2, 1, 'local', 600, 30,
       now(), 'initiated', 'queued', now() + interval '1 day', now() + interval '1 day'
     from generate_series(1, $3::int) n`,
    [scene.accountId, scene.agentId, Math.max(1, queued * SCHEDULED_PER_QUEUED)],
  );
  await run(
    `update dispatch_lanes set concurrency_max = 20, active_count = 20
     where mode = 'live' and account_id in (select 'acc_' || lpad((2 * n)::text, 26, '0') from generate_series(1, $1::int / 2) n)`,
    [lanes],
  );
}
