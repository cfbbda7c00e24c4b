import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkerPresence, type WorkerPresence } from "./worker-presence.ts";

let dataDir: string;
let survivor: WorkerPresence;
const children: ChildProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "parley-presence-"));
  survivor = openWorkerPresence(dataDir, "wrk_survivor");
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  survivor.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function startWorker(workerId: string, ...kernel: string[]): Promise<ChildProcess> {
  const child = fork(new URL("../testing/present-worker.ts", import.meta.url), [dataDir, workerId, ...kernel], {
    execArgv: [],
  });
  children.push(child);
  await once(child, "message");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function stopped(child: ChildProcess): Promise<void> {
  child.kill("SIGSTOP");
  for (;;) if (/\) T /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8"))) return;
}

async function findDead(): Promise<string[]> {
  const dead: string[] = [];
  await survivor.reportDead(async (workerIds) => void dead.push(...workerIds));
  return dead;
}

test("a worker that was killed is found dead, once", async () => {
  const doomed = await startWorker("wrk_doomed");
  await startWorker("wrk_other");
  expect(await findDead()).toEqual([]);
  await kill(doomed);
  expect(await findDead()).toEqual(["wrk_doomed"]);
  expect(await findDead()).toEqual([]);
});

test("a suspended worker counts as alive, however often it is checked", async () => {
  const paused = await startWorker("wrk_paused");
  const doomed = await startWorker("wrk_doomed");
  await stopped(paused);
  await kill(doomed);
  expect(await findDead()).toEqual(["wrk_doomed"]);
  for (let looks = 0; looks < 20; looks += 1) expect(await findDead()).toEqual([]);
  paused.kill("SIGCONT");
  expect(await findDead()).toEqual([]);
});

test("a worker that finished in order is not called dead", async () => {
  const child = await startWorker("wrk_done");
  const exited = once(child, "exit");
  child.send("close");
  await exited;
  expect(await findDead()).toEqual([]);
});

test("no worker of another machine is declared dead, even where its locks are not visible", async () => {
  const elsewhere = await startWorker("wrk_elsewhere", "another-kernel");
  await kill(elsewhere);
  expect(await findDead()).toEqual([]);
});

test("a worker whose calls could not be ended is found again", async () => {
  await kill(await startWorker("wrk_doomed"));
  const away = new Error("the database is away");
  await expect(survivor.reportDead(() => Promise.reject(away))).rejects.toThrow(away);
  expect(await findDead()).toEqual(["wrk_doomed"]);
});

test("old leftovers of machines are removed, and files in use are not", async () => {
  await kill(await startWorker("wrk_old", "old-kernel"));
  await startWorker("wrk_elsewhere", "another-kernel");
  const folder = join(dataDir, "workers");
  const longAgo = new Date(Date.now() - 90 * 86_400_000);
  utimesSync(join(folder, "old-kernel-wrk_old.lock"), longAgo, longAgo);
  openWorkerPresence(dataDir, "wrk_fresh").close();
  expect(
    readdirSync(folder)
      .map((name) => name.replace(/^.*-wrk/, "wrk"))
      .sort(),
  ).toEqual(["wrk_elsewhere.lock", "wrk_survivor.lock"]);
});
