import { checkInvariants } from "@parley/server/platform/checks/check-invariants";
import { type Database, run } from "@parley/server/platform/database/database";
import type { DialRecord } from "@parley/telephony/simulated-network/dial-log";
import type { NetworkReport } from "@parley/telephony/simulated-network/fetch-report";
import { type FinalCall, readFinalCalls } from "./final-calls.ts";
import type { CallHistory } from "./load.ts";

/** A violation, with its evidence. */
export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

export interface RunEvidence {
  readonly db: Database;
  readonly network: NetworkReport;
  readonly histories: readonly CallHistory[];
  /** How long each paused process was paused, by its serial. */
  readonly pausedMs: ReadonlyMap<number, number>;
}

// The clock difference that a busy machine may cause between the network and the worker.
const CLOCK_SLACK_MS = 2_500;
const ORPHAN_MAX_MS = 15_000;

/** Compares what clients were told, what the database contains and what the network saw. */
export async function checkRun(evidence: RunEvidence): Promise<Violation[]> {
  const calls = await readFinalCalls(evidence.db);
  const recordsByCall = Map.groupBy(evidence.network.records, ({ callId }) => callId);
  const recordsOf = (call: FinalCall) => recordsByCall.get(call.id) ?? [];
  return [
    ...checkAnswers(evidence.histories, calls),
    ...checkEnds(evidence, calls),
    ...calls.flatMap((call) => [
      ...checkFinal(call),
      ...checkDialing(call, recordsOf(call)),
      ...checkBill(call, recordsOf(call), evidence.pausedMs),
    ]),
    ...checkNetwork(evidence.network, calls),
    ...(await checkRest(evidence.db)),
    ...(await checkDatabase(evidence.db)),
  ];
}

/** Every 2xx is a row, no key has two, and what was refused as "nothing was done" left nothing. */
function checkAnswers(histories: readonly CallHistory[], calls: readonly FinalCall[]): Violation[] {
  const known = new Set(calls.map(({ id }) => id));
  const callsByOrdinal = Map.groupBy(calls, ({ ordinal }) => ordinal);
  return histories.flatMap((history) => {
    const { planned, callIds, bodies, answers } = history;
    const rows = callsByOrdinal.get(planned.ordinal)?.map(({ id }) => id) ?? [];
    const seen = JSON.stringify({ planned, rows, answered: [...callIds], answers });
    const found: Violation[] = [];
    const say = (rule: string) => found.push({ rule, detail: seen });
    if ([...callIds].some((id) => !known.has(id))) say("a 2xx without a row");
    if (rows.length > 1) say(planned.key ? "one key has two calls" : "one request has two calls");
    if (bodies.size > 1) say("a repeated request got another body");
    if (planned.key && callIds.size > 0 && rows.length === 0) say("a key with a 2xx has no call");
    if (callIds.size === 0 && rows.length > 0 && answers.every(saysNothingWasDone))
      say("a refused request left a call");
    return found;
  });
}

/** By the last digits of the number: how a call ends without interference. */
const ENDS: Readonly<Record<string, string>> = {
  "0001": "callee_hangup",
  "0002": "busy",
  "0003": "no_answer",
  "0004": "declined",
  "0006": "carrier_unavailable",
  "0009": "max_duration",
  "0010": "callee_hangup",
  "0011": "callee_hangup",
};

/** Apart from a lost worker and a client that hangs up, everyone gets the end that belongs to the number. */
function checkEnds({ histories, pausedMs }: RunEvidence, calls: readonly FinalCall[]): Violation[] {
  const plannedByOrdinal = new Map(histories.map(({ planned }) => [planned.ordinal, planned]));
  return calls.flatMap((call) => {
    const planned = plannedByOrdinal.get(call.ordinal);
    if (!planned || call.state !== "ended") return [];
    const usual = ENDS[planned.phoneNumber.slice(-4)];
    const hungUp = planned.hangUpAfterMs === null ? [] : ["api_hangup", "canceled"];
    // One that was paused and not swept finds its own timers expired before it reads what the network said.
    const late = call.serials.some((serial) => pausedMs.has(serial)) ? ["no_answer", "max_duration"] : [];
    if ([usual, "worker_lost", ...hungUp, ...late].includes(call.endReason ?? "")) return [];
    return [{ rule: "a call ended for no good reason", detail: `${JSON.stringify(planned)} ${describe(call, [])}` }];
  });
}

function saysNothingWasDone(answer: CallHistory["answers"][number]): boolean {
  return answer.kind === "reply" && (answer.status === 503 || (answer.status >= 400 && answer.status < 500));
}

function checkFinal(call: FinalCall): Violation[] {
  return call.state === "ended" ? [] : [{ rule: "a call is not final", detail: describe(call, []) }];
}

