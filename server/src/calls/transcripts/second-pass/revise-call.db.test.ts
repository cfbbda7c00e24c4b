import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { samplesIn } from "@parley/audio/frame";
import { wavHeader } from "@parley/audio/wav-header";
import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { run } from "../../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import { createLocalRecordingStore, recordingPath } from "../../recordings/recording-storage.ts";
import { commitTalking } from "../../runs/commits.ts";
import { registerWorker } from "../../runs/lease/lease-store.ts";
import { commitConversation } from "../../runs/talking/transcript.ts";
import { setScene } from "../../runs/testing/call-scene.ts";
import { claimOwn } from "../../runs/testing/claim-own.ts";
import { end, writeAhead } from "../../runs/testing/simulated-steps.ts";
import { renderText } from "../render-transcript.ts";
import { openSearch } from "../search/search-transcripts.ts";
import { TranscriptDraft } from "../transcript-draft.ts";
import { readSecondPass, readTranscript } from "../transcript-store.ts";
import { type ReviseDeps, reviseCall } from "./revise-call.ts";
import { claimPass, type RecordedCall, readUnrevised } from "./second-pass-store.ts";

let t: TestDatabase;
let folder: string;
const worker = makeId("worker");
const LONG_AGO = { endedAt: new Date(0), id: "" };

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "parley-second-pass-"));
  await registerWorker(t.db, worker, 100);
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true });
});

/** A recorded call in which the callee spoke twice, each time as loud as its number of the word. */
async function hold({ language = "en-US", isRecorded = true } = {}) {
  const scene = await setScene(t.db);
  const id = await scene.place("test");
  if (language !== "en-US") {
    await run(t.db, "alter table agent_versions disable trigger agent_versions_frozen");
    await run(t.db, "update agent_versions set language = $2 where agent_id = $1", [scene.agentId, language]);
    await run(t.db, "alter table agent_versions enable trigger agent_versions_frozen");
  }
  const claimed = await claimOwn(t.db, worker, id);
  await writeAhead(t.db, claimed);
  await commitTalking(t.db, claimed, 0);
  const draft = new TranscriptDraft();
  const said = (turnId: number, text: string, startMs: number) => ({
    turnId,
    text,
    startMs,
    endMs: startMs + 1_000,
    words: [],
  });
  draft.note({ type: "callee_said", ...said(1, "yes of cause", 1_000) });
  draft.note({ type: "agent_said", ...said(1, "Thank you.", 3_000), heardText: "Thank you.", wasInterrupted: false });
  draft.note({ type: "callee_said", ...said(2, "by", 5_000) });
  await commitConversation(t.db, claimed, draft.take());
  await end(t.db, claimed, { reason: "callee_hangup", by: "callee", isOrderly: true }, 7_000);
  await run(
    t.db,
    `update calls set recording = '{"status":"ready","durationMs":7000,"partial":false,"reason":null}' where id = $1`,
    [id],
  );
  const call = { id, created_at: claimed.created_at, ended_at: new Date() };
  if (isRecorded) await writeRecording(call);
  return {
    call,
    accountId: scene.accountId,
    read: () => readTranscript(t.db, id),
    pass: () => readSecondPass(t.db, id),
  };
}

/** The callee on the left: 100 in the second word, 200 in the second after; the agent on the right is louder throughout. */
async function writeRecording(call: RecordedCall): Promise<void> {
  const frames = samplesIn(7_000);
  const data = Buffer.alloc(frames * 4);
  for (let at = 0; at < frames; at++) {
    const timeMs = at / 8;
    data.writeInt16LE(timeMs >= 1_000 && timeMs < 2_000 ? 100 : timeMs >= 5_000 && timeMs < 6_000 ? 200 : 0, at * 4);
    data.writeInt16LE(9_000, at * 4 + 2);
  }
  const path = recordingPath(folder, call);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, Buffer.concat([wavHeader({ sampleRateHz: 8_000, channels: 2 }, data.length), data]));
}

/** Recognizes by loudness: the wrong side or the wrong second yields a different text. */
const TEXTS: Readonly<Record<number, string>> = { 100: "Yes, of course.", 200: "Bye." };
function deps(more: Partial<ReviseDeps> = {}): ReviseDeps {
  return {
    db: t.db,
    sources: [createLocalRecordingStore(folder)],
    model: "base",
    recognize: async (samples) => ({ text: TEXTS[Math.max(...samples)] ?? "somebody else" }),
    waitForSpareTime: async () => undefined,
    ...more,
  };
}

const isWaiting = async (id: string) => (await readUnrevised(t.db, LONG_AGO, 1_000)).some((call) => call.id === id);
const textsOf = (items: Awaited<ReturnType<typeof readTranscript>>) =>
  items.map((item) => item.type === "speech" && [item.text, item.revisedText]);
