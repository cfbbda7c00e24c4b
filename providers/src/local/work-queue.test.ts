import { createManualTimers, type ManualTimers } from "@parley/time/testing/manual-timers";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createScriptedThread, type ScriptedThread } from "./testing/scripted-thread.ts";
import { WorkQueue } from "./work-queue.ts";
import type { WorkQueueOptions } from "./work-queue-options.ts";
import type { WorkThread } from "./work-thread.ts";

let threads: ScriptedThread[];
let timers: ManualTimers;
let queue: WorkQueue<string, string>;
let losses: string[];

function openQueue(options: Partial<WorkQueueOptions<string, string>> = {}): WorkQueue<string, string> {
  queue = new WorkQueue({
    provider: "acme",
    openThread: async () => {
      const thread = createScriptedThread();
      threads.push(thread);
      return thread;
    },
    threadsMax: 1,
    waitingMax: 2,
    deadlineMs: 1_000,
    timers,
    onThreadLost: (reason) => losses.push(reason),
    ...options,
  });
  return queue;
}

beforeEach(() => {
  threads = [];
  losses = [];
  timers = createManualTimers();
});

afterEach(async () => {
  const reported = losses.length;
  await queue.close();
  expect(losses.slice(reported), "threads that were closed, not lost").toEqual([]);
  expect(timers.pending(), "timers left behind").toBe(0);
  expect(threads.every(({ hasEnded }) => hasEnded)).toBe(true);
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** What has become of a request by now. */
function follow(promise: Promise<string>): { outcome: unknown } {
  const followed: { outcome: unknown } = { outcome: "waiting" };
  promise.then(
    (result) => {
      followed.outcome = result;
    },
    (error: unknown) => {
      followed.outcome = error;
    },
  );
  return followed;
}

test("work is done in the order in which it was asked for", async () => {
  openQueue();
  const results = ["a", "b", "c"].map((work) => queue.run(work));
  await settle();
  for (const done of ["A", "B", "C"]) {
    threads[0]?.finish(done);
    await settle();
  }
  expect(await Promise.all(results)).toEqual(["A", "B", "C"]);
  expect(threads).toHaveLength(1);
});

test("threads are opened only for work that finds none free, and never more than allowed", async () => {
  openQueue({ threadsMax: 2 });
  follow(queue.run("a"));
  await settle();
  expect(threads).toHaveLength(1);
  follow(queue.run("b"));
  follow(queue.run("c"));
  await settle();
  expect(threads.map(({ underWay }) => underWay)).toEqual([["a"], ["b"]]);
});

test("a request beyond the queue is told at once that it may try again", async () => {
  openQueue();
  for (const work of ["a", "b", "c"]) follow(queue.run(work));
  await expect(queue.run("d")).rejects.toMatchObject({ name: "ProviderError", provider: "acme", retryable: true });
});

test("a request that waited too long is told that it may try again, and is never begun", async () => {
  openQueue();
  const first = follow(queue.run("a"));
  timers.pass(600);
  const second = follow(queue.run("b"));
  await settle();
  threads[0]?.finish("A");
  await settle();
  follow(queue.run("c"));
  timers.pass(600);
  await settle();
  expect(first.outcome).toBe("A");
  expect(second.outcome).toBe("waiting");
  timers.pass(400);
  await settle();
  expect(second.outcome).toMatchObject({ name: "ProviderError", retryable: true });
});

test("a thread that is stuck is replaced, and the next request is served by the new one", async () => {
  openQueue();
  const stuck = follow(queue.run("a"));
  await settle();
  timers.pass(500);
  const next = follow(queue.run("b"));
  timers.pass(500);
  await settle();
  expect(stuck.outcome).toMatchObject({ name: "ProviderError", retryable: true });
  expect(threads[0]?.hasEnded).toBe(true);
  expect(threads[1]?.underWay).toEqual(["b"]);
  threads[1]?.finish("B");
  await settle();
  expect(next.outcome).toBe("B");
  expect(losses).toEqual(["it gave no answer within 1000 ms"]);
});

test("work whose thread died is tried once more in a new one", async () => {
  openQueue();
  const result = follow(queue.run("a"));
  await settle();
  threads[0]?.die();
  await settle();
  expect(threads[1]?.underWay).toEqual(["a"]);
  threads[1]?.finish("A");
  await settle();
  expect(result.outcome).toBe("A");
  expect(losses).toEqual(["the thread ended"]);
});

test("work that kills its thread twice is given up, and what waits behind it is done", async () => {
  openQueue();
  const killer = follow(queue.run("a"));
  const next = follow(queue.run("b"));
  await settle();
  threads[0]?.die();
  await settle();
  threads[1]?.die();
  await settle();
  expect(killer.outcome).toMatchObject({ name: "ProviderError", retryable: true });
  threads[2]?.finish("B");
  await settle();
  expect(next.outcome).toBe("B");
  expect(losses).toEqual(["the thread ended", "the thread ended"]);
});

test("a thread that died while idle costs nobody an attempt", async () => {
  openQueue();
  const first = follow(queue.run("a"));
  await settle();
  threads[0]?.finish("A");
  await settle();
  threads[0]?.die();
  const second = follow(queue.run("b"));
  await settle();
  threads[1]?.die();
  await settle();
  threads[2]?.finish("B");
  await settle();
  expect([first.outcome, second.outcome]).toEqual(["A", "B"]);
  expect(losses).toEqual(["it ended while it had nothing to do", "the thread ended"]);
});

test("what the work itself did wrong is not tried again", async () => {
  openQueue();
  const result = follow(queue.run("a"));
  await settle();
  threads[0]?.fail(new Error("cannot say this"));
  await settle();
  expect(result.outcome).toBeInstanceOf(ProviderError);
  expect(result.outcome).toMatchObject({ retryable: false, message: expect.stringContaining("cannot say this") });
  expect(threads).toHaveLength(1);
});

test("who leaves while waiting frees the place", async () => {
  openQueue();
  const controller = new AbortController();
  follow(queue.run("a"));
  follow(queue.run("b"));
  const leaving = follow(queue.run("c", { signal: controller.signal }));
  controller.abort("bye");
  await settle();
  expect(leaving.outcome).toBe("bye");
  const successor = follow(queue.run("d"));
  await settle();
  expect(successor.outcome).toBe("waiting");
});

test("who leaves during the work is answered at once, and the thread serves the next when it is done", async () => {
  openQueue();
  const controller = new AbortController();
  const leaving = follow(queue.run("a", { signal: controller.signal }));
  const next = follow(queue.run("b"));
  await settle();
  controller.abort("bye");
  await settle();
  expect(leaving.outcome).toBe("bye");
  expect(threads[0]?.underWay).toEqual(["a"]);
  threads[0]?.finish("A");
  await settle();
  threads[0]?.finish("B");
  await settle();
  expect(next.outcome).toBe("B");
});

test("a thread that is stuck with work nobody waits for any more is replaced all the same", async () => {
  openQueue();
  const controller = new AbortController();
  follow(queue.run("a", { signal: controller.signal }));
  await settle();
  controller.abort("bye");
  timers.pass(999);
  const next = follow(queue.run("b"));
  timers.pass(1);
  await settle();
  threads[1]?.finish("B");
  await settle();
  expect(next.outcome).toBe("B");
});

test("a thread that cannot be opened fails the request, and the next one tries to open it again", async () => {
  let attempts = 0;
  openQueue({
    openThread: async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("no memory");
      const thread = createScriptedThread();
      threads.push(thread);
      return thread;
    },
  });
  const first = follow(queue.run("a"));
  await settle();
  expect(first.outcome).toMatchObject({ name: "ProviderError", message: expect.stringContaining("no memory") });
  const second = follow(queue.run("b"));
  await settle();
  threads[0]?.finish("B");
  await settle();
  expect(second.outcome).toBe("B");
});

test("closing fails what is under way and what waits, and refuses what comes after", async () => {
  openQueue();
  const outcomes = ["a", "b"].map((work) => follow(queue.run(work)));
  await settle();
  await queue.close();
  for (const { outcome } of outcomes) expect(outcome).toMatchObject({ name: "ProviderError", retryable: false });
  await expect(queue.run("c")).rejects.toMatchObject({ name: "ProviderError", retryable: false });
});

test("closing while a thread is being opened ends it as soon as it is there", async () => {
  const opening = Promise.withResolvers<WorkThread<string, string>>();
  openQueue({ openThread: () => opening.promise });
  const result = follow(queue.run("a"));
  const closed = queue.close();
  const thread = createScriptedThread();
  threads.push(thread);
  opening.resolve(thread);
  await closed;
  expect(thread.hasEnded).toBe(true);
  expect(result.outcome).toMatchObject({ name: "ProviderError" });
});

test("closing does not wait for ever for a thread that never ends", async () => {
  const stubborn: WorkThread<string, string> = {
    hasEnded: false,
    run: () => new Promise(() => undefined),
    end: () => new Promise(() => undefined),
  };
  openQueue({ openThread: async () => stubborn });
  follow(queue.run("a"));
  await settle();
  const closed = follow(queue.close().then(() => "closed"));
  await settle();
  expect(closed.outcome).toBe("waiting");
  timers.pass(2_000);
  await settle();
  expect(closed.outcome).toBe("closed");
  // Whoever cleans up after this test must not wait for that thread again.
  openQueue();
});

test("work that somebody waits for goes before work that is done on a guess", async () => {
  openQueue({ waitingMax: 4 });
  const done: string[] = [];
  const ask = (work: string, isUrgent: boolean) => queue.run(work, { isUrgent }).then((result) => done.push(result));
  const all = [ask("first", false), ask("guess", false), ask("answer", true), ask("second answer", true)];
  for (const result of ["first", "answer", "second answer", "guess"]) {
    await settle();
    threads[0]?.finish(result);
  }
  await Promise.all(all);
  expect(threads[0]?.started).toEqual(["first", "answer", "second answer", "guess"]);
});

test("a thread that can stop in the middle is told when nobody waits any more", async () => {
  openQueue();
  const gaveUp = new AbortController();
  const followed = follow(queue.run("a", { signal: gaveUp.signal }));
  await settle();
  gaveUp.abort(new Error("the callee went on"));
  await settle();
  expect(followed.outcome).toMatchObject({ message: "the callee went on" });
  expect(threads[0]?.cancels).toBe(1);
});
