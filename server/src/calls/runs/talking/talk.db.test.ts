import { makeId } from "@parley/contract/ids";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { putProviderRate } from "../../../accounts/credits/rate-store.ts";
import { writeAheadOnce } from "../../../phone/carriers/open-carriers.ts";
import { inTransaction, run } from "../../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import { createLog } from "../../../platform/telemetry/log.ts";
import { type CallRow, toCall } from "../../call-record.ts";
import { registerWorker } from "../lease/lease-store.ts";
import { CallRun } from "../run.ts";
import { actTalk } from "../testing/acted-conversations.ts";
import { setScene } from "../testing/call-scene.ts";
import { claimOwn } from "../testing/claim-own.ts";
import { commitConversation } from "./transcript.ts";

let t: TestDatabase;
const worker = makeId("worker");

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

const SILENT = "+15550100009";
const said = (text: string): JournalEntry => ({
  type: "callee_said",
  turnId: 1,
  text,
  startMs: 0,
  endMs: 10,
  words: [],
});
const RECORDED = { durationMs: 4_000, gaps: [], trouble: null, peaks: null };

/** A call on the simulated network with an agent that the test plays. Its callee answers and stays. */
async function conduct(
  fields: Record<string, unknown> = {},
  prepare: (acted: ReturnType<typeof actTalk>) => void = () => undefined,
) {
  const clock = createVirtualClock();
  const network = createSimulatedNetwork({ clock, audio: false });
  const acted = actTalk();
  prepare(acted);
  const scene = await setScene(t.db);
  const id = await scene.place("test", { phoneNumber: SILENT, ...fields });
  const call = await claimOwn(t.db, worker, id);
  const callRun = new CallRun(
    {
      db: t.db,
      chooseCarrier: () => writeAheadOnce(network),
      clock,
      monotonicMs: () => clock.now(),
      log: createLog("silent"),
      askGate: async (call) => ({ decision: "allowed", call }),
      talk: acted.deps,
    },
    { call, sendInMs: 0, listAndCredit: null },
  );
  const read = async (): Promise<CallRow> => {
    const [row] = await run<CallRow>(t.db, "select * from calls where id = $1", [id]);
    if (!row) throw new Error("the call is gone");
    return row;
  };
  const until = async (isWanted: (row: CallRow) => boolean, stepMs = 100): Promise<CallRow> => {
    for (let step = 0; step < 400; step++) {
      const row = await read();
      if (isWanted(row)) return row;
      await clock.advance(stepMs);
      await t.untilIdle();
    }
    throw new Error(`never as wanted: ${(await read()).state}`);
  };
  const items = async () =>
    (
      await run<{ text: string }>(
        t.db,
        "select item->>'text' as text from transcript_items where call_id = $1 order by ordinal",
        [id],
      )
    ).map(({ text }) => text);
  const talking = () => until((row) => row.state === "talking");
  const ended = async () => {
    const row = await until((each) => each.state === "ended");
    await callRun.finished;
    expect(network.counts().live).toBe(0);
    await network.close();
    expect(clock.pendingTimers()).toBe(0);
    return row;
  };
  return { id, clock, network, acted, callRun, read, until, items, talking, ended };
}

