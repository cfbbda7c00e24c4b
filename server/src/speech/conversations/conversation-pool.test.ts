import { createPlayout } from "@parley/audio/playout-layout";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { createRing } from "@parley/audio/ring";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ConversationEvent, LineMedia } from "./conversation-messages.ts";
import { openScriptedPool, planOf } from "./testing/open-scripted-pool.ts";

type Opened = ReturnType<typeof openScriptedPool>;
const opened: Opened[] = [];
function openPool(options?: Parameters<typeof openScriptedPool>[0]): Opened {
  const one = openScriptedPool(options);
  opened.push(one);
  return one;
}
afterEach(async () => {
  for (const { pool } of opened.splice(0)) await pool.close();
});

const press = (key: string) => ({ type: "dtmf", key }) as const;
const notes = (events: readonly ConversationEvent[]) =>
  events.flatMap((each) => (each.type === "noted" && each.entry.type === "note" ? [each.entry.text] : []));
const isNote = (each: ConversationEvent) => each.type === "noted";

describe("a conversation in its own thread", () => {
  test("receives the events of its line in order, including those from before it was prepared", async () => {
    const { pool, begin } = openPool();
    await pool.ready();
    const { live, events, finished } = begin();
    live.tell({ type: "answered" });
    live.setRoundTripMs(120);
    live.tell(press("1"));
    live.tell({ type: "ended" });
    await finished;
    expect(notes(events)).toEqual(["answered", "round trip 120", "ended"]);
    expect(events.at(-1)).toEqual({ type: "finished" });
  });

  test("has its line press keys, transfer and hang up", async () => {
    const { pool, begin } = openPool();
    await pool.ready();
    const { live, events, finished } = begin();
    for (const key of ["2", "3", "5"]) live.tell(press(key));
    await finished;
    expect(events.flatMap((each) => (each.type === "asked" ? [each.request] : []))).toEqual([
      { type: "send_dtmf", keys: "42" },
      { type: "transfer", transfer: { to: "+15550100099", how: "auto" } },
      { type: "hang_up" },
    ]);
    const over = events.findIndex((each) => each.type === "noted" && each.entry.type === "over");
    expect(over).toBeLessThan(events.findIndex((each) => each.type === "asked" && each.request.type === "hang_up"));
  });

  test("asks before it transfers the callee", async () => {
    const { pool, begin } = openPool();
    await pool.ready();
    const { live, hears } = begin();
    live.tell(press("4"));
    expect(await hears(isNote)).toMatchObject({
      entry: { text: '{"isAllowed":false,"reason":"not +15550100099"}' },
    });
    live.tell({ type: "ended" });
  });

  test("says goodbye when it is asked to", async () => {
    const { pool, begin } = openPool();
    await pool.ready();
    const { live, events, finished } = begin();
    live.endPolitely();
    await finished;
    expect(notes(events)).toEqual(["farewell"]);
  });

  test("that cannot be prepared says why, and nothing is left of it", async () => {
    const { pool, begin } = openPool();
    await pool.ready();
    const { events, finished } = begin("call_refused");
    await finished;
    expect(events).toEqual([{ type: "failed", reason: "it cannot be prepared" }, { type: "finished" }]);
  });
});

