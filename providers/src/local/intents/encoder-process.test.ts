import { Pool } from "@parley/threads/pool";
import { HostEnded } from "@parley/threads/work-host";
import { createManualClock } from "@parley/time/testing/manual-clock";
import { expect, test } from "vitest";
import { toProviderError } from "../to-provider-error.ts";
import { EncoderHost, type EncoderProcess } from "./encoder-process.ts";

/** A process that a test loads and kills by hand, and that works immediately unless it is stuck. */
function createProcess(pid: number) {
  const ready = Promise.withResolvers<void>();
  const stuck = Promise.withResolvers<never>();
  ready.promise.catch(() => undefined);
  stuck.promise.catch(() => undefined);
  const state = { hasEnded: false, isStuck: false };
  const die = () => {
    state.hasEnded = true;
    ready.reject(new HostEnded("it ended"));
    stuck.reject(new HostEnded("it ended"));
  };
  const process: EncoderProcess = {
    pid,
    ready: ready.promise,
    get hasEnded() {
      return state.hasEnded;
    },
    run: (texts) => (state.isStuck ? stuck.promise : Promise.resolve(texts.map(() => Float32Array.of(pid)))),
    end: async () => die(),
  };
  return { process, state, die, load: () => ready.resolve() };
}

function openEncoder() {
  const started: ReturnType<typeof createProcess>[] = [];
  const encoder = new EncoderHost(() => {
    const made = createProcess(started.length + 1);
    started.push(made);
    return made.process;
  });
  const timers = createManualClock();
  const queue = new Pool<readonly string[], Float32Array[]>({
    toError: toProviderError("test"),
    openHost: async () => encoder.openHost(),
    hostsMax: 1,
    waitingMax: 4,
    deadlineMs: 1_000,
    timers,
  });
  return { encoder, started, timers, queue };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a process that loads longer than any caller waits is still loaded for later callers", async () => {
  const { encoder, started, timers, queue } = openEncoder();
  const early = queue.run(["hello"]);
  await settled();
  timers.pass(1_000);
  await expect(early).rejects.toThrow("no answer within");
  started[0]?.load();
  expect(await queue.run(["hello"])).toEqual([Float32Array.of(1)]);
  expect(started).toHaveLength(1);
  expect(encoder.pid).toBe(1);
  await queue.close();
});

test("a process that is stuck is ended, and another one replaces it", async () => {
  const { started, timers, queue } = openEncoder();
  const first = queue.run(["hello"]);
  await settled();
  started[0]?.load();
  await first;
  if (started[0] !== undefined) started[0].state.isStuck = true;
  const late = queue.run(["again"]);
  await settled();
  timers.pass(1_000);
  await expect(late).rejects.toThrow("no answer within");
  expect(started[0]?.process.hasEnded).toBe(true);
  const next = queue.run(["and again"]);
  await settled();
  started[1]?.load();
  expect(await next).toEqual([Float32Array.of(2)]);
  await queue.close();
});

test("a process that dies during its work is replaced, and the next one does the work", async () => {
  const { started, queue } = openEncoder();
  const given = queue.run(["hello"]);
  await settled();
  started[0]?.die();
  await settled();
  started[1]?.load();
  expect(await given).toEqual([Float32Array.of(2)]);
  await queue.close();
});
