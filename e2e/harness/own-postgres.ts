import { spawn } from "node:child_process";
import { chownSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { identityOptions, programEnvironment, runProgram } from "@parley/server/platform/database/embedded/run-program";
import { query, untilServing } from "@parley/server/platform/database/embedded/testing/embedded-scene";
import { findUnprivilegedIdentity } from "@parley/server/platform/database/embedded/unprivileged-identity";
import { freePort } from "./free-port.ts";

const PASSWORD = "the-superuser-of-a-test";

export interface OwnPostgres {
  readonly version: string;
  readonly port: number;
  /** Runs statements as its superuser, one after another. */
  administer(...statements: string[]): Promise<void>;
}

/**
 * Starts a PostgreSQL that is not the embedded one, as an operator would provide it: Debian's, 15 if there are several.
 * It is started in the given folder and ends when that folder's processes are killed.
 */
export async function startOwnPostgres(folder: string): Promise<OwnPostgres> {
  const bin = findBinaries();
  const identity = process.getuid?.() === 0 ? findUnprivilegedIdentity() : undefined;
  const cluster = join(folder, "own-postgres");
  const passwordFile = join(folder, "own-postgres-password");
  mkdirSync(cluster, { mode: 0o700 });
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
  if (identity) for (const path of [cluster, passwordFile]) chownSync(path, identity.uid, identity.gid);
  const args = ["--pgdata", cluster, "--username=postgres", "--pwfile", passwordFile, "--auth=scram-sha-256"];
  await runProgram(join(bin, "initdb"), [...args, "--encoding=UTF8", "--locale=C", "--no-sync"], identity);
  const port = await freePort();
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
      for (const statement of statements) await query(url, statement);
    },
  };
}

function findBinaries(): string {
  const found = globSync("/usr/lib/postgresql/*/bin/initdb").map(dirname).sort();
  const chosen = found.find((folder) => folder.includes("/15/")) ?? found[0];
  if (chosen) return chosen;
  throw new Error(
    "This test needs Debian's PostgreSQL. Run: apt-get update && apt-get install -y --no-install-recommends postgresql",
  );
}
