import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { stopWaitingForDisk } from "../testing/test-database.ts";
import { isPortFree } from "./choose-port.ts";
import { waitForExclusiveLock } from "./file-lock.ts";
import { isPostmasterOf, isProcessRunning } from "./postmaster-process.ts";
import { EmbeddedScene, query, until, untilServing } from "./testing/embedded-scene.ts";

const scene = new EmbeddedScene();

beforeAll(async () => {
  // Recovery would wait for the disk that other tests write to. A killed process loses nothing by it.
  const { url, stop } = await scene.start();
  await stopWaitingForDisk(url);
  await stop();
});
afterEach(() => scene.rest());
afterAll(() => scene.close());

function killPostmaster(): number {
  const pid = scene.postmasterPid();
  if (pid === undefined) throw new Error("PostgreSQL does not run");
  process.kill(pid, "SIGKILL");
  return pid;
}

describe("keeping the embedded PostgreSQL running", () => {
  it("is served to a second process, and only the last one to leave stops it", async () => {
    const { url, stop } = await scene.start();
    const pid = scene.postmasterPid();
    const holder = scene.hold();
    expect(await holder.url).toBe(url);
    expect(scene.postmasterPid()).toBe(pid);
    await stop();
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await holder.leave()).toBe(0);
    expect(scene.postmasterPid()).toBeUndefined();
  });

  it("outlives a killed service, and the next one attaches to it and may stop it", async () => {
    const holder = scene.hold();
    const url = await holder.url;
    const pid = scene.postmasterPid();
    await holder.kill();
    const next = await scene.start();
    expect(next.url).toBe(url);
    expect(scene.postmasterPid()).toBe(pid);
    await next.stop();
    expect(scene.postmasterPid()).toBeUndefined();
  });

  it("is back with every committed row after the postmaster is killed, while connections are open", async () => {
    const { url } = await scene.start();
    await query(url, "CREATE TABLE acknowledged (n int)");
    const open = new pg.Client({ connectionString: url });
    const lost = new Promise((resolve) => open.on("error", resolve));
    await open.connect();
    for (let n = 0; n < 50; n += 1) await open.query("INSERT INTO acknowledged VALUES ($1)", [n]);
    killPostmaster();
    await lost;
    await untilServing(url);
    expect(await query(url, "SELECT count(*)::int AS n FROM acknowledged")).toEqual([{ n: 50 }]);
    await until(() => scene.lines.some((line) => line.message === "PostgreSQL restarted"));
    expect(scene.lines.filter((line) => line.level === "error")).toEqual([]);
  });

  it("is started once, by either, when two processes watch it and it is killed", async () => {
    const { url, stop } = await scene.start();
    const holder = scene.hold();
    await holder.url;
    for (let round = 0; round < 2; round += 1) {
      const killed = killPostmaster();
      await until(() => scene.postmasterPid() !== undefined && scene.postmasterPid() !== killed);
      await untilServing(url);
    }
    await stop();
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await holder.leave()).toBe(0);
    expect(scene.postmasterPid()).toBeUndefined();
  });

  it("is brought back by a process that only attached to it, after its parent was killed too", async () => {
    const holder = scene.hold();
    const url = await holder.url;
    await scene.start();
    await holder.kill();
    killPostmaster();
    await untilServing(url);
  });

  it("recovers automatically after one of its backends is killed", async () => {
    const { url } = await scene.start();
    const pid = scene.postmasterPid();
    const open = new pg.Client({ connectionString: url });
    const lost = new Promise((resolve) => open.on("error", resolve));
    await open.connect();
    const { rows } = await open.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    process.kill(Number(rows[0]?.pid), "SIGKILL");
    await lost;
    await untilServing(url);
    expect(scene.postmasterPid()).toBe(pid);
  });

  it("keeps its address when another program took the port during a crash, says so, and is back once the port is free", async () => {
    const { url } = await scene.start();
    const releaseStart = await waitForExclusiveLock(join(scene.dataDir, "postgres/start.lock"), { timeoutMs: 10_000 });
    if (releaseStart === undefined) throw new Error("another process is starting PostgreSQL");
    const killed = killPostmaster();
    await until(() => !isPostmasterOf(killed, scene.cluster));
    const port = Number(new URL(url).port);
    while (!(await isPortFree(port))) await sleep(5);
    const taken = createServer().listen(port, "127.0.0.1");
    await once(taken, "listening");
    releaseStart();
    await until(() => scene.lines.some((line) => JSON.stringify(line).includes("taken by another program")));
    expect(scene.postmasterPid()).toBeUndefined();
    await new Promise((resolve) => taken.close(resolve));
    await untilServing(url);
  });

  it("stops within seconds when asked to in the middle of bringing it back", async () => {
    const { stop } = await scene.start();
    killPostmaster();
    await until(() => scene.lines.some((line) => line.message.startsWith("PostgreSQL exited unexpectedly")));
    await stop();
    expect(scene.postmasterPid()).toBeUndefined();
  });

  it("leaves alone another program whose process number is in its file", async () => {
    const { stop } = await scene.start();
    const pid = scene.postmasterPid();
    const pidFile = join(scene.cluster, "postmaster.pid");
    const written = readFileSync(pidFile, "utf8");
    const bystander = spawn("sleep", ["60"]);
    try {
      writeFileSync(pidFile, written.replace(/^\d+/, String(bystander.pid)));
      await stop();
      expect(isProcessRunning(Number(bystander.pid))).toBe(true);
    } finally {
      writeFileSync(pidFile, written);
      bystander.kill("SIGKILL");
    }
    expect(scene.postmasterPid()).toBe(pid);
  });
});
