import pg from "pg";
import type { Scene } from "../api/scene.ts";

/** How large an installation is. */
export interface InstallationSize {
  readonly accounts: number;
  /** Ended calls, over the last year. */
  readonly calls: number;
  readonly queued: number;
}

/** The accounts whose requests are measured. */
export interface MeasuredAccounts {
  /** A tenth of all ended calls is of this one, and it has scheduled calls: it grows with the installation. */
  readonly large: Scene;
  /** This one does the same in every installation, so that what it asks for has to cost the same. */
  readonly steady: Scene;
}

export const STEADY_CALLS = 500;
const SCHEDULED_PER_QUEUED = 0.1;
/** So many calls wait in a lane, and so many deliveries for an endpoint: the more wait, the more of these there are. */
const WAITING_EACH = 10;
/** A word that is said in so many of the large account's calls, however many there are. */
export const RARE_WORD = "marzipan";
const CALLS_WITH_RARE_WORD = 50;
const SPLIT_TABLES = ["call_events", "transcript_items", "transcript_revisions", "recording_peaks"];
/** Reports to webhooks are kept for 90 days, and `check` expects them for 89. */
const REPORTS_KEPT_DAYS = 90;

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

/**
 * Fills the database of two scenes by bulk statements, with all rows that such calls leave behind: `check` finds nothing
 * wrong with them.
 */
export async function fillInstallation(
  url: string,
  { large, steady }: MeasuredAccounts,
  size: InstallationSize,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run = (sql: string, values: readonly unknown[] = []) => client.query(sql, [...values]);
  try {
    await run("set synchronous_commit = off");
    await run("set work_mem = '128MB'");
    await run(MAKE_ID);
    await splitPastMonths(run);
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
    await chooseCalls(run, large, steady, size);
    await fillCalls(run);
    await fillTranscripts(run, large);
    await fillUsage(run);
    await fillWebhooks(run, size);
    await run("drop table made");
    await run("set session_replication_role = origin");
    await fillQueue(run, large, size);
    await run("vacuum analyze");
    await run("checkpoint");
  } finally {
    await client.end();
  }
}

type Run = (sql: string, values?: readonly unknown[]) => Promise<unknown>;

/** As in an installation that has run for more than a year: a partition for each month, instead of one for all before. */
async function splitPastMonths(run: Run): Promise<void> {
  for (const table of SPLIT_TABLES) {
    await run(`drop table ${table}_first`);
    for (let month = -13; month <= 1; month += 1)
      await run("select add_month($1, now() + make_interval(months => $2))", [table, month]);
  }
}

async function chooseCalls(
  run: Run,
  large: Scene,
  steady: Scene,
  { accounts, calls }: InstallationSize,
): Promise<void> {
  await run(
    `create temp table made as
     select pg_temp.make_id('call', at) as id, *, n % 4 <> 1 as is_answered from (
       select n, case when n % 10 = 0 then $1 else 'acc_' || lpad((n % $3::int + 1)::text, 26, '0') end as account_id, $2 as agent_id,
         now() - interval '365 days' * n / $4::int as at
       from generate_series(1, $4::int) n
       union all
       select n, $5, $6, now() - interval '30 days' * n / $7::int from generate_series(1, $7::int) n
     ) chosen`,
    [large.accountId, large.agentId, accounts, calls, steady.accountId, steady.agentId, STEADY_CALLS],
  );
  await run("analyze made");
}

