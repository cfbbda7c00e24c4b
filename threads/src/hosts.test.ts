import { spawnSync } from "node:child_process";
import { getPriority } from "node:os";
import { systemClock } from "@parley/time/clock";
import { createManualClock } from "@parley/time/testing/manual-clock";
import { describe, expect, onTestFinished, test } from "vitest";
import { ProcessHost, type ProcessHostOptions } from "./process-host.ts";
import type { EchoWork } from "./testing/echo-work.ts";
import { HostEnded, type WorkHost } from "./work-host.ts";
import { WorkerHost } from "./worker-host.ts";

const CHILD = new URL("./testing/echo-child.ts", import.meta.url);

function openWorker(): WorkHost<EchoWork, unknown> {
  const program = new URL("./testing/echo-worker.ts", import.meta.url);
  const host = new WorkerHost<EchoWork, unknown>(program, { name: "echo" });
  onTestFinished(() => host.end());
  return host;
}

function openProcess(options: Partial<ProcessHostOptions> = {}): ProcessHost<EchoWork, unknown> {
  const host = new ProcessHost<EchoWork, unknown>(CHILD, { name: "the echo", timers: systemClock, ...options });
  host.ready.catch(() => undefined);
  onTestFinished(() => host.end());
  return host;
}

describe.each([
  ["a worker thread", openWorker],
  ["a child process", openProcess],
] as const)("%s", (_, open) => {
  test("does work in order and passes typed arrays unchanged", async () => {
    const host = open();
    const samples = Int16Array.of(1, -2, 3);
    const results = [1, samples, "three"].map((value) => host.run({ type: "echo", value }));
    expect(await Promise.all(results)).toEqual([1, samples, "three"]);
  });

  test("reports failed work and continues", async () => {
    const host = open();
    await expect(host.run({ type: "fail", reason: "no such voice" })).rejects.toThrow("no such voice");
    expect(await host.run({ type: "echo", value: 1 })).toBe(1);
  });

  test("stops work that was cancelled", async () => {
    const host = open();
    // Queued behind this one, so that the host is working on it when the cancellation arrives.
    await host.run({ type: "echo", value: 1 });
    const waiting = host.run({ type: "wait" });
    host.cancel?.();
    expect(await waiting).toBe("cancelled");
  });

  test("fails the current work when it dies, and all later work", async () => {
    const host = open();
    await expect(host.run({ type: "exit" })).rejects.toThrow(HostEnded);
    expect(host.hasEnded).toBe(true);
    await expect(host.run({ type: "echo", value: 1 })).rejects.toThrow(HostEnded);
  });

  test("can be ended while it hangs", async () => {
    const host = open();
    await host.run({ type: "echo", value: 1 });
    const hanging = host.run({ type: "hang" });
    const failed = expect(hanging).rejects.toThrow(HostEnded);
    await host.end();
    await failed;
    await host.end();
  });

  test("does not see the environment, which holds the installation's keys", async () => {
    const names = (await open().run({ type: "environment" })) as string[];
    // Only a child process needs to be told.
    expect(names.filter((name) => name !== "ORT_DISABLE_TELEMETRY")).toEqual([]);
  });
});

describe("a child process", () => {
  test("is told not to report the use of models to their library's vendor", async () => {
    expect(await openProcess().run({ type: "environment" })).toEqual(["ORT_DISABLE_TELEMETRY"]);
  });

  test("runs at the given priority", async () => {
    const host = openProcess({ priority: 5 });
    await host.ready;
    expect(host.pid === undefined ? null : getPriority(host.pid)).toBe(5);
  });

  test("counts as having worked once it has replied", async () => {
    const host = openProcess();
    await host.ready;
    expect(host.hasWorked).toBe(false);
    await host.run({ type: "echo", value: 1 });
    expect(host.hasWorked).toBe(true);
  });

  test("that exits before it is ready never becomes ready", async () => {
    const host = openProcess({ args: ["broken"] });
    await expect(host.ready).rejects.toThrow("the echo ended");
    await host.ended;
  });

  test("that is suspended during its work is killed, and its work fails with the reason", async () => {
    const timers = createManualClock();
    const host = openProcess({ timers, stalledMs: 3_000 });
    await host.ready;
    await host.run({ type: "echo", value: 1 });
    process.kill(host.pid ?? 0, "SIGSTOP");
    const given = host.run({ type: "echo", value: 2 });
    const failed = expect(given).rejects.toThrow("the echo used no processor time for 3000 ms and was killed");
    for (let check = 0; check < 3; check++) timers.pass(1_000);
    await failed;
    expect(timers.pending()).toBe(0);
  });

  test("that works slowly is left alone, however long it takes", async () => {
    const timers = createManualClock();
    let time = 0;
    const host = openProcess({ timers, stalledMs: 3_000, readProcessorTime: () => time });
    await host.ready;
    const waiting = host.run({ type: "wait" });
    for (let second = 0; second < 60; second++) {
      if (second % 2 === 0) time += 1;
      timers.pass(1_000);
    }
    expect(host.hasEnded).toBe(false);
    host.cancel();
    expect(await waiting).toBe("cancelled");
    expect(timers.pending()).toBe(0);
  });

  test("gets no signals of its owner's terminal, not even while it starts", async () => {
    const { pid } = openProcess();
    const { stdout } = spawnSync("ps", ["-o", "pgid=", "-p", `${pid}`], { encoding: "utf8" });
    expect(Number(stdout)).toBe(pid);
  });

  test("that does not become ready in time is killed", async () => {
    const timers = createManualClock();
    const host = openProcess({ args: ["slow"], timers, startMaxMs: 1_000 });
    timers.pass(1_000);
    await expect(host.ready).rejects.toThrow(HostEnded);
    expect(timers.pending()).toBe(0);
  });
});
