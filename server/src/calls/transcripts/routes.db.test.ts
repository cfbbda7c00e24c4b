import { makeId } from "@parley/contract/ids";
import { Transcript } from "@parley/contract/transcripts";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readListAndCredit } from "../../phone/gate/suppression-store.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { openTestApi, type TestApi } from "../../platform/http/testing/open-test-api.ts";
import { toCall } from "../call-record.ts";
import { requireCall } from "../call-store.ts";
import { createStreamSlots } from "../live/stream-slots.ts";
import { commitTalking } from "../runs/commits.ts";
import { registerWorker } from "../runs/lease/lease-store.ts";
import { commitConversation } from "../runs/talking/transcript.ts";
import { setScene } from "../runs/testing/call-scene.ts";
import { claimOwn } from "../runs/testing/claim-own.ts";
import { end, writeAhead } from "../runs/testing/simulated-steps.ts";
import { transcriptRoutes } from "./routes.ts";
import { TranscriptDraft } from "./transcript-draft.ts";

let t: TestDatabase;
let api: TestApi;
const worker = makeId("worker");

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
  api = openTestApi(t.db, () =>
    transcriptRoutes({ db: t.db, changes: { follow: () => () => undefined }, streamSlots: createStreamSlots(10) }),
  );
});
afterAll(async () => {
  await api.close();
  await t.close();
});

const callee = (turnId: number, text: string, startMs: number): JournalEntry => ({
  type: "callee_said",
  turnId,
  text,
  startMs,
  endMs: startMs + 400,
  words: [{ text, startMs, endMs: startMs + 400 }],
});
const agent = (turnId: number, text: string, startMs: number, heardText = text): JournalEntry => ({
  type: "agent_said",
  turnId,
  text,
  heardText,
  wasInterrupted: text !== heardText,
  startMs,
  endMs: startMs + 900,
  words: [],
});

async function openCall() {
  const scene = await setScene(t.db);
  const id = await scene.place("test");
  const call = await claimOwn(t.db, worker, id);
  await writeAhead(t.db, call);
  await commitTalking(t.db, call, 0);
  const draft = new TranscriptDraft();
  return {
    id,
    call,
    accountId: scene.accountId,
    async note(...entries: readonly JournalEntry[]) {
      for (const entry of entries) draft.note(entry);
      const batch = draft.take();
      await commitConversation(t.db, call, batch);
      return batch;
    },
    read: () => requireCall(t.db, { accountId: scene.accountId, mode: "test" }, id),
    fetch: (path = "", headers: Record<string, string> = {}, accountId = scene.accountId, mode = "test") =>
      api.app.inject({
        url: `/api/v1/calls/${id}/transcript${path}`,
        headers: { authorization: `Bearer svc_${mode}_${accountId}`, ...headers },
      }),
  };
}

const transcriptOf = (reply: { json(): { data: unknown } }) => Transcript.parse(reply.json().data);