async function fillCalls(run: Run): Promise<void> {
  await run(
    `insert into calls (${CALL_COLUMNS}, admitted_at, dialing_at, fence, event_sequence, answered_at, ended_at, end_reason, ended_by,
       duration_seconds, cost_micros)
     select id, account_id, 'live', '+1555' || lpad((n % 1000000)::text, 7, '0'), agent_id, 1, 'local', 600, 30, at,
       case when is_answered then 'completed' else 'failed' end, 'ended', at, at, at, 1, 3, case when is_answered then at end,
       at + interval '1 minute', case when is_answered then 'callee_hangup' else 'busy' end, 'callee', 10, 0
     from made`,
  );
  await run("insert into workers (id, slots_max) values ('wrk_00000000000000000000000001', 1)");
  await run(
    `insert into call_runs (id, call_id, fence, worker_id, claimed_at, renewed_at, lease_expires_at, ended_at, outcome)
     select 'run' || substr(id, 5), id, 1, 'wrk_00000000000000000000000001', at, at, at, at, 'ended' from made`,
  );
  await run(
    `insert into call_attempts (call_id, ordinal, run_id, carrier, dial_id, created_at, ended_at)
     select id, 1, 'run' || substr(id, 5), 'simulated', 'dial' || substr(id, 5), at, at from made`,
  );
  await run(
    `insert into call_events (call_id, sequence, type, created_at)
     select id, sequence, coalesce(type, case when is_answered then 'call.completed' else 'call.failed' end), at
     from made, (values (1, 'call.initiated'), (2, 'call.dialing'), (3, null)) e (sequence, type)`,
  );
}

/** How long the callee waited for the reply of call `n`. */
const REPLY_MS = "500 + (n % 13) * 50";

/** A greeting, an answer and the reply to it, in each answered call. */
async function fillTranscripts(run: Run, large: Scene): Promise<void> {
  await run(
    `insert into transcript_items (call_id, ordinal, type, turn, start_ms, item)
     select id, ordinal, type, turn, start_ms, jsonb_build_object('type', type, 'startMs', start_ms) || case type
       when 'node' then jsonb_build_object('nodeId', 'greeting')
       else jsonb_build_object('role', role, 'turn', turn, 'text', text, 'heardText', text, 'interrupted', false, 'endMs', start_ms + 2000,
         'words', '[]'::jsonb, 'timing', case when ordinal = 4 then jsonb_build_object('holdMs', 240, 'recognitionMs', 60, 'decisionMs', 40,
           'firstAudioMs', ${REPLY_MS} - 340, 'totalMs', ${REPLY_MS}, 'ducks', 0, 'interruptions', 0, 'undos', 0) end) end
     from made, (values
       (1, 'node', null, null, 0, null),
       (2, 'speech', 'agent', 0, 100, 'Hello, this is the practice calling about your appointment tomorrow at ten. Does that still suit you?'),
       (3, 'speech', 'callee', 1, 3000, 'Yes, I will be there, thank you.'),
       (4, 'speech', 'agent', 1, 6000, 'Wonderful, we look forward to seeing you. Goodbye.')
     ) i (ordinal, type, role, turn, start_ms, text)
     where is_answered`,
  );
  await run(
    `insert into transcript_words (call_id, words)
     select id, to_tsvector('simple', 'appointment tomorrow ' || n || case when place <= $2 then ' ${RARE_WORD}' else '' end)
       || array_to_tsvector(array[account_id || ':live'])
     from (select *, row_number() over (order by id) as place from made where is_answered and account_id = $1) answered`,
    [large.accountId, CALLS_WITH_RARE_WORD],
  );
}

/** What the triggers of ended calls would have counted. */
async function fillUsage(run: Run): Promise<void> {
  await run(
    `insert into usage_quarters (account_id, mode, quarter_at, end_reason, calls, answered, failed, talk_seconds, cost_micros, interruptions)
     select account_id, mode, quarter_of(created_at), end_reason, count(*), count(answered_at), count(*) filter (where status = 'failed'),
       sum(duration_seconds), sum(cost_micros), 0
     from calls where state = 'ended' group by 1, 2, 3, 4`,
  );
  await run(
    `insert into usage_replies (account_id, mode, quarter_at, bin, replies)
     select account_id, 'live', quarter_of(at), reply_bin(${REPLY_MS}), count(*) from made where is_answered group by 1, 2, 3, 4`,
  );
  await run(
    `insert into usage_hours (account_id, mode, hour_at, agent_id, agent_version, engine, api_key_id, outcome, calls, answered, failed,
       talk_seconds, cost_micros, turns, interruptions, incidents, replies)
     select account_id, 'live', date_trunc('hour', at, 'utc'), agent_id, 1, 'local', '',
       case when is_answered then 'callee_hangup' else 'busy' end, count(*), count(*) filter (where is_answered),
       count(*) filter (where not is_answered), sum(10), 0, count(*) filter (where is_answered), 0, 0,
       coalesce(sum(('1' || repeat('0', 12 * reply_bin(${REPLY_MS})))::numeric) filter (where is_answered), 0)
     from made group by 1, 2, 3, 4, 5, 6, 7, 8`,
  );
}

