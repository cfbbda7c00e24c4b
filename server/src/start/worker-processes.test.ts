import { EventEmitter } from "node:events";
import { createManualClock } from "@parley/time/testing/manual-clock";
import { expect, test } from "vitest";
import { startWorkerProcesses } from "./worker-processes.ts";

class FakeProcess extends EventEmitter {
  readonly signals: (NodeJS.Signals | number | undefined)[] = [];
  readonly pid: number;

  constructor(pid: number) {
    super();
    this.pid = pid;
  }

  kill(signal?: NodeJS.Signals | number): boolean {
    this.signals.push(signal);
    return true;
  }
}

function open(count: number) {
  const timers = createManualClock();
  const started: FakeProcess[] = [];
  const warnings: object[] = [];
  const workers = startWorkerProcesses({
    count,
    environmentOf: () => ({}),
    timers,
    log: { info: () => undefined, warn: (fields: object) => void warnings.push(fields) } as never,
    start: () => {
      const worker = new FakeProcess(started.length + 1);
      started.push(worker);
      return worker as never;
    },
  });
  return { workers, timers, started, warnings };
}

test("a worker process that ends is started again, later each time it ends early", () => {
  const { timers, started, warnings } = open(2);
  expect(started).toHaveLength(2);
  started[0]?.emit("exit", 1, null);
  timers.pass(999);
  expect(started).toHaveLength(2);
  timers.pass(1);
  expect(started).toHaveLength(3);
  started[2]?.emit("exit", null, "SIGKILL");
  timers.pass(1_999);
  expect(started).toHaveLength(3);
  timers.pass(1);
  expect(started).toHaveLength(4);
  expect(warnings).toMatchObject([
    { code: 1, delayMs: 1_000 },
    { signal: "SIGKILL", delayMs: 2_000 },
  ]);
});

test("one that lived well is started again soon", () => {
  const { timers, started, warnings } = open(1);
  timers.pass(60_000);
  started[0]?.emit("exit", 1, null);
  timers.pass(500);
  expect(started).toHaveLength(2);
  expect(warnings).toMatchObject([{ delayMs: 500 }]);
});

test("stopping passes the signal on, waits for all of them, and starts none again", async () => {
  const { workers, timers, started } = open(2);
  started[1]?.emit("exit", 1, null);
  let isStopped = false;
  const stopping = workers.stop("SIGTERM").then(() => {
    isStopped = true;
  });
  expect(started[0]?.signals).toEqual(["SIGTERM"]);
  await Promise.resolve();
  expect(isStopped).toBe(false);
  started[0]?.emit("exit", 0, null);
  await stopping;
  timers.pass(120_000);
  expect(started).toHaveLength(2);
});