describe("the transcript of a call", () => {
  test("can be read during the call, in the order of speech, and is ready at the end", async () => {
    const { note, fetch, call, read } = await openCall();
    await note(callee(0, "Hello?", 100));
    await note(callee(1, "Yes.", 3_000), agent(1, "Good morning.", 700));
    const during = transcriptOf(await fetch());
    expect(during.status).toBe("in_progress");
    expect(during.items.map((item) => item.type === "speech" && item.text)).toEqual([
      "Hello?",
      "Good morning.",
      "Yes.",
    ]);
    await end(t.db, call, { reason: "callee_hangup", by: "callee", isOrderly: true }, 4_000);
    expect(transcriptOf(await fetch()).status).toBe("ready");
    expect(toCall(await read()).transcript).toEqual({ status: "ready", url: `/api/v1/calls/${call.id}/transcript` });
  });

  test("also comes as text and as captions, by name or by Accept", async () => {
    const { note, fetch } = await openCall();
    await note(callee(0, "Hello?", 100), agent(1, "We are open until six.", 1_500, "We are open"));
    const text = await fetch("?format=text");
    expect(text.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(text.body).toBe("[00:00] Callee: Hello?\n[00:01] Agent: We are open ...\n");
    expect((await fetch("", { accept: "text/vtt" })).body).toMatch(/^WEBVTT\n\n00:00:00\.100 --> /);
    const srt = await fetch("", { accept: "application/x-subrip" });
    expect(srt.headers["content-type"]).toBe("application/x-subrip; charset=utf-8");
    expect(srt.headers["cache-control"]).toBe("no-store");
    expect((await fetch("?format=pdf")).statusCode).toBe(422);
  });

  test("of another account or the other mode does not exist", async () => {
    const { fetch } = await openCall();
    const stranger = await setScene(t.db);
    for (const reply of [await fetch("", {}, stranger.accountId), await fetch("", {}, undefined, "live")]) {
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toMatchObject({ error: { code: "call_not_found" } });
    }
  });

  test("shows what each turn was taken for, and words before the tool that was asked while they were spoken", async () => {
    const { note, fetch } = await openCall();
    const decision = { nodeId: "q", taken: "answer", result: 5, evidence: "expected_answer", score: 0.9312 } as const;
    await note(callee(1, "I'm.", 1_000), { type: "decided", turnId: 1, decision, atMs: 1_600 });
    await note(
      { type: "entered", nodeId: "wait", atMs: 1_699 },
      { type: "entered", nodeId: "look_up", exit: "exits[1].next", atMs: 1_700 },
    );
    await note({ type: "tool_call", id: "t1", name: "hours", input: {}, atMs: 1_700 });
    await note({ ...agent(1, "One moment.", 1_750), orderMs: 1_699 } as JournalEntry);
    const { items } = transcriptOf(await fetch());
    expect(items.map((item) => (item.type === "node" ? item.nodeId : item.type))).toEqual([
      ...["speech", "decision", "wait", "speech", "look_up", "tool_call"],
    ]);
    expect(items[1]).toEqual({ type: "decision", turn: 1, ...decision, score: 0.931, startMs: 1_600 });
    expect(items[2]).toEqual({ type: "node", nodeId: "wait", startMs: 1_699 });
    expect(items[3]).toMatchObject({ text: "One moment.", startMs: 1_750 });
    expect(items[4]).toEqual({ type: "node", nodeId: "look_up", exit: "exits[1].next", startMs: 1_700 });
  });

  test("keeps the other turns beside a retracted one", async () => {
    const { note, fetch } = await openCall();
    await note(callee(1, "Well", 1_000), callee(1, "Mhm.", 1_800), { type: "turn_undone", turnId: 1 });
    const { items } = transcriptOf(await fetch());
    expect(items.map((item) => item.type === "speech" && item.text)).toEqual(["Mhm."]);
  });

  test("has no trace of a retracted turn, and is unchanged when a write is repeated", async () => {
    const { note, fetch, call } = await openCall();
    await note(callee(1, "I want to", 1_000));
    const batch = await note({ type: "turn_undone", turnId: 1 }, callee(2, "I want to cancel", 1_000));
    await commitConversation(t.db, call, batch);
    const { items } = transcriptOf(await fetch());
    expect(items.map((item) => item.type === "speech" && item.text)).toEqual(["I want to cancel"]);
  });
});

describe("the delay of a reply", () => {
  const counts = { ducks: 0, interruptions: 0, undos: 0 };
  const delay = { holdMs: 240, recognitionMs: 910, decisionMs: 30, firstAudioMs: 220, totalMs: 1_400 };
  const stages = [
    { stage: "hold", ms: 240 },
    { stage: "recognition_queue", ms: 800 },
    { stage: "recognition", ms: 110 },
    { stage: "flow", ms: 30 },
    { stage: "voice", ms: 220 },
  ] as const;

  test("is in the transcript by its stages, which a client can add up", async () => {
    const { note, fetch } = await openCall();
    await note(
      callee(2, "Yes.", 500),
      { type: "turn_timing", timing: { turnId: 2, ...delay, ...counts, stages } },
      agent(2, "Good.", 2_400),
    );
    const [, reply] = transcriptOf(await fetch()).items;
    expect(reply).toMatchObject({ type: "speech", role: "agent", turn: 2, timing: { totalMs: 1_400, stages } });
  });

  test("of a call that an earlier release conducted is served without stages", async () => {
    const { note, fetch, id } = await openCall();
    await note({ type: "turn_timing", timing: { turnId: 2, ...delay, ...counts, stages } }, agent(2, "Good.", 2_400));
    await run(t.db, "update transcript_items set item = item #- '{timing,stages}' where call_id = $1", [id]);
    const [reply] = transcriptOf(await fetch()).items;
    expect(reply).toMatchObject({ type: "speech", timing: { ...delay, ...counts } });
    expect(reply).not.toHaveProperty("timing.stages");
  });
});

describe("the result of a conversation", () => {
  test("is on the call record during the conversation", async () => {
    const { note, read } = await openCall();
    const timing = { turnId: 1, holdMs: 200, recognitionMs: 0, decisionMs: 1, firstAudioMs: 9, totalMs: 410 };
    await note(
      { type: "answered_by", kind: "human", atMs: 900 },
      { type: "collected", name: "coming", value: true },
      { type: "turn_timing", timing: { ...timing, stages: [], ducks: 0, interruptions: 1, undos: 0 } },
    );
    await note({ type: "collected", name: "day", value: "2026-05-01" });
    expect(toCall(await read())).toMatchObject({
      answeredBy: "human",
      collected: { coming: true, day: "2026-05-01" },
      latency: { responseMsP50: 410, responseMsP95: 410, turns: 1, interruptions: 1 },
    });
  });

  test("is on the timeline, without a word of what was said", async () => {
    const { note, id } = await openCall();
    await note(callee(1, "my secret", 100), { type: "answered_by", kind: "human", atMs: 1 }, { type: "suppress" });
    const events = await run<{ type: string }>(
      t.db,
      "select type, data from call_events where call_id = $1 order by sequence",
      [id],
    );
    expect(events.map(({ type }) => type).slice(-3)).toEqual([
      "call.transcript_extended",
      "call.answered_by",
      "call.number_suppressed",
    ]);
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  test("a callee who never wants to be called again is on the suppression list", async () => {
    const { note, call } = await openCall();
    await note({ type: "suppress" });
    expect((await readListAndCredit(t.db, call.account_id, call.phone_number)).isSuppressed).toBe(true);
  });

  test("is not written for a call that another worker has taken over", async () => {
    const { note, call, fetch } = await openCall();
    await run(t.db, "update calls set fence = fence + 1 where id = $1", [call.id]);
    await expect(note(callee(1, "too late", 1))).rejects.toThrow(/not held/);
    expect(transcriptOf(await fetch()).items).toEqual([]);
  });
});