/**
 * An endpoint of every account, to which the ends of its calls of the last 90 days were delivered, and events that have not
 * been sent yet for some of them: as many as there are queued calls.
 */
async function fillWebhooks(run: Run, { queued }: InstallationSize): Promise<void> {
  await run(
    `insert into webhook_endpoints (id, account_id, mode, url, headers_sealed, secret_sealed)
     select 'whk' || substr(id, 4), id, 'live', 'https://example.com/' || id, '', '' from accounts`,
  );
  await run(
    `insert into outbox (id, account_id, mode, type, call_id, sequence, body, created_at)
     select 'evt' || substr(id, 5), account_id, 'live', case when is_answered then 'call.completed' else 'call.failed' end, id, 3,
       jsonb_build_object('id', 'evt' || substr(id, 5), 'data', jsonb_build_object('id', id, 'note', repeat('x', 500))), at
     from made where at > now() - interval '${REPORTS_KEPT_DAYS} days'`,
  );
  await run(
    `insert into webhook_deliveries (id, endpoint_id, event_id, event_type, call_id, status, attempt_count, created_at, delivered_at)
     select 'dlv' || substr(id, 4), 'whk' || substr(account_id, 4), id, type, call_id, 'delivered', 1, created_at, created_at from outbox`,
  );
  await run(
    `insert into webhook_attempts (delivery_id, fence, started_at, latency_ms, is_success, status, reason)
     select id, 1, created_at, 100, true, 200, 'delivered' from webhook_deliveries`,
  );
  await run(
    `with made as (
       select n, pg_temp.make_id('evt', now()) as id, a.id as account_id
       from generate_series(1, $1::int) n
       join (select id, row_number() over (order by id) - 1 as place from accounts) a on a.place = n / ${WAITING_EACH}
         % (select count(*) from accounts)
     ), events as (
       insert into outbox (id, account_id, mode, type, body) select id, account_id, 'live', 'webhook.test', '{}' from made
     )
     insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, next_attempt_at)
     select 'dlv' || substr(id, 4), 'whk' || substr(account_id, 4), id, 'webhook.test', 'pending', '-infinity' from made`,
    [queued],
  );
}

async function fillQueue(run: Run, large: Scene, { accounts, queued }: InstallationSize): Promise<void> {
  const lanes = Math.max(2, Math.min(accounts, Math.floor(queued / WAITING_EACH)));
  await run(
    `insert into calls (${CALL_COLUMNS})
     select pg_temp.make_id('call', now()), 'acc_' || lpad((n % $2::int + 1)::text, 26, '0'), 'live', '+15550100002', $1, 1, 'local', 600, 30,
       now(), 'initiated', 'queued', now()
     from generate_series(1, $3::int) n`,
    [large.agentId, lanes, queued],
  );
  await run(
    `insert into calls (${CALL_COLUMNS}, scheduled_at)
     select pg_temp.make_id('call', now()), $1, 'live', '+15550100002', $2, 1, 'local', 600, 30,
       now(), 'initiated', 'queued', now() + interval '1 day', now() + interval '1 day'
     from generate_series(1, $3::int) n`,
    [large.accountId, large.agentId, Math.max(1, queued * SCHEDULED_PER_QUEUED)],
  );
  // Every other lane has no room.
  await run(
    `update dispatch_lanes set concurrency_max = 0
     where mode = 'live' and account_id in (select 'acc_' || lpad((2 * n)::text, 26, '0') from generate_series(1, $1::int / 2) n)`,
    [lanes],
  );
}
