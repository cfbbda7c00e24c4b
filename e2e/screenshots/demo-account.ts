import { run } from "@parley/server/platform/database/database";
import { byKey, claimFirst, createKey, dataOf, type SignedInMember, signUp } from "../harness/accounts.ts";
import type { ApiWorld } from "../harness/api-world.ts";
import { placeCall, untilPhase } from "../harness/calls.ts";
import { type HttpRequest, sendPatiently } from "../harness/http-client.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { SMALL_FLOW } from "./small-flow.ts";

/** An account with some of everything, and the names of what the pictures show. */
export interface DemoAccount {
  readonly owner: SignedInMember;
  readonly callId: string;
  readonly agentId: string;
  /** An agent whose flow is small enough to be read as a whole. */
  readonly builtId: string;
  readonly trunkId: string;
  readonly webhookId: string;
  readonly customerId: string;
}

const CALL_WITHIN_MS = 180_000;
/** How the real calls of the demo are spread over the days before: the same calls again, as if held then. */
const SPREAD = `insert into calls select (jsonb_populate_record(c, jsonb_build_object(
    'id', 'call_' || lpad((n * 7919 % 100000)::text, 8, '0') || lpad(n::text, 18, '0'),
    'phone_number', '+1555' || lpad((2010000 + n * 6151 % 89999)::text, 7, '0'),
    'created_at', c.created_at - n * interval '97 minutes', 'dialing_at', c.dialing_at - n * interval '97 minutes',
    'answered_at', c.answered_at - n * interval '97 minutes', 'ended_at', c.ended_at - n * interval '97 minutes'))).*
  from generate_series(1, 400) n
  join calls c on c.id = (select d.id from calls d where d.state = 'ended' order by md5(d.id || n) limit 1)`;

/** A machine that takes pictures of many pages at once answers late; an account on one that carries its calls has no incidents. */
const WITHOUT_INCIDENTS = "update calls set incidents = '[]' where jsonb_array_length(incidents) > 0";

/** The figures of those days, which are otherwise counted as calls end; replies are spread as those of the real calls were. */
const COUNT_AGAIN = [
  "delete from usage_quarters",
  `insert into usage_quarters
   select account_id, mode, quarter_of(created_at), end_reason, count(*), count(answered_at),
     count(*) filter (where status = 'failed'), coalesce(sum(duration_seconds), 0), coalesce(sum(cost_micros), 0),
     coalesce(sum((latency->>'interruptions')::int), 0)
   from calls where state = 'ended' group by 1, 2, 3, 4`,
  "delete from usage_hours",
  `insert into usage_hours
   select account_id, mode, date_trunc('hour', created_at, 'utc'), agent_id, greatest(agent_version, 0), engine,
     coalesce(api_key_id, ''), left(coalesce(analysis->>'outcome', end_reason), 64), count(*), count(answered_at),
     count(*) filter (where status = 'failed'), coalesce(sum(duration_seconds), 0), coalesce(sum(cost_micros), 0),
     coalesce(sum((latency->>'turns')::int), 0), coalesce(sum((latency->>'interruptions')::int), 0),
     sum(jsonb_array_length(incidents)), coalesce(sum(
       (latency->>'turns')::int * ('1' || repeat('0', 12 * reply_bin((latency->>'responseMsP50')::numeric)))::numeric
     ) filter (where latency->>'responseMsP50' is not null), 0)
   from calls where state = 'ended' group by 1, 2, 3, 4, 5, 6, 7, 8`,
  `insert into usage_replies
   select distinct q.account_id, q.mode, q.quarter_at, r.bin + (extract(day from q.quarter_at)::int % 3), r.replies
   from usage_quarters q join usage_replies r on r.account_id = q.account_id and r.mode = q.mode
   where q.answered > 0 on conflict do nothing`,
];

/** Fills the first account, through the API alone except for its past. */
export async function fillDemoAccount(
  world: ApiWorld,
  service: ServiceProcess,
  receiverUrl: string,
): Promise<DemoAccount> {
  const base = service.url;
  const owner = await claimFirst(service);
  await run(world.db, "update accounts set name = 'Bright Dental' where id = $1", [owner.accountId]);
  await run(world.db, "update members set email = 'ada@bright-dental.example' where id = $1", [owner.memberId]);
  const customer = await signUp(base);
  await run(world.db, "update accounts set name = 'Harbour Parcels' where id = $1", [customer.accountId]);
  const post = async (path: string, json: object) =>
    dataOf(await sendPatiently(base, { path: `/api/v1/${path}`, headers: owner.cookie, json } satisfies HttpRequest));

  const { key } = await createKey(base, owner.cookie, { name: "Booking server" });
  await createKey(base, owner.cookie, { name: "Nightly export", scopes: ["calls:read"] });
  await createKey(base, owner.cookie, { name: "Reception", mode: "live", dailySpendCap: "5.00" });
  const webhook = await post("webhooks", { url: receiverUrl, description: "Booking system" });
  await post("suppressions", { phoneNumber: "+15550107712", reason: "Asked not to be called." });
  await post("suppressions", { phoneNumber: "+15550109003", reason: "Wrong number." });
  await post("members", { email: "grace@bright-dental.example", role: "member" });
  const trunk = await post("operator/trunks", {
    name: "Carrier One",
    host: "sip.carrier.example",
    username: "customer17",
    password: "not-a-real-password",
    isEnabled: false,
    callerIds: ["+15550100099"],
    channelsMax: 30,
    callsPerSecond: 5,
  });
  await post("operator/routes", { prefix: "", trunkId: trunk.id });
  await post("operator/routes", { prefix: "49", trunkId: trunk.id, priority: 1 });

  const agents = dataOf(await sendPatiently(base, { path: "/api/v1/agents?limit=100", headers: byKey(key) }));
  const agent = agents.find(({ name }: { name: string }) => name === "Appointment confirmation") ?? agents[0];
  const caller = { url: base, key, agentId: agent.id };
  const built = await post("agents", { name: "Check-up reminder", flow: SMALL_FLOW });
  await post(`agents/${built.id}/publish`, {});
  const callIds: string[] = [];
  for (const ending of ["0001", "0020", "0002", "0007", "0003", "0021"]) {
    const variables = { name: "Ada", first_name: "Ada", company: "Bright Dental" };
    callIds.push(await placeCall(caller, `+1555010${ending}`, { variables, ringTimeoutSeconds: 10 }));
  }
  for (const callId of callIds) await untilPhase(caller, callId, "ended", CALL_WITHIN_MS);
  // Not before the calls, which would wait for a vendor that cannot be reached.
  await post("operator/providers", { name: "anthropic", apiKey: "sk-ant-not-a-real-key-7Q2x", use: "first" });
  await run(world.db, WITHOUT_INCIDENTS);
  await run(world.db, SPREAD);
  for (const statement of COUNT_AGAIN) await run(world.db, statement);
  return {
    owner,
    callId: callIds[1] ?? "",
    agentId: agent.id,
    builtId: built.id,
    trunkId: trunk.id,
    webhookId: webhook.id,
    customerId: customer.accountId,
  };
}