describe("a call that an agent conducts", () => {
  test("records what it used of each part of its engine, also while it rang, at the operator's rates", async () => {
    await inTransaction(t.db, (tx) => putProviderRate(tx, "deepgram", "recognition_minute", 600_000n));
    const nothing = {
      firstResultMs: null,
      hasFailed: false,
      audioMs: 0,
      characters: 0,
      inputTokens: 0,
      outputTokens: 0,
    };
    const greeting = {
      ...nothing,
      part: "synthesis",
      provider: "local",
      model: null,
      characters: 20,
      firstResultMs: 30,
    } as const;
    const heard = { ...nothing, part: "recognition", provider: "deepgram", model: "nova-3", audioMs: 10_000 } as const;
    const { acted, talking, ended, read, until } = await conduct();
    await until(() => acted.plans.length > 0);
    acted.use(greeting);
    await talking();
    acted.use({ ...heard, firstResultMs: 80 });
    acted.note({ type: "over", reason: "agent_hangup" });
    acted.ask({ type: "hang_up" });
    acted.use(heard);
    acted.finish();
    acted.endRecording(RECORDED);
    await ended();
    expect(toCall(await read()).engineParts).toMatchObject([
      { part: "synthesis", provider: "local", characters: 20, firstResultMsP50: 30, cost: null },
      { part: "recognition", provider: "deepgram", audioSeconds: 20, requests: 1, cost: "0.20" },
    ]);
  });

  test("uses of an engine do not disturb a call that no one answers", async () => {
    const nothing = { hasFailed: false, audioMs: 0, inputTokens: 0, outputTokens: 0 };
    const greeting = {
      ...nothing,
      part: "synthesis",
      provider: "local",
      model: null,
      characters: 9,
      firstResultMs: 1,
    } as const;
    const { acted, until, read } = await conduct({ phoneNumber: "+15550100002" });
    await until(() => acted.plans.length > 0);
    acted.use(greeting);
    acted.finish();
    await until((row) => row.state === "ended");
    expect(toCall(await read())).toMatchObject({ status: "failed", endReason: "busy", engineParts: null });
  });

  test("is prepared while it rings, notified of the answer, and ends when the agent has said goodbye", async () => {
    const { acted, talking, ended, items, read } = await conduct({ variables: { name: "Ada" } });
    await talking();
    expect(acted.plans).toMatchObject([{ variables: { name: "Ada" } }]);
    expect(acted.told).toEqual([{ type: "answered" }]);
    acted.note(said("Yes, I will."), { type: "collected", name: "coming", value: true });
    acted.note({ type: "over", reason: "agent_hangup" });
    acted.ask({ type: "hang_up" });
    acted.note(said("Bye."));
    acted.finish();
    acted.endRecording(RECORDED);
    expect(await ended()).toMatchObject({ status: "completed", end_reason: "agent_hangup", ended_by: "agent" });
    expect(await items()).toEqual(["Yes, I will.", "Bye."]);
    expect(toCall(await read())).toMatchObject({
      collected: { coming: true },
      recording: { status: "ready", durationSeconds: 4 },
    });
  });

  test("whose callee hangs up ends with a complete transcript", async () => {
    const { acted, talking, ended, items } = await conduct({
      simulation: { answerAfterMs: 0, script: [{ waitMs: 2000 }, { hangUp: true }] },
    });
    await talking();
    const ending = ended();
    const wait = setInterval(() => {
      if (acted.told.at(-1)?.type !== "ended") return;
      clearInterval(wait);
      acted.note(said("I must g"), { type: "over", reason: "callee_hangup" });
      acted.finish();
      acted.endRecording(RECORDED);
    }, 5);
    expect(await ending).toMatchObject({ end_reason: "callee_hangup", ended_by: "callee" });
    expect(await items()).toEqual(["I must g"]);
  });

  test("whose agent never reports that it is done still ends", async () => {
    const { acted, talking, ended } = await conduct({
      simulation: { answerAfterMs: 0, script: [{ waitMs: 500 }, { hangUp: true }] },
    });
    await talking();
    acted.endRecording(RECORDED);
    expect(await ended()).toMatchObject({ status: "completed", end_reason: "callee_hangup" });
  });

  test("whose agent is lost is hung up and fails, and says that it was our fault", async () => {
    const { acted, talking, ended } = await conduct();
    await talking();
    acted.die();
    acted.endRecording(RECORDED);
    expect(await ended()).toMatchObject({
      status: "failed",
      end_reason: "engine_error",
      ended_by: "service",
      incidents: [{ what: "conversation_failed", reason: expect.stringMatching(/\w/), count: 1 }],
    });
  });

  test("in which the agent heard nothing failed, although the callee hung up", async () => {
    const { acted, talking, until, ended } = await conduct({
      simulation: { answerAfterMs: 0, script: [{ waitMs: 500 }, { hangUp: true }] },
    });
    await talking();
    acted.note({ type: "incident", what: "recognition_failed", reason: "the recognizer ended", atMs: 0, turnId: 2 });
    await until(() => acted.told.some(({ type }) => type === "ended"));
    acted.note({ type: "over", reason: "engine_error" });
    acted.finish();
    acted.endRecording(RECORDED);
    expect(await ended()).toMatchObject({
      status: "failed",
      end_reason: "engine_error",
      ended_by: "service",
      cost_micros: 0n,
      incidents: [{ what: "recognition_failed", reason: "the recognizer ended", turns: [2] }],
    });
  });

  test("whose transcript the database had no room for at first reports that it was written late", async () => {
    const { acted, talking, until, ended, callRun, items } = await conduct();
    await talking();
    // A sequence does not go back with the transaction that failed.
    await run(t.db, "create sequence refused_writes");
    await run(
      t.db,
      `create function refuse_twice() returns trigger language plpgsql as $$ begin
         if nextval('refused_writes') <= 2 then raise exception 'no room' using errcode = '53100'; end if;
         return new;
       end $$`,
    );
    await run(
      t.db,
      "create trigger refuse_twice before insert on transcript_items for each row execute function refuse_twice()",
    );
    acted.note(said("Yes, I will."));
    await until(({ incidents }) => incidents.length > 0);
    await run(t.db, "drop trigger refuse_twice on transcript_items");
    callRun.dispatch({ type: "hangup.requested" });
    acted.endRecording(RECORDED);
    acted.finish();
    expect(await ended()).toMatchObject({
      status: "completed",
      incidents: [{ what: "transcript_late", reason: expect.stringMatching(/\w/), count: 1 }],
    });
    expect(await items()).toEqual(["Yes, I will."]);
  });

  test("without an available agent rings no phone", async () => {
    const { network, ended } = await conduct({}, (acted) => {
      acted.trouble = "the weights are missing";
    });
    expect(await ended()).toMatchObject({
      status: "failed",
      end_reason: "engine_error",
      incidents: [{ what: "conversation_failed", reason: "the weights are missing" }],
    });
    expect(network.dialed()).toHaveLength(0);
  });

  test("that has lasted as long as it may says goodbye before it is cut", async () => {
    const { acted, ended, talking } = await conduct({ maxDurationSeconds: 30 });
    await talking();
    acted.endRecording(RECORDED);
    expect(await ended()).toMatchObject({ end_reason: "max_duration", duration_seconds: 30 });
    expect(acted.farewells).toBe(1);
  });

  test("presses the keys that the agent requests, and survives invalid ones", async () => {
    const { acted, talking, ended, callRun } = await conduct();
    await talking();
    acted.ask({ type: "send_dtmf", keys: "1x" });
    acted.ask({ type: "send_dtmf", keys: "12#" });
    callRun.dispatch({ type: "hangup.requested" });
    acted.endRecording(RECORDED);
    acted.finish();
    expect(await ended()).toMatchObject({ end_reason: "api_hangup" });
  });
});

