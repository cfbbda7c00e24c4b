import { makeId } from "@parley/contract/ids";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { listen } from "../../platform/database/listen.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { requireCall } from "../call-store.ts";
import { createCallChanges } from "../live/call-changes.ts";
import { commitTalking } from "../runs/commits.ts";
import { registerWorker } from "../runs/lease/lease-store.ts";
import { commitConversation } from "../runs/talking/transcript.ts";
import { setScene } from "../runs/testing/call-scene.ts";
import { claimOwn } from "../runs/testing/claim-own.ts";
import { end, writeAhead } from "../runs/testing/simulated-steps.ts";
import { followTranscript } from "./routes.ts";
import { TranscriptDraft } from "./transcript-draft.ts";

let t: TestDatabase;
const worker = makeId("worker");
const WAIT = { timeout: 4_000, interval: 10 };

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

const callee = (turnId: number, text: string, startMs: number): JournalEntry => ({
  type: "callee_said",
  turnId,
  text,
  startMs,
  endMs: startMs + 400,
  words: [],
});

test("entries are streamed when committed, retractions follow, and the end is reported last", async () => {
  const scene = await setScene(t.db);
  const id = await scene.place("test");
  const call = await claimOwn(t.db, worker, id);
  await writeAhead(t.db, call);
  await commitTalking(t.db, call, 0);
  const draft = new TranscriptDraft();
  const note = (...entries: JournalEntry[]) => {
    for (const entry of entries) draft.note(entry);
    return commitConversation(t.db, call, draft.take());
  };
  await note(callee(0, "Hello?", 100));

  const listener = listen(t.url, ["parley_calls"], () => undefined);
  const told: unknown[] = [];
  let isOpen = true;
  const stop = followTranscript({
    db: t.db,
    changes: createCallChanges(listener, "parley_calls"),
    callId: id,
    readState: async () => (await requireCall(t.db, { accountId: scene.accountId, mode: "test" }, id)).state,
    stream: {
      get isOpen() {
        return isOpen;
      },
      send: ({ event, data }) => {
        const { number, item } = data as { number?: number; item?: { text: string } };
        told.push([event, number, item?.text]);
      },
      close() {
        isOpen = false;
      },
    },
  });
  try {
    await vi.waitFor(() => expect(told).toEqual([["item", 1, "Hello?"]]), WAIT);
    await note(callee(1, "I want to", 1_000));
    await vi.waitFor(() => expect(told.at(-1)).toEqual(["item", 2, "I want to"]), WAIT);
    await note({ type: "turn_undone", turnId: 1 }, callee(2, "I want to cancel", 1_000));
    await vi.waitFor(() => expect(told.at(-1)).toEqual(["item", 3, "I want to cancel"]), WAIT);
    expect(told.at(-2)).toEqual(["removed", 2, undefined]);
    await end(t.db, call, { reason: "callee_hangup", by: "callee", isOrderly: true }, 4_000);
    await vi.waitFor(() => expect(isOpen).toBe(false), WAIT);
    expect(told.at(-1)).toEqual(["ready", undefined, undefined]);
    expect(told).toHaveLength(5);
  } finally {
    stop();
    await listener.close();
  }
});
