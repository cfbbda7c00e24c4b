import { type LogFunctionFactory, Logger, parseCronItems, run as runWorker, type TaskList } from "graphile-worker";
import pg from "pg";
import { connectTo } from "../database/connecting/connect.ts";
import type { Log } from "../telemetry/log.ts";

/** A job that runs by the clock. */
interface ScheduledJob {
  readonly name: string;
  /** When, as cron writes it. */
  readonly cron: string;
  run(): Promise<unknown>;
}

export interface JobRunnerOptions {
  /** PostgreSQL itself, not a pooler: the runner listens and keeps sessions. */
  readonly databaseUrl: string;
  readonly jobs: readonly ScheduledJob[];
  readonly log: Log;
  onFinished(job: string, ok: boolean): void;
}

export interface JobRunner {
  stop(): Promise<void>;
}

const START_RETRY_MS = 1000;

/**
 * Without batches, graphile-worker notes the outcome of a job and does not wait for it: a connection that is lost in
 * that moment would end the process with an unhandled rejection. With batches, the runner ends instead and is started
 * again.
 */
const OUTCOMES_IN_BATCHES = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } } as const;

/**
 * Runs scheduled jobs, each on one process at a time however many run this. Waits while the database is unavailable.
 */
export function startJobRunner(options: JobRunnerOptions): JobRunner {
  let isStopped = false;
  let current: Awaited<ReturnType<typeof runWorker>> | null = null;
  const pool = openPool(options.databaseUrl, (error) => {
    if (!isStopped) options.log.warn({ error }, "job runner lost a database connection");
  });
  const loop = keepRunning();

  async function keepRunning(): Promise<void> {
    while (!isStopped) {
      try {
        current = await runWorker({
          pgPool: pool,
          preset: OUTCOMES_IN_BATCHES,
          concurrency: 2,
          noHandleSignals: true,
          pollInterval: 2000,
          logger: new Logger(toLog(options.log)),
          taskList: taskList(options),
          parsedCronItems: parseCronItems(
            options.jobs.map(({ name, cron }) => ({ task: name, match: cron, options: { maxAttempts: 3 } })),
          ),
        });
        if (isStopped) await current.stop();
        await current.promise;
      } catch (error) {
        options.log.warn({ error }, "job runner failed; retrying");
      }
      if (!isStopped) await new Promise((resolve) => setTimeout(resolve, START_RETRY_MS));
    }
  }

  return {
    async stop() {
      isStopped = true;
      await current?.stop().catch((error: unknown) => options.log.warn({ error }, "job runner did not stop cleanly"));
      await loop;
      await pool.end();
    },
  };
}

/**
 * graphile-worker does not wait for the end of a pool it made itself, and stops listening to its errors before: a
 * database that stops right after would end the process with an unhandled error.
 */
function openPool(url: string, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...(connectTo(url) as pg.PoolConfig), max: 4, application_name: "parley-jobs" });
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}

function taskList({ jobs, onFinished }: JobRunnerOptions): TaskList {
  return Object.fromEntries(
    jobs.map((job) => [
      job.name,
      async () => {
        try {
          await job.run();
          onFinished(job.name, true);
        } catch (error) {
          onFinished(job.name, false);
          throw error;
        }
      },
    ]),
  );
}

/** graphile-worker logs routine events at info; only problems go to our log. */
function toLog(log: Log): LogFunctionFactory {
  return () => (level, message) => {
    if (level === "error" || level === "warning") log.warn({ detail: message }, "job runner");
    else log.debug({ detail: message }, "job runner");
  };
}
