import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { makeDatabaseFolder } from "../../testing/database-folder.ts";
import { isPostmasterOf, readPostmasterFile } from "../postmaster-process.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../start-embedded-postgres.ts";

export interface LogLine {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly fields: object;
}

export interface Holder {
  readonly process: ChildProcess;
  readonly url: Promise<string>;
  /** Lets the process stop PostgreSQL and waits for its end; the exit code. */
  leave(): Promise<number | null>;
  kill(): Promise<void>;
}

/** One data folder with everything a test started on it. */
export class EmbeddedScene {
  readonly folder = makeDatabaseFolder();
  readonly dataDir = join(this.folder, "data");
  readonly cluster = join(this.dataDir, "postgres/database/cluster");
  readonly lines: LogLine[] = [];
  readonly #started: EmbeddedPostgres[] = [];
  readonly #holders: Holder[] = [];

  async start(): Promise<EmbeddedPostgres> {
    const write = (level: LogLine["level"]) => (fields: object, message: string) => {
      this.lines.push({ level, message, fields });
    };
    const log = { info: write("info"), warn: write("warn"), error: write("error") };
    const postgres = await startEmbeddedPostgres({ dataDir: this.dataDir, log });
    this.#started.push(postgres);
    return postgres;
  }

  hold(): Holder {
    const holder = spawnHolder(this.dataDir);
    this.#holders.push(holder);
    return holder;
  }

  postmasterPid(): number | undefined {
    const pid = readPostmasterFile(this.cluster)?.pid;
    return pid !== undefined && isPostmasterOf(pid, this.cluster) ? pid : undefined;
  }

  /** Ends everything a test started; the data stays for the next test, which saves it the making of a cluster. */
  async rest(): Promise<void> {
    this.lines.length = 0;
    for (const postgres of this.#started.splice(0)) await postgres.stop();
    for (const holder of this.#holders.splice(0)) await holder.kill();
    const pid = this.postmasterPid();
    if (pid !== undefined) {
      process.kill(pid, "SIGQUIT");
      await until(() => !isPostmasterOf(pid, this.cluster));
    }
  }

  async close(): Promise<void> {
    await this.rest();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Temporary folders are closed to others, and PostgreSQL runs as `nobody` when the tests run as root. */
export function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-embedded-"));
  chmodSync(folder, 0o755);
  return folder;
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  const broken: Error[] = [];
  client.on("error", (error) => broken.push(error));
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    if (broken.length === 0) await client.end();
  }
}

/** Recovery takes a fraction of a second on a quiet machine and many on one that is busy with other tests. */
const SERVING_WITHIN_MS = 60_000;

/** Waits until the database answers. */
export async function untilServing(url: string): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    try {
      await query(url, "SELECT 1");
      return;
    } catch (error) {
      if (performance.now() - startedAt > SERVING_WITHIN_MS) throw new Error("not serving", { cause: error });
    }
    await sleep(20);
  }
}

export async function until(condition: () => boolean, limitMs = 60_000): Promise<void> {
  const startedAt = performance.now();
  while (!condition()) {
    if (performance.now() - startedAt > limitMs) throw new Error(`not reached within ${limitMs} ms: ${condition}`);
    await sleep(5);
  }
}

function spawnHolder(dataDir: string): Holder {
  const script = fileURLToPath(new URL("hold-embedded-postgres.ts", import.meta.url));
  const child = spawn(process.execPath, [script, dataDir], { stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
  });
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString("utf8").trim()));
    child.once("close", () => reject(new Error(`the holding process ended early: ${said}`)));
  });
  // A test that kills the process on purpose never asks for its address.
  url.catch(() => undefined);
  return {
    process: child,
    url,
    leave: () => {
      child.stdin.end();
      return ended;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
