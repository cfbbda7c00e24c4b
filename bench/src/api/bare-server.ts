import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { makeId } from "@parley/contract/ids";
import pg from "pg";

/**
 * The reference: bare node:http with bare `pg`, which trusts its caller and checks nothing. It sends the statements that
 * `POST /api/v1/calls` sends for a live key with an Idempotency-Key and a call that is charged, each prepared, in the
 * simplest way: one after the other, each awaited. They are copies, to be changed with those of the service.
 * Started as a process of its own: `node bare-server.ts DATABASE_URL ACCOUNT_ID KEY_ID CONNECTIONS`.
 */
const [url = "", accountId = "", keyId = "", connections = "16"] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: Number(connections) });

const NEEDS_MODEL =
  '$.nodes[*] ? ((@.type == "conversation" && !(@.optional == true)) || (@.type == "branch" && exists(@.prompts[0])))';
const BEGIN = `begin; select pg_current_xact_id()::text as id, clock_timestamp()::text as begun_at,
  pg_postmaster_start_time()::text as server_started_at`;
const SQL = {
  lock: "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked",
  find: `select fingerprint, status, body from idempotency_records where account_id = $1 and mode = $2 and method = $3 and path = $4
    and idempotency_key = $5 and asked_by = $6 and created_at > now() - interval '7 days'`,
  agent: `select a.published_version, v.version, v.engine, v.language,
      jsonb_path_exists(coalesce(v.expanded_flow, v.flow), $4::jsonpath) as needs_model
    from agents a
    left join agent_versions v on v.agent_id = a.id and v.version = coalesce($3::int, a.published_version)
    where a.id = $2 and a.account_id = $1 and a.deleted_at is null`,
  listAndCredit: `select available_micros,
      exists (select 1 from suppressions where account_id = $1 and phone_number = $2) as is_suppressed
    from account_balances where account_id = $1`,
  rate: `select prefix, per_minute_micros as route_micros,
      coalesce((select per_minute_micros from engine_rates where engine = $2), 0) as engine_micros
    from rates where prefix = any($1) order by length(prefix) desc limit 1`,
  move: `with day as (
      select coalesce($5::date, (now() at time zone 'utc')::date) as day
    ), account_spend as (
      insert into spend_days as s (spender_id, day, micros) select $1, day, $6 from day
      on conflict (spender_id, day) do update set micros = s.micros + excluded.micros returning micros
    ), key_spend as (
      insert into spend_days as s (spender_id, day, micros) select $3, day, $6 from day where $3::text is not null
      on conflict (spender_id, day) do update set micros = s.micros + excluded.micros returning micros
    ), balance as (
      select not b.was_low_told and b.available_micros + $8::bigint < a.credit_low_micros as is_low
      from account_spend, accounts a, account_balances b where a.id = $1 and b.account_id = $1
      for update of b
    )
    select post_transfer($7, $1, $4, $2, $11, $8, $9, $10, 0), account_spend.micros as account_micros, key_spend.micros as key_micros,
      (select daily_spend_cap_micros from api_keys where id = $3) as key_cap, (select day from day) as day,
      a.daily_spend_cap_micros as account_cap, a.call_spend_cap_micros as call_cap,
      a.destination_spend_cap_micros as destination_cap, coalesce(balance.is_low, false) as is_low
    from account_spend left join key_spend on true left join balance on true, accounts a where a.id = $1`,
  call: `insert into calls (id, account_id, mode, api_key_id, member_id, phone_number, agent_id, agent_version, engine, from_number,
      variables, metadata, consent, simulation, max_duration_seconds, ring_timeout_seconds, record, voicemail, gate,
      route_per_minute_micros, engine_per_minute_micros, held_micros, held_on,
      network, is_charged, scheduled_at, calling_hours, due_at, admitted_at, event_sequence,
      follows_call_id, redials)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
      case when $22::bigint > 0 then (now() at time zone 'utc')::date end, $23, $24, $25, $26,
      coalesce($27::timestamptz, clock_timestamp()), case when $27::timestamptz is null then clock_timestamp() end, 1, $28, $29
    from dispatch_lanes lane
    where lane.account_id = $2 and lane.mode = $3 and lane.queued_max > (
      select coalesce(sum(q.calls), 0) from queued_counts q where q.account_id = $2 and q.mode = $3
    )
    returning *`,
  event: `with event as (insert into call_events (call_id, sequence, type, data) values ($1, $2, $3, $4))
    select report_event($5, $6, $7, $3, $1, $2, $8) is not null as is_queued`,
  notify: "select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) n (channel, payload)",
  save: `insert into idempotency_records (account_id, mode, method, path, idempotency_key, asked_by, fingerprint, status, body)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (account_id, mode, method, path, idempotency_key, asked_by) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, created_at = clock_timestamp()`,
} as const;

createServer(async (request, reply) => {
  const text = await readAll(request);
  const envelope = await place(JSON.parse(text), text, String(request.headers["idempotency-key"]));
  reply.writeHead(200, { "content-type": "application/json" }).end(envelope);
}).listen(0, "127.0.0.1", function (this: { address(): unknown }) {
  console.log(JSON.stringify(this.address()));
});

async function place(
  body: { phoneNumber: string; agentId: string; engine: string },
  text: string,
  key: string,
): Promise<string> {
  const client = await pool.connect();
  const ask = (name: keyof typeof SQL, values: unknown[]) => client.query({ name, text: SQL[name], values });
  const scope = [accountId, "live", "POST", "/api/v1/calls", key, "key"];
  const id = makeId("call");
  const prefixes = Array.from(body.phoneNumber, (_, index) => body.phoneNumber.slice(0, index + 1));
  await client.query(BEGIN);
  await ask("lock", [scope.join("\n")]);
  await ask("find", scope);
  await ask("agent", [accountId, body.agentId, null, NEEDS_MODEL]);
  await ask("listAndCredit", [accountId, body.phoneNumber]);
  await ask("rate", [prefixes, body.engine]);
  const { phoneNumber, agentId, engine } = body;
  const gate = '{"decision":"allowed","reasons":["not_suppressed"]}';
  const { rows } = await ask("call", [
    id,
    accountId,
    "live",
    keyId,
    null,
    phoneNumber,
    agentId,
    1,
    engine,
    null,
    "{}",
    "{}",
    null,
    null,
    600,
    30,
    true,
    null,
    gate,
    20_000,
    10_000,
    60_000,
    "simulated",
    true,
    null,
    "wait",
    null,
    null,
    0,
  ]);
  const envelope = JSON.stringify({ success: true, data: rows[0] });
  const data = JSON.stringify({ phoneNumber, agentId, engine });
  await ask("event", [id, 1, "call.initiated", data, makeId("event"), accountId, "live", envelope]);
  await ask("save", [...scope, createHash("sha256").update(text).digest(), 200, envelope]);
  await ask("move", [accountId, id, keyId, "hold", null, 60_000, makeId("transfer"), -60_000, 60_000, 0, ""]);
  await client.query("commit");
  client.release();
  // The reply does not wait for it.
  const channels = ["parley_queued", "parley_calls"];
  const values = [channels, ["", `${accountId} live ${id} 1`]];
  pool.query({ name: "notify", text: SQL.notify, values }).catch(console.error);
  return envelope;
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}