const expireLease = (id: string) =>
  run(t.db, "update transcript_passes set lease_until = now() - interval '1 second' where call_id = $1", [id]);

describe("a second pass over a call that is over", () => {
  test("keeps the text of the stronger model beside the live text, and the agent's words unchanged", async () => {
    const { call, read, pass } = await hold();
    expect(await pass()).toBeNull();
    expect(await isWaiting(call.id)).toBe(true);
    expect(await reviseCall(deps(), call)).toBe("done");
    expect(textsOf(await read())).toEqual([
      ["yes of cause", "Yes, of course."],
      ["Thank you.", null],
      ["by", "Bye."],
    ]);
    expect(await pass()).toMatchObject({ status: "done", model: "base", reason: null });
    expect(renderText(await read())).toBe(
      "[00:01] Callee: Yes, of course.\n[00:03] Agent: Thank you.\n[00:05] Callee: Bye.\n",
    );
    expect(await isWaiting(call.id)).toBe(false);
  });

  test("makes the call findable by both, and changes nothing when repeated", async () => {
    const { call, accountId, read } = await hold();
    await reviseCall(deps(), call);
    const before = await read();
    expect(await reviseCall(deps({ recognize: async () => ({ text: "different" }) }), call)).toBe("taken");
    expect(await read()).toEqual(before);
    for (const word of ["cause", "course"]) {
      const search = await openSearch(t.db, accountId, "test", word);
      expect(await search.few(10)).toEqual([call.id]);
    }
  });

  test("is taken over from a process that died in the middle, and ends the same", async () => {
    const { call, read, pass } = await hold();
    await claimPass(t.db, call.id, "base", 30_000);
    expect(await reviseCall(deps(), call)).toBe("taken");
    expect(await isWaiting(call.id)).toBe(false);
    await expireLease(call.id);
    expect(await isWaiting(call.id)).toBe(true);
    expect(await reviseCall(deps(), call)).toBe("done");
    expect(textsOf(await read())[0]).toEqual(["yes of cause", "Yes, of course."]);
    expect(await pass()).toMatchObject({ status: "done" });
  });

  test("by an abandoned process writes nothing when it finishes after all", async () => {
    const { call, read } = await hold();
    const slow = deps({
      async recognize() {
        await expireLease(call.id);
        await reviseCall(deps(), call);
        return { text: "too late" };
      },
    });
    expect(await reviseCall(slow, call)).toBe("taken");
    expect(JSON.stringify(await read())).not.toContain("too late");
  });

  test("that fails can be retried immediately by the next process, and is abandoned after five attempts", async () => {
    const { call, pass } = await hold();
    const broken = deps({ recognize: () => Promise.reject(new Error("the model died")) });
    for (let count = 0; count < 5; count++) {
      await expect(reviseCall(broken, call)).rejects.toThrow("the model died");
      expect(await isWaiting(call.id)).toBe(true);
    }
    expect(await reviseCall(broken, call)).toBe("failed");
    expect(await pass()).toMatchObject({ status: "failed", reason: expect.stringContaining("five times") });
    expect(await isWaiting(call.id)).toBe(false);
  });

  test("waits for spare time before each utterance, and keeps nothing when it must end before", async () => {
    const { call, read, pass } = await hold();
    let asked = 0;
    const stopping = deps({
      async waitForSpareTime() {
        asked += 1;
        if (asked === 2) throw new Error("the service is being stopped");
      },
    });
    await expect(reviseCall(stopping, call)).rejects.toThrow("stopped");
    expect(textsOf(await read())[0]).toEqual(["yes of cause", null]);
    expect(await pass()).toMatchObject({ status: "running" });
    expect(await isWaiting(call.id)).toBe(true);
  });

  test("leaves a recording that is not here to the machine that has it", async () => {
    const { call, pass } = await hold({ isRecorded: false });
    expect(await reviseCall(deps(), call)).toBe("elsewhere");
    expect(await pass()).toBeNull();
  });

  test("restores nothing that was erased meanwhile", async () => {
    const { call, read } = await hold();
    const erasing = deps({
      async recognize() {
        await run(t.db, "delete from transcript_items where call_id = $1", [call.id]);
        await run(t.db, "update calls set transcript_erased_at = now() where id = $1", [call.id]);
        return { text: "should be gone" };
      },
    });
    expect(await reviseCall(erasing, call)).toBe("taken");
    expect(await read()).toEqual([]);
    expect(await run(t.db, "select 1 from transcript_revisions where call_id = $1", [call.id])).toEqual([]);
    expect(await isWaiting(call.id)).toBe(false);
  });

  test("is for calls in English, which is what the model knows", async () => {
    const { call } = await hold({ language: "de-DE" });
    expect(await isWaiting(call.id)).toBe(false);
  });
});
