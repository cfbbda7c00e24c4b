import { existsSync, globSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectionUrl, readConnectionFile } from "@parley/server/platform/database/embedded/connection-file";
import { query } from "@parley/server/platform/database/embedded/testing/embedded-scene";
import { makeDatabaseFolder } from "@parley/server/platform/database/testing/database-folder";
import { until } from "./api-client.ts";
import { checkDatabaseOf } from "./check-database.ts";
import { copyMigratedDatabase, type InitialDatabase } from "./data-folder.ts";
import { killProcesses, processesOf, type RunningProcess } from "./processes-of.ts";
import { type ServiceProcess, type StartOptions, startService, waitUntilReady } from "./service-process.ts";

const EXIT_WITHIN_MS = 60_000;

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * One folder, the data folder in it, and every process that a test starts on them. A folder with a migrated database may
 * be in memory: a copy of the checkout belongs into one without.
 */
export class Scene {
  readonly folder: string;
  readonly dataDir: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.dataDir = join(folder, "data");
  }

  static async open(database: InitialDatabase = "migrated"): Promise<Scene> {
    const folder = database === "none" ? await mkdtemp(join(tmpdir(), "parley-e2e-")) : makeDatabaseFolder();
    // PostgreSQL runs as `nobody` when the tests run as root.
    await chmod(folder, 0o755);
    const scene = new Scene(folder);
    if (database === "none") return scene;
    await mkdir(scene.dataDir);
    await chmod(scene.dataDir, 0o711);
    await copyMigratedDatabase(scene.dataDir);
    return scene;
  }

  async start(options: Partial<StartOptions> = {}): Promise<ServiceProcess> {
    const service = await startService({ dataDir: this.dataDir, ...options, waitForReady: false });
    if (options.waitForReady !== false) await waitUntilReady(service, options.readyWithinMs ?? EXIT_WITHIN_MS);
    return service;
  }

  /** Starts a process that has no HTTP port to ask, and waits until it says that it is ready. */
  async startRole(role: string, options: Partial<StartOptions> = {}): Promise<ServiceProcess> {
    const env = { ...options.env, PARLEY_ROLES: role };
    const service = await this.start({ ...options, env, waitForReady: false });
    await until(
      async () => service.output(),
      (output) => output.includes('"msg":"ready"'),
      EXIT_WITHIN_MS,
    );
    return service;
  }

  /** Starts the program where it must refuse to, and returns its output. */
  async refuse(options: Partial<StartOptions> = {}): Promise<Ended> {
    const service = await this.start({ ...options, waitForReady: false });
    return { code: await exitOf(service), output: service.output() };
  }

  get cluster(): string {
    return join(this.dataDir, "postgres/database/cluster");
  }

  postmasterPid(): number {
    return Number(readFileSync(join(this.cluster, "postmaster.pid"), "utf8").split("\n")[0]);
  }

  /** Queries the embedded PostgreSQL directly. */
  query(text: string): Promise<Record<string, unknown>[]> {
    return query(connectionUrl(readConnectionFile(this.connectionFile)), text);
  }

  get connectionFile(): string {
    return join(this.dataDir, "postgres/database/connection.json");
  }

  processes(): RunningProcess[] {
    return processesOf(this.folder);
  }

  /** The files below a data folder. Without "all", not those that only PostgreSQL reads; its log is always there. */
  files(dataDir = this.dataDir, which: "ours" | "all" = "ours"): string[] {
    const exclude = which === "all" ? {} : { exclude: isPostgresData };
    return globSync("**/*", { cwd: dataDir, withFileTypes: true, ...exclude })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }

  /** Ends everything, after a check of the database if one is still running. */
  async close(): Promise<void> {
    const checked = await Promise.allSettled([checkDatabaseOf({ dataDir: this.dataDir })]);
    await until(
      async () => {
        killProcesses(this.processes());
        return this.processes();
      },
      (left) => left.length === 0,
      EXIT_WITHIN_MS,
    );
    if (existsSync(this.folder)) await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
    for (const each of checked) if (each.status === "rejected") throw each.reason;
  }
}

/** Waits for the end of a process that was told to end, or that must end on its own. */
export async function exitOf({ child, output }: ServiceProcess, withinMs = EXIT_WITHIN_MS): Promise<number | null> {
  try {
    await until(
      async () => child.exitCode !== null || child.signalCode !== null,
      (hasEnded) => hasEnded,
      withinMs,
    );
  } catch (error) {
    throw new Error(`the process did not end:\n${output()}`, { cause: error });
  }
  return child.exitCode;
}

function isPostgresData(entry: { name: string; parentPath: string }): boolean {
  return entry.parentPath.endsWith("/cluster") && entry.name !== "log";
}
