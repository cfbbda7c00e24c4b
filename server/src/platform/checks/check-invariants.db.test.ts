import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { commitTalking } from "../../calls/runs/commits.ts";
import { registerWorker } from "../../calls/runs/lease/lease-store.ts";
import { setScene } from "../../calls/runs/testing/call-scene.ts";
import { end, writeAhead } from "../../calls/runs/testing/simulated-steps.ts";
import { claimCalls } from "../../calls/runs/worker/worker.ts";
import { inTransaction, run } from "../database/database.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { checkInvariants, INVARIANT_CHECKS, runChecks } from "./check-invariants.ts";
import { inSnapshot } from "./check-store.ts";
import { type SeededCalls, seedCalls } from "./testing/seed-calls.ts";

let t: TestDatabase;
let seeded: SeededCalls;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  seeded = await seedCalls(t.db);
});
afterAll(() => t.close());

const namesOf = (report: Awaited<ReturnType<typeof runChecks>>) =>
  report.results.filter(({ total }) => total > 0).map(({ name }) => name);

/** The findings after the statements, which are rolled back. Triggers and foreign keys are disabled meanwhile. */
async function checkAfter(statements: readonly string[]) {
  return t.db.connection().execute(async (connection) => {
    await run(connection, "begin");
    try {
      await run(connection, "set local session_replication_role = replica");
      for (const statement of statements) await run(connection, statement);
      return await runChecks(connection, null);
    } finally {
      await run(connection, "rollback");
    }
  });
}

test("calls in every state break nothing", async () => {
  const report = await checkInvariants(t.db);
  expect(report.results.flatMap(({ violations }) => violations)).toEqual([]);
  expect(report.ok).toBe(true);
  expect(report.results).toHaveLength(INVARIANT_CHECKS.length);
});

type Corruption = [check: string, statements: (calls: SeededCalls) => readonly string[], subject?: keyof SeededCalls];

/** A delivery that says it was delivered, with no attempt written down. */
function deliveryOf(otherAccountId: string | null, attemptCount: number) {
  return ({ completed }: SeededCalls) => [
    `insert into webhook_endpoints (id, account_id, mode, url, headers_sealed, secret_sealed)
     select 'whk_seed', ${otherAccountId === null ? "account_id" : `'${otherAccountId}'`}, mode, 'https://app.example/', '', ''
     from calls where id = '${completed}'`,
    `insert into webhook_deliveries (id, endpoint_id, event_id, event_type, status, attempt_count)
     select 'dlv_seed', 'whk_seed', id, type, 'delivered', ${attemptCount} from outbox
     where call_id = '${completed}' and type = 'call.completed'`,
  ];
}