describe("before the callee answers", () => {
  const entries: JournalEntry[] = [
    { type: "entered", nodeId: "hello", atMs: 0 },
    { type: "collected", name: "day", value: "Monday" },
    { type: "tool_call", id: "t1", name: "book", input: {}, atMs: 0 },
    { type: "answered_by", kind: "human", atMs: 0 },
    { type: "suppress" },
    said("Yes."),
  ];

  test("no entry or request of a conversation is accepted", async () => {
    const { acted, until, ended, items, callRun, id } = await conduct({ simulation: { answerAfterMs: 20_000 } });
    await until((row) => row.state === "ringing");
    acted.note(...entries);
    acted.ask({ type: "send_dtmf", keys: "12#" });
    acted.ask({ type: "transfer", transfer: { to: "+15550100099", how: "auto" } });
    await until(() => acted.told.length > 0 || acted.plans.length > 0);
    callRun.dispatch({ type: "hangup.requested" });
    acted.finish();
    const row = await ended();
    expect(row).toMatchObject({ status: "failed", end_reason: "canceled", collected: null, answered_by: null });
    expect(await items()).toEqual([]);
    const attempts = await run(t.db, "select 1 from call_attempts where call_id = $1 and party <> 'callee'", [id]);
    expect(attempts).toEqual([]);
    expect(await run(t.db, "select 1 from suppressions where phone_number = $1", [SILENT])).toEqual([]);
  });

  test("the database refuses it from any writer", async () => {
    const { callRun, acted, until, ended, id, read } = await conduct({ simulation: { answerAfterMs: 20_000 } });
    const ringing = await until((row) => row.state === "ringing");
    const batch = {
      items: [],
      undoneTurns: [],
      collected: { day: "Monday" },
      latency: null,
      partUsage: null,
      answeredBy: null,
      calleeLanguage: null,
    };
    await expect(commitConversation(t.db, ringing, { ...batch, suppresses: true })).rejects.toThrow("never answered");
    const item = `{"type":"note","text":"x","startMs":5}`;
    await expect(
      run(t.db, "insert into transcript_items values ($1, 1, 'note', null, 5, $2)", [id, item]),
    ).rejects.toThrow("never answered");
    await expect(run(t.db, "update calls set collected = '{}' where id = $1", [id])).rejects.toThrow("never answered");
    expect(await read()).toMatchObject({ collected: null });
    callRun.dispatch({ type: "hangup.requested" });
    acted.finish();
    await ended();
  });
});

