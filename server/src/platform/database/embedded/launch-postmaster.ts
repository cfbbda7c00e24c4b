import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddedLayout } from "./embedded-layout.ts";
import { cannotRun, identityOptions, programEnvironment } from "./run-program.ts";
import type { Identity } from "./unprivileged-identity.ts";

/**
 * Settings are given on the command line so that a new release of the service changes them for old data folders too.
 * What is not named here has PostgreSQL's own default: above all, commits wait for the disk.
 * Logs are terse because the details of an error quote the row that caused it, and rows hold what people said.
 */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  cluster_name: "parley",
  max_connections: "200",
  shared_buffers: "64MB",
  timezone: "UTC",
  // Ends the statement, and so the locks, of a process that was killed while its statement ran.
  client_connection_check_interval: "2s",
  logging_collector: "on",
  log_directory: "log",
  log_filename: "postgres-%Y%m%d-%H%M%S.log",
  log_rotation_size: "5MB",
  log_rotation_age: "0",
  log_min_messages: "warning",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
  log_timezone: "UTC",
};

/**
 * Starts PostgreSQL in its own process group: it outlives this process, even if that is killed, and the next one
 * attaches to it. Resolves when the process exists, which says nothing yet about whether it serves.
 */
export function launchPostmaster(
  layout: EmbeddedLayout,
  binFolder: string,
  port: number,
  identity: Identity | undefined,
): Promise<ChildProcess> {
  const program = join(binFolder, "postgres");
  const args = ["-D", layout.cluster, "-p", String(port)];
  for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
  const startLog = openSync(layout.startLog, "w", 0o600);
  const child = spawn(program, args, {
    cwd: layout.cluster,
    env: programEnvironment,
    detached: true,
    stdio: ["ignore", startLog, startLog],
    ...identityOptions(identity),
  });
  closeSync(startLog);
  child.unref();
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child));
    child.once("error", (error) => reject(cannotRun(program, error)));
  });
}

const tailLength = 1_500;

/** The last output of PostgreSQL: from before it opened its own log, otherwise the end of the newest log. */
export function readLastWords(layout: EmbeddedLayout): string {
  const early = readFileSync(layout.startLog, "utf8").trim();
  const newest = existsSync(layout.logs) ? readdirSync(layout.logs).sort().at(-1) : undefined;
  if (!early.includes("redirecting log output") || newest === undefined) return early.slice(-tailLength);
  return readFileSync(join(layout.logs, newest), "utf8").trim().slice(-tailLength);
}
