import { type Database, run } from "@parley/server/platform/database/database";
import { ask } from "../harness/api-client.ts";
import { type Caller, placeCall, untilPhase } from "../harness/calls.ts";

const CALL_WITHIN_MS = 240_000;

/** Numbers of the simulated network whose callees take the sample agent along different paths. */
const SAMPLE_ENDINGS = ["0001", "0020", "0002", "0007", "0003", "0021"];
/** What callees of the small flow do: most answer, one hangs up, and two say what it does not understand. */
const SMALL_FLOW_CALLEES = [
  [{ say: "Hello?" }, { say: "Yes, I will be there." }],
  [{ say: "Hello, this is Grace." }, { say: "Yes." }],
  [{ say: "Hello?" }, { say: "Yes, of course." }],
  [{ say: "Hello?" }, { say: "No, I cannot come." }, { say: "On Friday." }, { say: "Yes." }],
  [{ say: "Hello?" }, { waitForTurn: true }, { hangUp: true }],
  [{ say: "Hello?" }, { say: "My brother is a dentist too." }, { say: "Yes, I will come." }],
  [{ say: "Hello?" }, { say: "The weather is lovely today." }, { say: "Blue, I suppose." }],
];

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

/** Holds a few calls of both agents to their end, and returns those of the sample agent. */
export async function holdCalls(sample: Caller, smallFlow: Caller): Promise<readonly string[]> {
  const ofSample: string[] = [];
  for (const ending of SAMPLE_ENDINGS) {
    const variables = { name: "Ada", first_name: "Ada", company: "Bright Dental" };
    ofSample.push(await placeCall(sample, `+1555010${ending}`, { variables, ringTimeoutSeconds: 10 }));
  }
  const ofSmallFlow: string[] = [];
  for (const [index, script] of SMALL_FLOW_CALLEES.entries()) {
    const more = { variables: { first_name: "Grace" }, simulation: { answerAfterMs: 1000, script } };
    ofSmallFlow.push(await placeCall(smallFlow, `+1555014${1000 + index * 137}`, more));
  }
  for (const id of [...ofSample, ...ofSmallFlow]) await untilPhase(sample, id, "ended", CALL_WITHIN_MS);
  return ofSample;
}

/** Gives the account a past: its calls again, on the days before. */
export async function spreadCalls(db: Database): Promise<void> {
  await run(db, WITHOUT_INCIDENTS);
  await run(db, SPREAD);
  for (const statement of COUNT_AGAIN) await run(db, statement);
}

/** Calls that last while a picture is taken: people who talk or listen, and one who lets it ring. Returns what ends them. */
export async function startLiveCalls({
  smallFlow,
  sample,
}: Record<"smallFlow" | "sample", Caller>): Promise<() => Promise<void>> {
  const variables = { name: "Ada", first_name: "Ada", company: "Bright Dental" };
  const slow = { script: [{ say: "Hello?" }, { waitMs: 20_000 }, { say: "One moment, please." }, { waitMs: 60_000 }] };
  const listening = { script: [{ say: "Hello, this is Alan." }, { waitMs: 60_000 }] };
  const callIds = [
    await placeCall(sample, "+15550150001", { variables, simulation: { answerAfterMs: 0, ...slow } }),
    await placeCall(smallFlow, "+15550160001", { variables, simulation: { answerAfterMs: 0, ...listening } }),
    await placeCall(smallFlow, "+15550170003", { variables, ringTimeoutSeconds: 120 }),
  ];
  return async () => {
    for (const id of callIds) await ask(sample.url, `/api/v1/calls/${id}/hangup`, { key: sample.key, body: {} });
    for (const id of callIds) await untilPhase(sample, id, "ended", CALL_WITHIN_MS);
  };
}