describe("the recording of a call", () => {
  test("is not created for a call requested without one", async () => {
    const { acted, talking, ended, callRun, read } = await conduct({ record: false });
    await talking();
    callRun.dispatch({ type: "hangup.requested" });
    acted.finish();
    await ended();
    expect(acted.recorded).toEqual([]);
    expect((await read()).recording).toBeNull();
  });

  test("that the disk refuses is reported during the call, and the call is unaffected", async () => {
    const { acted, talking, until, ended, callRun, id, read } = await conduct();
    await talking();
    acted.endRecording({ durationMs: 0, gaps: [], trouble: "There is no space left on the disk.", peaks: null });
    const row = await until(({ recording }) => recording?.status === "failed");
    expect(row).toMatchObject({ state: "talking", recording: { reason: "There is no space left on the disk." } });
    callRun.dispatch({ type: "hangup.requested" });
    acted.finish();
    expect(await ended()).toMatchObject({ status: "completed" });
    const events = await run<{ type: string }>(t.db, "select type from call_events where call_id = $1", [id]);
    expect(events.filter(({ type }) => type.startsWith("call.recording"))).toEqual([{ type: "call.recording_failed" }]);
    expect((await read()).incidents).toMatchObject([
      { what: "recording_failed", reason: "There is no space left on the disk.", effect: expect.stringMatching(/\w/) },
    ]);
  });

  test("that has a gap says so in the webhook that announces it", async () => {
    const { acted, talking, until, ended, callRun, id } = await conduct();
    await talking();
    const gaps = [{ startMs: 500, endMs: 900 }];
    acted.endRecording({ durationMs: 3_000, gaps, trouble: null, peaks: null });
    callRun.dispatch({ type: "hangup.requested" });
    acted.finish();
    await ended();
    await until(({ recording }) => recording?.status === "ready");
    const [ready] = await run<{ body: string }>(
      t.db,
      "select body from outbox where call_id = $1 and type = 'call.recording.ready'",
      [id],
    );
    expect(JSON.parse(ready?.body ?? "{}").data.call).toMatchObject({
      recording: { partial: true, gaps },
      incidents: [{ what: "recording_gap", reason: expect.stringMatching(/\w/) }],
    });
  });

  test("whose disk does not answer does not keep the call from ending", async () => {
    const { acted, talking, until, callRun, clock } = await conduct();
    await talking();
    callRun.dispatch({ type: "hangup.requested" });
    acted.finish();
    await until((row) => row.state === "ended");
    await clock.advance(5_000);
    await callRun.finished;
    const row = await until(({ recording }) => recording?.status === "failed");
    expect(row.recording?.reason).toBe("The disk did not answer in time.");
  });
});