function checkDialing(call: FinalCall, records: readonly DialRecord[]): Violation[] {
  const found: Violation[] = [];
  const say = (rule: string) => found.push({ rule, detail: describe(call, records) });
  if (records.length > 1) say("a call was dialed twice");
  if (records.some(({ placedCount }) => placedCount > 1)) say("a dial was sent twice");
  if (records.some(({ dialId }) => !call.dialIds.includes(dialId))) say("a dial was not written down first");
  for (const record of records) {
    const endedAtMs = record.states.find(({ name }) => name === "ended")?.atMs;
    if (call.endedAtMs !== null && record.dialedAtMs > call.endedAtMs + CLOCK_SLACK_MS)
      say("a call was dialed after its end");
    if (call.endedAtMs !== null && (endedAtMs ?? Number.POSITIVE_INFINITY) > call.endedAtMs + ORPHAN_MAX_MS)
      say("a leg outlived its call");
  }
  return found;
}

/** The bill compared with the network's own clock. A lost worker's call may cost less than it lasted, never more. */
function checkBill(
  call: FinalCall,
  records: readonly DialRecord[],
  pausedMs: ReadonlyMap<number, number>,
): Violation[] {
  if (call.state !== "ended") return [];
  const found: Violation[] = [];
  const say = (rule: string) => found.push({ rule, detail: describe(call, records) });
  const costMicros = call.costMicros ?? 0n;
  if (costMicros > 0n && !call.answered) say("an unanswered call cost something");
  if (costMicros > call.heldMicros) say("a call cost more than was held");
  const billedMs = (call.billedSeconds ?? 0) * 1000;
  const talkedMs = records.reduce((sum, record) => sum + talkTimeMs(record), 0);
  const stoodStillMs = Math.max(0, ...call.serials.map((serial) => pausedMs.get(serial) ?? 0));
  if (billedMs > talkedMs + 1000 + CLOCK_SLACK_MS + stoodStillMs) say("a call was billed for longer than it lasted");
  const wasLost = call.endReason === "worker_lost";
  if (call.mode === "live" && !wasLost && billedMs < talkedMs - CLOCK_SLACK_MS) say("a call was billed too little");
  return found;
}

function talkTimeMs({ states }: DialRecord): number {
  const talking = states.find(({ name }) => name === "talking")?.atMs;
  const ended = states.find(({ name }) => name === "ended")?.atMs;
  return talking === undefined || ended === undefined ? 0 : ended - talking;
}

function checkNetwork({ counts, records }: NetworkReport, calls: readonly FinalCall[]): Violation[] {
  const known = new Set(calls.map(({ id }) => id));
  const found: Violation[] = records
    .filter(({ callId }) => !known.has(callId))
    .map((record) => ({
      rule: "the network was asked for a call that does not exist",
      detail: JSON.stringify(record),
    }));
  if (counts.duplicates > 0) found.push({ rule: "a dial was sent twice", detail: JSON.stringify(counts) });
  if (counts.live > 0) found.push({ rule: "legs are still live", detail: JSON.stringify(counts) });
  return found;
}

/** With every call final nothing is held, no slot is taken and no run is active. */
async function checkRest(db: Database): Promise<Violation[]> {
  const rows = await run<{ rule: string; detail: string }>(
    db,
    `select 'a lane has slots taken' as rule, to_jsonb(l)::text as detail from dispatch_lanes l where active_count <> 0
     union all select 'a run is live', to_jsonb(r)::text from call_runs r where ended_at is null
     union all select 'credit is still held', to_jsonb(b)::text from account_balances b where held_micros <> 0
     union all select 'what was held for a call was not given back', call_id || ' ' || sum(held_micros) from ledger_transfers
       where call_id is not null group by call_id having sum(held_micros) <> 0
     union all select 'the books do not balance', sum(available_micros + held_micros + earned_micros + funded_micros)::text
       from ledger_transfers having sum(available_micros + held_micros + earned_micros + funded_micros) <> 0
     union all select 'calls cost something else than was earned', account_id || ' ' || sum(earned_micros) from ledger_transfers t
       group by account_id having sum(earned_micros) <> (select coalesce(sum(cost_micros), 0) from calls c where c.account_id = t.account_id)`,
  );
  return rows;
}

async function checkDatabase(db: Database): Promise<Violation[]> {
  const { results } = await checkInvariants(db);
  return results.flatMap(({ name, violations }) =>
    violations.map(({ subject, detail }) => ({ rule: name, detail: `${subject} ${detail}` })),
  );
}

function describe(call: FinalCall, records: readonly DialRecord[]): string {
  return JSON.stringify({ call, records }, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}
