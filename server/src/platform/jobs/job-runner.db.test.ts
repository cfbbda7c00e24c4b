import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { run } from "../database/database.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { createLog } from "../telemetry/log.ts";
import { type JobRunner, startJobRunner } from "./job-runner.ts";

/** As cron writes a moment that no test meets. */
const NEVER = "0 0 30 2 *";
const JOBS = "graphile_worker._private_jobs";

let t: TestDatabase;
let runner: JobRunner;
let runs: (() => Promise<void>)[];
let finished: { job: string; ok: boolean }[];

beforeEach(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  runs = [];
  finished = [];
  runner = startJobRunner({
    databaseUrl: t.url,
    log: createLog("silent"),
    jobs: [{ name: "tidy", cron: NEVER, run: async () => runs.shift()?.() }],
    onFinished: (job, ok) => finished.push({ job, ok }),
  });
  await expect.poll(() => isReady(), { interval: 50 }).toBe(true);
});

afterEach(async () => {
  await runner.stop();
  await t.close();
});

test("a job whose outcome cannot be written down does not end the process, and others follow", async () => {
  runs = [() => run(t.db, `alter table ${JOBS} rename to taken_away`).then(() => undefined)];
  await addJob();
  await expect.poll(() => finished).toEqual([{ job: "tidy", ok: true }]);
  await run(t.db, "alter table graphile_worker.taken_away rename to _private_jobs");
  await addJob();
  await expect.poll(() => finished.length).toBe(2);
});

test("a job that fails is reported, and is tried again", async () => {
  runs = [() => Promise.reject(new Error("not today"))];
  await addJob();
  await expect.poll(() => finished).toEqual([{ job: "tidy", ok: false }]);
  await expect.poll(() => run(t.db, `select attempts from ${JOBS}`)).toEqual([{ attempts: 1 }]);
  await run(t.db, `update ${JOBS} set run_at = now()`);
  await expect.poll(() => finished.at(-1)).toEqual({ job: "tidy", ok: true });
});

async function isReady(): Promise<boolean> {
  const [row] = await run<{ isReady: boolean }>(t.db, `select to_regclass('${JOBS}') is not null as "isReady"`);
  return row?.isReady ?? false;
}

async function addJob(): Promise<void> {
  await run(t.db, "select graphile_worker.add_job('tidy', max_attempts => 3)");
}
