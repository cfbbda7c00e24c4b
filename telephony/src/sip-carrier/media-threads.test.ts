import { describe, expect, it } from "vitest";
import { MediaThreads, type StartedThread } from "./media-threads.ts";

type Countable = { -readonly [Key in keyof StartedThread]: StartedThread[Key] };

function start(count: number) {
  const started: Countable[] = [];
  const threads = new MediaThreads(count, () => {
    const thread: Countable = {
      legCount: 0,
      hasExited: false,
      openLeg: () => Promise.reject(new Error("it carries nothing")),
      async stop() {
        thread.hasExited = true;
      },
    };
    started.push(thread);
    return thread;
  });
  return { started, threads };
}

describe("media threads", () => {
  it("take turns by how much they carry", () => {
    const { started, threads } = start(3);
    const [first, second, third] = started;
    if (!first || !second || !third) throw new Error("three threads are needed");
    first.legCount = 2;
    second.legCount = 1;
    third.legCount = 4;
    expect(threads.pick()).toBe(second);
    second.legCount = 3;
    expect(threads.pick()).toBe(first);
    expect(threads.counts()).toEqual({ threads: 3, legs: 9 });
  });

  it("are replaced when they die, and all stop in the end", async () => {
    const { started, threads } = start(2);
    const [first] = started;
    if (!first) throw new Error("a thread is needed");
    first.hasExited = true;
    expect(threads.pick()).not.toBe(first);
    expect(started).toHaveLength(3);
    await threads.close();
    expect(started.every(({ hasExited }) => hasExited)).toBe(true);
    expect(threads.counts()).toEqual({ threads: 0, legs: 0 });
    expect(() => threads.pick()).toThrow("closed");
  });
});
