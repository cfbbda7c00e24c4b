import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, globSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { identityOptions, programEnvironment, runProgram } from "@parley/server/platform/database/embedded/run-program";
import { startEmbeddedPostgres } from "@parley/server/platform/database/embedded/start-embedded-postgres";
import { findUnprivilegedIdentity } from "@parley/server/platform/database/embedded/unprivileged-identity";
import { freePorts } from "@parley/telephony/testing/free-ports";
import pg from "pg";

export interface BenchDatabase {
  readonly name: string;
  readonly url: string;
  stop(): Promise<void>;
}

const log = { info: () => undefined, warn: () => undefined, error: console.error };
const SERVING_WITHIN_MS = 30_000;

export async function startEmbedded(dataDir: string): Promise<BenchDatabase> {
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log });
  return { name: `embedded ${await readVersion(url)}`, url, stop };
}

/**
 * Debian's PostgreSQL, 15 if there are several, with its defaults: nothing is tuned and every commit reaches the disk. Only the connections
 * are more: four processes of the reference take a hundred, and ours some more.
 */
export async function startDebians(folder: string): Promise<BenchDatabase> {
  const found = globSync("/usr/lib/postgresql/*/bin/initdb").map(dirname).sort();
  const bin = found.find((path) => path.includes("/15/")) ?? found[0];
  if (!bin)
    throw new Error("Debian's PostgreSQL is missing. Run: apt-get install -y --no-install-recommends postgresql");
  const identity = process.getuid?.() === 0 ? findUnprivilegedIdentity() : undefined;
  const cluster = join(folder, "debians-postgres");
  mkdirSync(cluster, { mode: 0o700 });
  if (identity) chownSync(cluster, identity.uid, identity.gid);
  const options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  await runProgram(join(bin, "initdb"), ["--pgdata", cluster, ...options], identity);
  const port = await freePorts(1);
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"];
  const child = spawn(join(bin, "postgres"), ["-D", cluster, "-p", String(port), ...settings], {
    cwd: cluster,
    env: programEnvironment,
    stdio: "ignore",
    ...identityOptions(identity),
  });
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const version = await untilServing(url, child);
  return {
    name: `Debian's ${version}`,
    url,
    async stop() {
      const exited = once(child, "exit");
      // To a postmaster SIGINT means: disconnect everyone, write everything, end.
      child.kill("SIGINT");
      await exited;
    },
  };
}

async function untilServing(url: string, child: ChildProcess): Promise<string> {
  const giveUpAtMs = performance.now() + SERVING_WITHIN_MS;
  for (;;) {
    try {
      return await readVersion(url);
    } catch (error) {
      if (child.exitCode !== null || performance.now() > giveUpAtMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function readVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
    return rows[0]?.version.split(" ")[0] ?? "";
  } finally {
    await client.end();
  }
}
