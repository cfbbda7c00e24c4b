import { spawn } from "node:child_process";
import { appendFileSync, chownSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { identityOptions, programEnvironment, runProgram } from "@parley/server/platform/database/embedded/run-program";
import { query, untilServing } from "@parley/server/platform/database/embedded/testing/embedded-scene";
import { findUnprivilegedIdentity } from "@parley/server/platform/database/embedded/unprivileged-identity";
import { freePort } from "./free-port.ts";

const PASSWORD = "the-superuser-of-a-test";

export interface OwnPostgres {
  readonly version: string;
  readonly port: number;
  /** Runs statements as its superuser, one after another, and returns the rows of the last. */
  administer(...statements: string[]): Promise<Record<string, unknown>[]>;
  /** Copies the whole server to a folder that does not exist yet, while it runs. */
  copyTo(folder: string): Promise<void>;
}

/**
 * Starts a PostgreSQL that is not the embedded one, as an operator would provide it: Debian's, 15 if there are several.
 * It is started in the given folder and ends when that folder's processes are killed.
 */
export async function startOwnPostgres(folder: string, configuration = ""): Promise<OwnPostgres> {
  const identity = chooseIdentity();
  const cluster = join(folder, "own-postgres");
  const passwordFile = join(folder, "own-postgres-password");
  makeFolderOfPostgres(cluster);
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
  if (identity) chownSync(passwordFile, identity.uid, identity.gid);
  const args = ["--pgdata", cluster, "--username=postgres", "--pwfile", passwordFile, "--auth=scram-sha-256"];
  await runProgram(join(findBinaries(), "initdb"), [...args, "--encoding=UTF8", "--locale=C", "--no-sync"], identity);
  return serve(cluster, configuration);
}

/** Starts PostgreSQL on a copy of a server, which recovers as the configuration says. */
export function startRecovery(cluster: string, configuration: string): Promise<OwnPostgres> {
  const signal = join(cluster, "recovery.signal");
  const identity = chooseIdentity();
  writeFileSync(signal, "");
  if (identity) chownSync(signal, identity.uid, identity.gid);
  return serve(cluster, configuration);
}

/** Starts PostgreSQL on a copy of a server, as a standby that follows it. */
export function startStandby(cluster: string, primary: OwnPostgres): Promise<OwnPostgres> {
  const signal = join(cluster, "standby.signal");
  const identity = chooseIdentity();
  writeFileSync(signal, "");
  if (identity) chownSync(signal, identity.uid, identity.gid);
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${PASSWORD}`;
  return serve(cluster, `primary_conninfo = '${source}'\n`);
}

/** A folder that PostgreSQL may write to. */
export function makeFolderOfPostgres(path: string): void {
  const identity = chooseIdentity();
  mkdirSync(path, { mode: 0o700 });
  if (identity) chownSync(path, identity.uid, identity.gid);
}

const chooseIdentity = () => (process.getuid?.() === 0 ? findUnprivilegedIdentity() : undefined);

async function serve(cluster: string, configuration: string): Promise<OwnPostgres> {
  const bin = findBinaries();
  const identity = chooseIdentity();
  const port = await freePort();
  appendFileSync(join(cluster, "postgresql.conf"), configuration);
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"];
  spawn(join(bin, "postgres"), ["-D", cluster, "-p", String(port), ...settings], {
    cwd: cluster,
    env: programEnvironment,
    stdio: "ignore",
    ...identityOptions(identity),
  });
  const url = `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  await untilServing(url);
  const [row] = await query(url, "select current_setting('server_version') as version");
  return {
    version: String(row?.["version"]),
    port,
    async administer(...statements) {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) rows = await query(url, statement);
      return rows;
    },
    async copyTo(folder) {
      makeFolderOfPostgres(folder);
      const args = ["--pgdata", folder, "--dbname", url, "--checkpoint=fast", "--no-sync"];
      await runProgram(join(bin, "pg_basebackup"), args, identity);
    },
  };
}

/** The folder of the programs of Debian's PostgreSQL. */
export function findBinaries(): string {
  const found = globSync("/usr/lib/postgresql/*/bin/initdb").map(dirname).sort();
  const chosen = found.find((folder) => folder.includes("/15/")) ?? found[0];
  if (chosen) return chosen;
  throw new Error(
    "This test needs Debian's PostgreSQL. Run: apt-get update && apt-get install -y --no-install-recommends postgresql",
  );
}
