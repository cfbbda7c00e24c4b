import { HostEnded, type WorkHost } from "@parley/threads/work-host";
import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SpeechOptions, SpeechScheduler } from "./speech-scheduler.ts";
import type { VoiceStep, VoiceWork } from "./voice-process.ts";

/** A process whose steps end when the test says so. */
class ScriptedProcess implements WorkHost<VoiceWork, VoiceStep> {
  readonly works: VoiceWork[] = [];
  hasEnded = false;
  #step: PromiseWithResolvers<VoiceStep> | null = null;

  run(work: VoiceWork): Promise<VoiceStep> {
    if (this.hasEnded) return Promise.reject(new HostEnded("it ended"));
    if (work.type === "drop") {
      this.works.push(work);
      return Promise.resolve(step(0, true));
    }
    this.works.push(work);
    this.#step = Promise.withResolvers();
    return this.#step.promise;
  }

  async finish(samples: number, isOver = false): Promise<void> {
    this.#step?.resolve(step(samples, isOver));
    await settle();
  }

  async fail(reason: string): Promise<void> {
    this.#step?.reject(new Error(reason));
    await settle();
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    this.#step?.reject(new HostEnded("it ended"));
  }

  /** The last piece of work, as "begin 1". */
  get current(): string {
    const last = this.works.at(-1);
    return `${last?.type} ${last?.speechId}`;
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const step = (samples: number, isOver: boolean): VoiceStep => ({
  samples: Int16Array.from({ length: samples }, (_, at) => at + 1),
  isOver,
  wordTimes: [],
});

let processes: ScriptedProcess[];
let timers: ManualClock;
let nowMs: number;
let losses: string[];
let scheduler: SpeechScheduler;
let canOpen: boolean;

beforeEach(() => {
  processes = [];
  timers = createManualClock();
  nowMs = 0;
  losses = [];
  canOpen = true;
  scheduler = new SpeechScheduler({
    openHost: async () => {
      if (!canOpen) throw new HostEnded("no weights");
      const opened = new ScriptedProcess();
      processes.push(opened);
      return opened;
    },
    timers,
    nowMs: () => nowMs,
    onHostLost: (reason) => losses.push(reason),
  });
});

afterEach(async () => {
  await scheduler.close();
  expect(timers.pending(), "timers left behind").toBe(0);
  expect(processes.every(({ hasEnded }) => hasEnded)).toBe(true);
});

const host = () => processes.at(-1) as ScriptedProcess;

async function speak(text: string, options: Partial<SpeechOptions> = {}) {
  const pieces: number[] = [];
  const speech = scheduler.speak(
    { text, voiceId: "af_heart" },
    { urgency: "live", dueInMs: 0, onAudio: (samples) => pieces.push(samples.length), ...options },
  );
  const outcome: { value: unknown } = { value: "under way" };
  speech.done.then(
    () => {
      outcome.value = "done";
    },
    (error: unknown) => {
      outcome.value = error;
    },
  );
  await settle();
  return { ...speech, pieces, outcome };
}

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  timers.pass(ms);
  await settle();
}

test("audio is returned piece by piece as it is rendered", async () => {
  const { pieces, outcome } = await speak("One.");
  await host().finish(0);
  await host().finish(2_400);
  expect(pieces).toEqual([2_400]);
  await host().finish(800, true);
  expect(pieces).toEqual([2_400, 800]);
  expect(outcome.value).toBe("done");
});

test("a callee who hears nothing goes before one who has audio left", async () => {
  await speak("One.");
  await host().finish(0);
  await host().finish(8_000);
  expect(host().current).toBe("continue 1");
  await speak("Two.");
  await host().finish(8_000);
  expect(host().current).toBe("begin 2");
  await host().finish(0);
  expect(host().current).toBe("continue 2");
});

test("a callee whose audio runs out soon goes before one who hears nothing yet: it must not stop within a sentence", async () => {
  await speak("One.");
  await host().finish(0);
  await speak("Two.");
  await host().finish(2_400);
  expect(host().current).toBe("continue 1");
});

test("of two callees with audio, the one whose audio ends first is served", async () => {
  await speak("One.");
  await host().finish(0);
  await host().finish(16_000);
  await speak("Two.");
  await host().finish(0);
  await host().finish(0);
  expect(host().current).toBe("continue 2");
  await host().finish(4_000);
  expect(host().current).toBe("continue 2");
  nowMs = 1_900;
  await host().finish(16_000);
  expect(host().current).toBe("continue 1");
});

test("a clause that follows others is due when they have been played", async () => {
  await speak("Later.", { dueInMs: 3_000 });
  await speak("Now.");
  await host().finish(0);
  expect(host().current).toBe("begin 2");
});

test("live speech goes before what may be said next, and that before what is rendered for later", async () => {
  await speak("Later calls.", { urgency: "spare" });
  await speak("Perhaps.", { urgency: "ahead" });
  const live = await speak("Now.");
  await host().finish(0);
  expect(host().current).toBe("begin 3");
  await host().finish(0);
  await host().finish(800, true);
  expect(live.outcome.value).toBe("done");
  expect(host().current).toBe("begin 2");
});

test("a correct guess becomes live", async () => {
  await speak("First.", { urgency: "ahead" });
  const guess = await speak("Second.", { urgency: "ahead" });
  guess.hasten("live", 0);
  await host().finish(0);
  expect(host().current).toBe("begin 2");
});

describe("a clause that two calls say", () => {
  test("is served by when the first of them needs it, no matter which asked first", async () => {
    await speak("Under way.");
    const shared = await speak("Shared.", { dueInMs: 5_000 });
    await speak("Other.", { dueInMs: 2_000 });
    shared.hasten("live", 500);
    await host().finish(0);
    await host().finish(800, true);
    expect(host().current).toBe("begin 2");
  });

  test("is not put off by a call that needs it later", async () => {
    await speak("Under way.");
    const shared = await speak("Shared.", { dueInMs: 500 });
    await speak("Other.", { dueInMs: 2_000 });
    shared.hasten("live", 5_000);
    shared.hasten("ahead", 0);
    await host().finish(0);
    await host().finish(800, true);
    expect(host().current).toBe("begin 2");
  });

  test("fails when it is late for the one that needs it first", async () => {
    const shared = await speak("Shared.", { dueInMs: 5_000 });
    shared.hasten("live", 500);
    await pass(3_499);
    expect(shared.outcome.value).toBe("under way");
    await pass(1);
    expect(shared.outcome.value).toMatchObject({ name: "ProviderError" });
  });

  test("is due later for a call that joins while it is spoken: it has what was rendered by then", async () => {
    const shared = await speak("Shared.", { dueInMs: 10_000 });
    await host().finish(0);
    await host().finish(16_000);
    shared.hasten("live", 0);
    await speak("Other.", { dueInMs: 500 });
    await host().finish(800);
    expect(host().current).toBe("begin 2");
    await host().finish(0);
    await host().finish(800, true);
    expect(host().current).toBe("continue 1");
  });
});

test("what is no longer needed is dropped, and the next one is served", async () => {
  const { cancel, pieces } = await speak("One.");
  const next = await speak("Two.");
  await host().finish(0);
  cancel();
  await host().finish(2_400);
  expect(pieces).toEqual([]);
  expect(host().works).toContainEqual({ type: "drop", speechId: 1 });
  expect(next.outcome.value).toBe("under way");
  expect(host().current).toBe("begin 2");
});

test("speech continues where it stopped when its process dies, in the same voice", async () => {
  const { pieces, outcome } = await speak("One.");
  await host().finish(0);
  await host().finish(2_000);
  await host().end();
  await settle();
  expect(processes).toHaveLength(2);
  expect(host().current).toBe("begin 1");
  await host().finish(0);
  await host().finish(1_500);
  await host().finish(1_500);
  await host().finish(700, true);
  expect(pieces).toEqual([2_000, 1_000, 700]);
  expect(outcome.value).toBe("done");
  expect(losses).toEqual(["it ended"]);
});

test("a clause that kills two processes is abandoned, and the others are spoken", async () => {
  const killer = await speak("One.");
  const other = await speak("Two.", { dueInMs: 500 });
  await host().end();
  await settle();
  await host().end();
  await settle();
  expect(killer.outcome.value).toMatchObject({ name: "ProviderError", retryable: true });
  await host().finish(0);
  await host().finish(800, true);
  expect(other.outcome.value).toBe("done");
});

test("a process that hangs is replaced", async () => {
  const { outcome } = await speak("One.", { urgency: "ahead" });
  await pass(10_000);
  expect(processes[0]?.hasEnded).toBe(true);
  expect(processes).toHaveLength(2);
  await host().finish(0);
  await host().finish(800, true);
  expect(outcome.value).toBe("done");
});

test("a callee does not wait forever for the first audio", async () => {
  const { outcome } = await speak("One.");
  await pass(2_999);
  expect(outcome.value).toBe("under way");
  await pass(1);
  expect(outcome.value).toMatchObject({ name: "ProviderError" });
});

test("a clause that has started is awaited longer: no other voice could finish it", async () => {
  const { outcome } = await speak("One.");
  await host().finish(0);
  await host().finish(8_000);
  await pass(9_900);
  expect(outcome.value).toBe("under way");
});

test("the speed follows the recent performance of the machine", async () => {
  expect(scheduler.speed).toBe(0);
  await speak("One.", { urgency: "spare" });
  const make = async (tookMs: number) => {
    nowMs += tookMs;
    await host().finish(8_000);
  };
  await host().finish(0);
  for (let second = 0; second < 30; second++) await make(200);
  expect(scheduler.speed).toBeCloseTo(5, 1);
  for (let second = 0; second < 60; second++) await make(2_000);
  expect(scheduler.speed).toBeCloseTo(0.5, 1);
});

test("calls that start to speak at the same time do not make the machine look slow", async () => {
  await speak("Measured.", { urgency: "spare" });
  await host().finish(0);
  nowMs += 200;
  await host().finish(8_000, true);
  for (const text of ["One.", "Two.", "Three."]) await speak(text);
  for (let begun = 0; begun < 3; begun++) {
    nowMs += 400;
    await host().finish(0);
  }
  expect(scheduler.speed).toBeCloseTo(5, 1);
});

test("the work that was lost with a process does not make the machine look slow", async () => {
  await speak("One.");
  nowMs += 4_000;
  await host().finish(0);
  await host().end();
  await settle();
  nowMs += 100;
  await host().finish(0);
  nowMs += 100;
  await host().finish(8_000);
  expect(scheduler.speed).toBeCloseTo(5, 1);
});

test("a network that cannot be loaded is reported immediately and not retried with every clause", async () => {
  canOpen = false;
  expect((await speak("One.")).outcome.value).toMatchObject({ message: expect.stringContaining("no weights") });
  canOpen = true;
  expect((await speak("Two.")).outcome.value).toMatchObject({
    message: expect.stringContaining("could not be started"),
  });
  expect(processes).toHaveLength(0);
  await pass(5_000);
  expect((await speak("Three.")).outcome.value).toBe("under way");
  expect(processes).toHaveLength(1);
});

test("a text that cannot be said fails alone", async () => {
  const bad = await speak("One.");
  const good = await speak("Two.");
  await host().fail("no letter");
  expect(bad.outcome.value).toMatchObject({ name: "ProviderError", retryable: false });
  await host().finish(0);
  await host().finish(800, true);
  expect(good.outcome.value).toBe("done");
  expect(processes).toHaveLength(1);
});