const CORRUPTIONS: Corruption[] = [
  [
    "live_calls_have_a_run",
    ({ ringing }) => [
      `update call_runs set lease_expires_at = now() - interval '61 seconds' where call_id = '${ringing}'`,
    ],
    "ringing",
  ],
  [
    "live_calls_have_a_run",
    ({ talking }) => [`update call_runs set ended_at = now() where call_id = '${talking}'`],
    "talking",
  ],
  [
    "open_runs_have_a_live_call",
    ({ completed }) => [`update call_runs set ended_at = null where call_id = '${completed}'`],
  ],
  [
    "calls_end_in_time",
    ({ talking }) => [`update calls set dialing_at = now() - interval '3 hours' where id = '${talking}'`],
    "talking",
  ],
  [
    "waiting_calls_expire",
    ({ queued }) => [`update calls set created_at = now() - interval '26 hours' where id = '${queued}'`],
    "queued",
  ],
  [
    "dialed_calls_were_admitted",
    ({ talking }) => [`update calls set admitted_at = null where id = '${talking}'`],
    "talking",
  ],
  ["lanes_count_live_calls", () => ["update dispatch_lanes set active_count = active_count + 1 where mode = 'live'"]],
  ["lanes_count_live_calls", () => ["delete from dispatch_lanes where mode = 'live'"]],
  ["lanes_count_queued_calls", () => ["update queued_counts set calls = calls + 1 where mode = 'live'"]],
  ["lanes_count_queued_calls", () => ["delete from queued_counts"]],
  ["waiting_calls_are_looked_at", () => ["delete from waiting_lanes"]],
  [
    "waiting_calls_are_looked_at",
    () => ["update waiting_lanes set is_ready = false, due_at = now() + interval '1 day'"],
  ],
  ["blocked_lanes_are_full", () => ["update waiting_lanes set is_ready = false, blocked_until = 'infinity'"]],
  [
    "dialed_at_most_once",
    ({ busy }) => [
      `insert into call_attempts (call_id, ordinal, run_id, carrier, dial_id)
       select call_id, 2, run_id, carrier, 'again' from call_attempts where call_id = '${busy}'`,
    ],
    "busy",
  ],
  [
    "dialed_at_most_once",
    ({ busy }) => [
      `insert into call_attempts (call_id, ordinal, run_id, carrier, dial_id, trunk_id, created_at)
       select call_id, 2, run_id, 'sip', 'too soon', 'trk_1', ended_at - interval '1 second' from call_attempts where call_id = '${busy}'`,
    ],
    "busy",
  ],
  [
    "dialed_at_most_once",
    ({ busy, talking }) => [
      `insert into call_attempts (call_id, ordinal, run_id, carrier, dial_id, trunk_id)
       select '${busy}', 2, id, 'sip', 'another run', 'trk_1' from call_runs where call_id = '${talking}'`,
    ],
    "busy",
  ],
  ["dialed_at_most_once", ({ busy }) => [`delete from call_attempts where call_id = '${busy}'`], "busy"],
  ["dialed_at_most_once", ({ busy }) => [`update calls set dialing_at = null where id = '${busy}'`], "busy"],
  [
    "trunks_count_open_attempts",
    () => [
      "insert into trunks (id, name, host, codecs) values ('trk_1', 'One', 'sip.example', '{PCMA}')",
      "insert into trunk_channels (trunk_id, active_count) values ('trk_1', 1)",
    ],
  ],
  [
    "repeated_requests_find_their_call",
    () => [`update idempotency_records set body = '{"success":true,"data":{"id":"call_gone"}}'`],
  ],
  [
    "events_have_no_gaps",
    ({ completed }) => [`delete from call_events where call_id = '${completed}' and sequence = 2`],
    "completed",
  ],
  ["events_have_no_gaps", ({ queued }) => [`update calls set event_sequence = 2 where id = '${queued}'`], "queued"],
  [
    "one_analysis_per_answered_call",
    ({ completed }) => [
      `update call_events set type = 'call.reanalyzed' where call_id = '${completed}' and type = 'call.analyzed'`,
    ],
    "completed",
  ],
  ["one_analysis_per_answered_call", ({ busy }) => [`update calls set analysis = '{}' where id = '${busy}'`], "busy"],
  [
    "one_final_event_per_ended_call",
    ({ busy }) => [`update call_events set type = 'call.completed' where call_id = '${busy}' and type = 'call.failed'`],
    "busy",
  ],
  [
    "one_final_event_per_ended_call",
    ({ ringing }) => [
      `update call_events set type = 'call.failed' where call_id = '${ringing}' and type = 'call.ringing'`,
    ],
    "ringing",
  ],
  [
    "one_final_report_per_ended_call",
    ({ completed }) => [`delete from outbox where call_id = '${completed}'`],
    "completed",
  ],
  [
    "one_final_report_per_ended_call",
    ({ completed }) => [
      `update calls set ended_at = now() - interval '100 days' where id = '${completed}'`,
      `update outbox set type = 'call.failed' where call_id = '${completed}' and type = 'call.completed'`,
    ],
    "completed",
  ],
  [
    "one_final_report_per_ended_call",
    ({ completed }) => [
      "drop index one_final_outbox_row_per_call",
      `insert into outbox select 'evt_again', account_id, mode, type, call_id, sequence, body from outbox
       where call_id = '${completed}' and type = 'call.completed'`,
    ],
    "completed",
  ],
  ["deliveries_stay_in_their_account", deliveryOf("acc_other", 0)],
  ["attempts_are_counted", deliveryOf(null, 1)],
  ["delivered_means_accepted", deliveryOf(null, 0)],
  ["reports_match_events", ({ completed }) => [`update outbox set sequence = 99 where call_id = '${completed}'`]],
  [
    "transfers_sum_to_zero",
    ({ completed }) => [
      "alter table ledger_transfers drop constraint transfer_sums_to_zero",
      `update ledger_transfers set earned_micros = earned_micros + 1 where call_id = '${completed}' and kind = 'settled'`,
    ],
  ],
  ["balances_equal_transfers", () => ["update account_balances set available_micros = available_micros + 1"]],
  ["balances_equal_transfers", () => ["delete from account_balances"]],
  [
    "balances_are_never_negative",
    () => [
      "alter table account_balances drop constraint balance_never_negative",
      "update account_balances set available_micros = -1",
    ],
  ],
  ["held_credit_is_held_for_calls", () => ["update account_balances set held_micros = held_micros + 1"]],
  [
    "holds_are_in_the_ledger",
    ({ queued }) => [`update calls set held_micros = held_micros - 1 where id = '${queued}'`],
    "queued",
  ],
  [
    "holds_are_in_the_ledger",
    ({ queued }) => [`update ledger_transfers set call_id = 'call_gone' where call_id = '${queued}'`],
    "queued",
  ],
  [
    "holds_are_settled_once",
    ({ canceled }) => [`delete from ledger_transfers where call_id = '${canceled}' and kind = 'released'`],
    "canceled",
  ],
  [
    "holds_are_settled_once",
    ({ queued }) => [`update ledger_transfers set kind = 'released' where call_id = '${queued}' and kind = 'hold'`],
    "queued",
  ],
  [
    "holds_are_settled_once",
    ({ completed }) => [`update calls set cost_micros = held_micros + 1 where id = '${completed}'`],
    "completed",
  ],
  ["unanswered_calls_are_free", ({ busy }) => [`update calls set cost_micros = 1 where id = '${busy}'`], "busy"],
  [
    "test_calls_are_free",
    ({ testCompleted }) => [`update calls set cost_micros = 1 where id = '${testCompleted}'`],
    "testCompleted",
  ],
  ["test_calls_are_free", ({ completed }) => [`update calls set mode = 'test' where id = '${completed}'`], "completed"],
  [
    "nothing_before_the_answer",
    ({ busy }) => [
      `insert into transcript_items values ('${busy}', 1, 'note', null, 5, '{"type":"note","text":"x","startMs":5}')`,
    ],
  ],
  [
    "nothing_before_the_answer",
    ({ busy }) => [`update calls set collected = '{"day":"Monday"}' where id = '${busy}'`],
    "busy",
  ],
  ["nothing_before_the_answer", ({ busy }) => [`update calls set answered_by = 'human' where id = '${busy}'`], "busy"],
  [
    "nothing_before_the_answer",
    ({ busy }) => [`update call_attempts set party = 'transfer' where call_id = '${busy}'`],
    "busy",
  ],
  [
    "transcripts_are_in_order",
    ({ completed }) => [
      `insert into transcript_items values ('${completed}', 901, 'note', null, 5, '{"type":"note","text":"x","startMs":6}')`,
    ],
  ],
  [
    "transcripts_are_in_order",
    ({ completed }) => [
      `insert into transcript_items values ('${completed}', 901, 'speech', 1, 5, '{"type":"speech","startMs":5,"endMs":4}')`,
    ],
  ],
  [
    "erased_means_gone",
    ({ completed }) => [
      `insert into transcript_words values ('${completed}', 'word')`,
      `update calls set transcript_erased_at = now() where id = '${completed}'`,
    ],
    "completed",
  ],
  [
    "erased_means_gone",
    ({ completed }) => [
      `insert into recording_peaks values ('${completed}', 1, '', '')`,
      `update calls set recording_erased_at = now() where id = '${completed}'`,
    ],
    "completed",
  ],
  [
    "recordings_are_finished",
    ({ completed }) => [
      `update calls set recording = '{"status":"recording"}', ended_at = now() - interval '2 hours' where id = '${completed}'`,
    ],
    "completed",
  ],
  [
    "rows_are_in_a_month",
    () => ["insert into call_events (call_id, sequence, type) values ('call_z', 1, 'call.noted')"],
  ],
  [
    "rows_belong_to_calls",
    () => ["insert into transcript_revisions (call_id, ordinal, text) values ('call_0', 1, 'x')"],
  ],
  ["days_add_up", ({ scene }) => [`update spend_days set micros = micros + 1 where spender_id = '${scene.accountId}'`]],
  ["days_add_up", ({ scene }) => [`delete from spend_days where spender_id = '${scene.actor("live").keyId}'`]],
];

