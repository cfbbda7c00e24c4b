import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Pool, type PoolFailure, type PoolOptions, type WorkPriority } from "./pool.ts";
import { createScriptedHost, type ScriptedHost } from "./testing/scripted-host.ts";
import type { WorkHost } from "./work-host.ts";

/** The error that the owner of a pool creates from a failure. */
class PoolError extends Error {
  override readonly name = "PoolError";
  readonly retryable: boolean;

  constructor({ message, retryable, cause }: PoolFailure) {
    super(message, { cause });
    this.retryable = retryable;
  }
}

let hosts: ScriptedHost[];
let timers: ManualClock;
let pool: Pool<string, string>;
let losses: string[];

function openPool(options: Partial<PoolOptions<string, string>> = {}): Pool<string, string> {
  pool = new Pool({
    toError: (failure) => new PoolError(failure),
    openHost: async () => {
      const host = createScriptedHost();
      hosts.push(host);
      return host;
    },
    hostsMax: 1,
    waitingMax: 2,
    deadlineMs: 1_000,
    timers,
    onHostLost: (reason) => losses.push(reason),
    ...options,
  });
  return pool;
}

beforeEach(() => {
  hosts = [];
  losses = [];
  timers = createManualClock();
});

afterEach(async () => {
  const reported = losses.length;
  await pool.close();
  expect(losses.slice(reported), "hosts that were closed, not lost").toEqual([]);
  expect(timers.pending(), "timers left behind").toBe(0);
  expect(hosts.every(({ hasEnded }) => hasEnded)).toBe(true);
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** The current state of a request. */
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

test("work is done in the order of the requests", async () => {
  openPool();
  const results = ["a", "b", "c"].map((work) => pool.run(work));
  await settle();
  for (const done of ["A", "B", "C"]) {
    hosts[0]?.finish(done);
    await settle();
  }
  expect(await Promise.all(results)).toEqual(["A", "B", "C"]);
  expect(hosts).toHaveLength(1);
});

test("a host is opened only when none is free, up to the limit", async () => {
  openPool({ hostsMax: 2 });
  follow(pool.run("a"));
  await settle();
  expect(hosts).toHaveLength(1);
  follow(pool.run("b"));
  follow(pool.run("c"));
  await settle();
  expect(hosts.map(({ underWay }) => underWay)).toEqual([["a"], ["b"]]);
});

test("a request beyond the queue limit fails immediately as retryable", async () => {
  openPool();
  for (const work of ["a", "b", "c"]) follow(pool.run(work));
  await expect(pool.run("d")).rejects.toMatchObject({ name: "PoolError", retryable: true });
});

test("a request that waited too long fails as retryable and never starts", async () => {
  openPool();
  const first = follow(pool.run("a"));
  timers.pass(600);
  const second = follow(pool.run("b"));
  await settle();
  hosts[0]?.finish("A");
  await settle();
  follow(pool.run("c"));
  timers.pass(600);
  await settle();
  expect(first.outcome).toBe("A");
  expect(second.outcome).toBe("waiting");
  timers.pass(400);
  await settle();
  expect(second.outcome).toMatchObject({ name: "PoolError", retryable: true });
});

test("a stuck host is replaced, and the next request is served by the new one", async () => {
  openPool();
  const stuck = follow(pool.run("a"));
  await settle();
  timers.pass(500);
  const next = follow(pool.run("b"));
  timers.pass(500);
  await settle();
  expect(stuck.outcome).toMatchObject({ name: "PoolError", retryable: true });
  expect(hosts[0]?.hasEnded).toBe(true);
  expect(hosts[1]?.underWay).toEqual(["b"]);
  hosts[1]?.finish("B");
  await settle();
  expect(next.outcome).toBe("B");
  expect(losses).toEqual(["it gave no answer within 1000 ms"]);
});

test("work whose host died is retried once in a new host", async () => {
  openPool();
  const result = follow(pool.run("a"));
  await settle();
  hosts[0]?.die();
  await settle();
  expect(hosts[1]?.underWay).toEqual(["a"]);
  hosts[1]?.finish("A");
  await settle();
  expect(result.outcome).toBe("A");
  expect(losses).toEqual(["the host ended"]);
});

test("work that kills its host twice is abandoned, and the work queued behind it is done", async () => {
  openPool();
  const killer = follow(pool.run("a"));
  const next = follow(pool.run("b"));
  await settle();
  hosts[0]?.die();
  await settle();
  hosts[1]?.die();
  await settle();
  expect(killer.outcome).toMatchObject({ name: "PoolError", retryable: true });
  hosts[2]?.finish("B");
  await settle();
  expect(next.outcome).toBe("B");
  expect(losses).toEqual(["the host ended", "the host ended"]);
});

test("a host that died while idle costs no request an attempt", async () => {
  openPool();
  const first = follow(pool.run("a"));
  await settle();
  hosts[0]?.finish("A");
  await settle();
  hosts[0]?.die();
  const second = follow(pool.run("b"));
  await settle();
  hosts[1]?.die();
  await settle();
  hosts[2]?.finish("B");
  await settle();
  expect([first.outcome, second.outcome]).toEqual(["A", "B"]);
  expect(losses).toEqual(["it ended while it had nothing to do", "the host ended"]);
});

test("a failure of the work itself is not retried", async () => {
  openPool();
  const result = follow(pool.run("a"));
  await settle();
  hosts[0]?.fail(new Error("cannot say this"));
  await settle();
  expect(result.outcome).toBeInstanceOf(PoolError);
  expect(result.outcome).toMatchObject({ retryable: false, message: expect.stringContaining("cannot say this") });
  expect(hosts).toHaveLength(1);
});

test("a request aborted while waiting frees its place in the queue", async () => {
  openPool();
  const controller = new AbortController();
  follow(pool.run("a"));
  follow(pool.run("b"));
  const leaving = follow(pool.run("c", { signal: controller.signal }));
  controller.abort("bye");
  await settle();
  expect(leaving.outcome).toBe("bye");
  const successor = follow(pool.run("d"));
  await settle();
  expect(successor.outcome).toBe("waiting");
});

test("a request aborted during the work fails immediately, and the host serves the next when done", async () => {
  openPool();
  const controller = new AbortController();
  const leaving = follow(pool.run("a", { signal: controller.signal }));
  const next = follow(pool.run("b"));
  await settle();
  controller.abort("bye");
  await settle();
  expect(leaving.outcome).toBe("bye");
  expect(hosts[0]?.underWay).toEqual(["a"]);
  hosts[0]?.finish("A");
  await settle();
  hosts[0]?.finish("B");
  await settle();
  expect(next.outcome).toBe("B");
});

test("a host stuck on abandoned work is still replaced", async () => {
  openPool();
  const controller = new AbortController();
  follow(pool.run("a", { signal: controller.signal }));
  await settle();
  controller.abort("bye");
  timers.pass(999);
  const next = follow(pool.run("b"));
  timers.pass(1);
  await settle();
  hosts[1]?.finish("B");
  await settle();
  expect(next.outcome).toBe("B");
});

test("a host that cannot be opened fails the request, and the next one tries to open it again", async () => {
  let attempts = 0;
  openPool({
    openHost: async () => {
      attempts += 1;
      if (attempts === 1) throw new Error("no memory");
      const host = createScriptedHost();
      hosts.push(host);
      return host;
    },
  });
  const first = follow(pool.run("a"));
  await settle();
  expect(first.outcome).toMatchObject({ name: "PoolError", message: expect.stringContaining("no memory") });
  const second = follow(pool.run("b"));
  await settle();
  hosts[0]?.finish("B");
  await settle();
  expect(second.outcome).toBe("B");
});

test("closing fails current and queued work, and refuses later requests", async () => {
  openPool();
  const outcomes = ["a", "b"].map((work) => follow(pool.run(work)));
  await settle();
  await pool.close();
  for (const { outcome } of outcomes) expect(outcome).toMatchObject({ name: "PoolError", retryable: false });
  await expect(pool.run("c")).rejects.toMatchObject({ name: "PoolError", retryable: false });
});

test("closing while a host is being opened ends the host as soon as it is open", async () => {
  const opening = Promise.withResolvers<WorkHost<string, string>>();
  openPool({ openHost: () => opening.promise });
  const result = follow(pool.run("a"));
  const closed = pool.close();
  const host = createScriptedHost();
  hosts.push(host);
  opening.resolve(host);
  await closed;
  expect(host.hasEnded).toBe(true);
  expect(result.outcome).toMatchObject({ name: "PoolError" });
});

test("closing does not wait indefinitely for a host that never ends", async () => {
  const stubborn: WorkHost<string, string> = {
    hasEnded: false,
    run: () => new Promise(() => undefined),
    end: () => new Promise(() => undefined),
  };
  openPool({ openHost: async () => stubborn });
  follow(pool.run("a"));
  await settle();
  const closed = follow(pool.close().then(() => "closed"));
  await settle();
  expect(closed.outcome).toBe("waiting");
  timers.pass(2_000);
  await settle();
  expect(closed.outcome).toBe("closed");
  // The cleanup after this test must not wait for that host again.
  openPool();
});

test("work that a caller waits for goes before work done ahead, and that before work in the background", async () => {
  openPool({ waitingMax: 5 });
  const done: string[] = [];
  const ask = (work: string, priority: WorkPriority) =>
    pool.run(work, { priority }).then((result) => done.push(result));
  const all = [
    ask("first", "ahead"),
    ask("background", "background"),
    ask("guess", "ahead"),
    ask("answer", "urgent"),
    ask("second answer", "urgent"),
  ];
  const expected = ["first", "answer", "second answer", "guess", "background"];
  for (const result of expected) {
    await settle();
    hosts[0]?.finish(result);
  }
  await Promise.all(all);
  expect(hosts[0]?.started).toEqual(expected);
});

test("work in the background leaves one of several hosts to the rest", async () => {
  openPool({ hostsMax: 2, waitingMax: 4 });
  const all = [
    pool.run("background", { priority: "background" }),
    pool.run("more background", { priority: "background" }),
    pool.run("answer"),
  ];
  await settle();
  expect(hosts.map(({ started }) => started)).toEqual([["background"], ["answer"]]);
  hosts[1]?.finish("answer");
  await settle();
  expect(hosts[1]?.started).toEqual(["answer"]);
  hosts[0]?.finish("background");
  await settle();
  hosts[0]?.finish("more background");
  await Promise.all(all);
});

test("a host that can stop midway is cancelled when its caller stops waiting", async () => {
  openPool();
  const gaveUp = new AbortController();
  const followed = follow(pool.run("a", { signal: gaveUp.signal }));
  await settle();
  gaveUp.abort(new Error("the callee went on"));
  await settle();
  expect(followed.outcome).toMatchObject({ message: "the callee went on" });
  expect(hosts[0]?.cancels).toBe(1);
});

test("the time that a request waited does not count against the host that works on it", async () => {
  openPool();
  const first = follow(pool.run("a"));
  const second = follow(pool.run("b"));
  await settle();
  timers.pass(900);
  hosts[0]?.finish("A");
  await settle();
  timers.pass(900);
  hosts[0]?.finish("B");
  await settle();
  expect([first.outcome, second.outcome]).toEqual(["A", "B"]);
  expect(hosts).toHaveLength(1);
});

test("a request is served by the new host when the old one was stuck", async () => {
  openPool();
  const first = follow(pool.run("a"));
  await settle();
  timers.pass(999);
  const second = follow(pool.run("b"));
  await settle();
  timers.pass(1);
  await settle();
  expect(first.outcome).toMatchObject({ retryable: true, message: "no answer within 1000 ms" });
  hosts[1]?.finish("B");
  await settle();
  expect(second.outcome).toBe("B");
});

test("a host that is only slow is not replaced, and serves the next request", async () => {
  openPool({ stuckMs: 5_000 });
  const slow = follow(pool.run("a"));
  const waiting = follow(pool.run("b"));
  await settle();
  timers.pass(1_000);
  await settle();
  expect(slow.outcome).toMatchObject({ retryable: true, message: "no answer within 1000 ms" });
  expect(waiting.outcome).toMatchObject({ retryable: true, message: "no host was free within 1000 ms" });
  timers.pass(3_000);
  const next = follow(pool.run("c"));
  hosts[0]?.finish("A");
  await settle();
  hosts[0]?.finish("C");
  await settle();
  expect(next.outcome).toBe("C");
  expect(losses).toEqual([]);
});

test("a host that stays stuck is eventually replaced", async () => {
  openPool({ stuckMs: 5_000 });
  follow(pool.run("a"));
  await settle();
  timers.pass(1_000);
  timers.pass(3_999);
  expect(losses).toEqual([]);
  timers.pass(1);
  expect(losses).toEqual(["it gave no answer within 5000 ms"]);
  const next = follow(pool.run("b"));
  await settle();
  hosts[1]?.finish("B");
  await settle();
  expect(next.outcome).toBe("B");
});
