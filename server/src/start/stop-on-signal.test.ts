import { expect, test } from "vitest";
import { createLog } from "../platform/telemetry/log.ts";
import { stopOnSignal } from "./stop-on-signal.ts";

/** A process that receives signals from the test, and a service whose start and stop the test completes. */
function openRig() {
  const listeners = new Map<string, (signal: NodeJS.Signals) => void>();
  const exits: number[] = [];
  const stops: number[] = [];
  let nowMs = 0;
  const started = Promise.withResolvers<{ stop(patienceMs: number): Promise<void> }>();
  const stopped = Promise.withResolvers<void>();
  const service = {
    stop: (patienceMs: number) => {
      stops.push(patienceMs);
      return stopped.promise;
    },
  };
  let canceled: AbortSignal | null = null;
  const start = (signal: AbortSignal) => {
    canceled = signal;
    return started.promise;
  };
  const running = stopOnSignal(start, createLog("silent"), {
    on: (signal, listener) => listeners.set(signal, listener),
    exit: (code) => exits.push(code),
    nowMs: () => nowMs,
  });
  return {
    exits,
    stops,
    stopped,
    started,
    running,
    canceled: () => canceled,
    completeStart: () => started.resolve(service),
    advance: (ms: number) => {
      nowMs += ms;
    },
    send: (signal: "SIGINT" | "SIGTERM") => listeners.get(signal)?.(signal),
    settle: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

test("SIGTERM waits for calls without limit, SIGINT for ten seconds, and both end with 0", async () => {
  for (const [signal, patienceMs] of [
    ["SIGTERM", Number.POSITIVE_INFINITY],
    ["SIGINT", 10_000],
  ] as const) {
    const rig = openRig();
    rig.completeStart();
    rig.send(signal);
    await rig.settle();
    expect([rig.stops, rig.exits]).toEqual([[patienceMs], []]);
    rig.stopped.resolve();
    await rig.settle();
    expect(rig.exits).toEqual([0]);
  }
});

test("a Ctrl-C that npm passes on a moment after the terminal sent it is one Ctrl-C", async () => {
  const rig = openRig();
  rig.completeStart();
  rig.send("SIGINT");
  rig.advance(20);
  rig.send("SIGINT");
  await rig.settle();
  expect([rig.stops, rig.exits]).toEqual([[10_000], []]);
});

test("a second signal quits immediately: the same one later, or another one at any time", () => {
  const later = openRig();
  later.send("SIGTERM");
  later.advance(501);
  later.send("SIGTERM");
  expect(later.exits).toEqual([1]);
  const other = openRig();
  other.send("SIGTERM");
  other.send("SIGINT");
  expect(other.exits).toEqual([1]);
});

test("a signal during the start is obeyed when the start is complete, so that nothing it began is left running", async () => {
  const rig = openRig();
  rig.send("SIGINT");
  await rig.settle();
  expect([rig.stops, rig.exits]).toEqual([[], []]);
  rig.completeStart();
  await rig.settle();
  expect(rig.stops).toEqual([10_000]);
});

test("a failed stop exits with 1, and a failed start is left to the caller", async () => {
  const failing = openRig();
  failing.completeStart();
  failing.send("SIGTERM");
  failing.stopped.reject(new Error("no"));
  await failing.settle();
  expect(failing.exits).toEqual([1]);
  const never = openRig();
  never.send("SIGTERM");
  never.started.reject(new Error("no"));
  await expect(never.running).rejects.toThrow("no");
  expect(never.exits).toEqual([]);
});

test("a start that waits for other processes gives up on a signal, and the process ends with 0", async () => {
  const rig = openRig();
  expect(rig.canceled()?.aborted).toBe(false);
  rig.send("SIGTERM");
  expect(rig.canceled()?.aborted).toBe(true);
  rig.started.reject(rig.canceled()?.reason);
  await rig.running;
  await rig.settle();
  expect([rig.stops, rig.exits]).toEqual([[], [0]]);
});