describe("violations are found", () => {
  test.each(CORRUPTIONS)("by %s (%#)", async (name, statements, subject) => {
    const report = await checkAfter(statements(seeded));
    expect(report.ok).toBe(false);
    expect(namesOf(report)).toContain(name);
    const found = report.results.find((result) => result.name === name);
    expect(found?.violations[0]?.detail).toBeTruthy();
    if (subject) expect(found?.violations.map((violation) => violation.subject)).toContain(seeded[subject]);
  });

  test("by every check there is", () => {
    const shown = new Set(CORRUPTIONS.map(([name]) => name));
    expect(INVARIANT_CHECKS.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  test("but a report that was forgotten after its time is not missed", async () => {
    const report = await checkAfter([
      `update calls set ended_at = now() - interval '100 days' where id = '${seeded.completed}'`,
      `delete from outbox where call_id = '${seeded.completed}'`,
    ]);
    expect(namesOf(report)).not.toContain("one_final_report_per_ended_call");
  });

  test("and a very long list is cut, but counted", async () => {
    const report = await checkAfter([
      `insert into ledger_transfers (id, account_id, kind, call_id)
       select 'trf_' || n, (select id from accounts limit 1), 'hold', 'call_' || n from generate_series(1, 250) n`,
    ]);
    const found = report.results.find(({ name }) => name === "holds_are_in_the_ledger");
    expect(found?.violations).toHaveLength(100);
    expect(found?.total).toBe(250);
  });
});

test("no month is dropped while a check reads: its calls would seem to have no events", async () => {
  await inSnapshot(t.db, async () => {
    const drop = inTransaction(t.db, async (tx) => {
      await run(tx, "set local lock_timeout = 100");
      await run(tx, "alter table call_events detach partition call_events_first");
    });
    await expect(drop).rejects.toThrow("lock timeout");
  });
});

test("a lease that has only just expired is the recovery's business and no fault yet", async () => {
  const report = await checkAfter(["update call_runs set lease_expires_at = now() - interval '50 seconds'"]);
  expect(namesOf(report)).toEqual([]);
});

test("a copy of yesterday's database is judged by yesterday's clock", async () => {
  const yesterday = new Date(Date.now() - 24 * 3600 * 1000);
  const inThePast = ["update call_runs set lease_expires_at = lease_expires_at - interval '24 hours'"];
  expect(namesOf(await checkAfter(inThePast))).toContain("live_calls_have_a_run");
  const report = await t.db.connection().execute(async (connection) => {
    await run(connection, "begin");
    try {
      for (const statement of inThePast) await run(connection, statement);
      return await runChecks(connection, yesterday);
    } finally {
      await run(connection, "rollback");
    }
  });
  expect(namesOf(report)).toEqual([]);
});

test("a service at work never looks broken", async () => {
  const busy = await createTestDatabase(inject("postgresUrl"));
  try {
    const worker = makeId("worker");
    await registerWorker(busy.db, worker, 100);
    const scene = await setScene(busy.db);
    let working = 4;
    const work = async () => {
      for (let i = 0; i < 15; i += 1) {
        await scene.place(i % 3 === 0 ? "test" : "live");
        for (const { call } of await claimCalls(busy.db, worker, 1)) {
          await writeAhead(busy.db, call);
          await commitTalking(busy.db, call, 0);
          await end(busy.db, call, { reason: "callee_hangup", by: "callee", isOrderly: true }, 5000);
        }
      }
      working -= 1;
    };
    const found: string[] = [];
    let looks = 0;
    const look = async () => {
      while (working > 0) {
        found.push(...namesOf(await checkInvariants(busy.db)));
        looks += 1;
      }
    };
    await Promise.all([work(), work(), work(), work(), look()]);
    expect(looks).toBeGreaterThan(1);
    expect(found).toEqual([]);
  } finally {
    await busy.close();
  }
});