describe("a thread that dies", () => {
  test("ends its own conversations as failed, leaves those of others alone, and is replaced", async () => {
    const { pool, begin, troubles } = openPool({ threads: 2 });
    await pool.ready();
    const [doomed, companion, other] = [begin("call_a"), begin("call_b"), begin("call_c")];
    // Threads are filled in turn: the first and the third share one.
    doomed.live.tell(press("9"));
    await Promise.all([doomed.finished, other.finished]);
    expect(doomed.events.at(-2)).toMatchObject({
      type: "failed",
      reason: expect.stringContaining("the thread breaks"),
    });
    companion.live.tell({ type: "answered" });
    await companion.hears(isNote);
    expect(companion.events.some(({ type }) => type === "failed")).toBe(false);
    expect(troubles).toEqual(["the thread breaks"]);
    await vi.waitFor(() => expect(pool.threads).toBe(2), { timeout: 10_000 });
    const next = begin("call_d");
    next.live.tell({ type: "ended" });
    await next.finished;
    expect(notes(next.events)).toEqual(["ended"]);
  });

  test("when it was the only one, makes the next call wait for another", async () => {
    const { pool, begin } = openPool();
    await pool.ready();
    const { live, finished } = begin();
    live.tell(press("9"));
    await finished;
    await vi.waitFor(() => expect(pool.threads).toBe(0), { timeout: 15_000 });
    expect(() => begin()).toThrow(/No thread/);
    await pool.ready();
    const next = begin();
    next.live.tell({ type: "ended" });
    await next.finished;
  });

  test("is found out also when it hangs instead of dying", async () => {
    const clock = createVirtualClock();
    const { pool, begin } = openPool({ clock });
    await pool.ready();
    const { live, events, finished } = begin();
    live.tell(press("8"));
    let isOver = false;
    void finished.then(() => {
      isOver = true;
    });
    // The thread hangs only once the key has reached it, which the virtual clock knows nothing of.
    for (let second = 0; second < 5_000 && !isOver; second++) {
      await clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await finished;
    expect(events.at(-2)).toMatchObject({ type: "failed", reason: expect.stringContaining("does not answer") });
  });
});

describe("a callee who answers", () => {
  const playedOn = ({ playout }: LineMedia) => {
    const frame = new Int16Array(160);
    return new PlayoutPlayer(playout).pull(frame, 0) > 0 ? frame : null;
  };

  test("hears who is calling when the thread that should speak does not, and then the call is over", async () => {
    const clock = createVirtualClock();
    const { pool, begin, workers } = openPool({ clock });
    await pool.ready();
    const other = begin("call_other");
    other.live.tell({ type: "answered" });
    await other.hears(isNote);
    other.live.tell(press("8"));
    const { live, events, finished, media } = begin("call_late");
    live.tell({ type: "answered" });
    await clock.advance(1_900);
    expect(playedOn(media)).toBeNull();
    await clock.advance(200);
    expect(playedOn(media)).toContain(1_000);
    await clock.advance(2_000);
    await finished;
    expect(events).toMatchObject([
      { type: "noted", entry: { type: "agent_said", turnId: 0, heardText: "This is a call from the test." } },
      { type: "failed", reason: expect.stringContaining("did not answer") },
      { type: "finished" },
    ]);
    for (const worker of workers) await worker.terminate();
  });

  test("is not spoken to by two when the conversation takes the line in time", async () => {
    const clock = createVirtualClock();
    const { pool, begin } = openPool({ clock });
    await pool.ready();
    const { live, hears, media } = begin();
    live.tell({ type: "answered" });
    await hears(isNote);
    await clock.advance(3_000);
    expect(playedOn(media)).toBeNull();
    live.tell({ type: "ended" });
  });
});

test("a pool that cannot start a thread says why, and tries again when it is asked again", async () => {
  const { pool, workers } = openPool();
  const opening = pool.ready();
  await vi.waitFor(() => expect(workers).toHaveLength(1), { timeout: 15_000 });
  await workers[0]?.terminate();
  await expect(opening).rejects.toThrow(/could not be started/);
  await pool.ready();
  expect(pool.threads).toBe(1);
});

test("conversations with a natural voice of this machine are counted until they end", async () => {
  const { pool } = openPool();
  await pool.ready();
  const media = (): LineMedia => ({ heard: createRing(), played: createRing(), playout: createPlayout() });
  const begin = (voiceId: string) => {
    const finished = Promise.withResolvers<void>();
    const live = pool.begin({ ...planOf("call_1"), voiceId }, media(), {
      hear: ({ type }) => (type === "finished" ? finished.resolve() : undefined),
      mayDial: async () => ({ isAllowed: false, reason: "none" }),
    });
    return { live, finished: finished.promise };
  };
  const natural = begin("af_heart");
  begin("slt");
  expect([pool.conversations, pool.naturalConversations]).toEqual([2, 1]);
  natural.live.tell({ type: "ended" });
  await natural.finished;
  expect([pool.conversations, pool.naturalConversations]).toEqual([1, 0]);
});

test("closing ends the live conversations", async () => {
  const { pool, begin } = openPool();
  await pool.ready();
  const { finished, hears } = begin();
  await hears(({ type }) => type === "prepared");
  await pool.close();
  await finished;
  await expect(pool.ready()).rejects.toThrow(/stopping/);
});
