import { spawn } from "node:child_process";
import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identityOptions, programEnvironment } from "@parley/server/platform/database/embedded/run-program";
import { untilServing } from "@parley/server/platform/database/embedded/testing/embedded-scene";
import { findUnprivilegedIdentity } from "@parley/server/platform/database/embedded/unprivileged-identity";
import { freePort } from "./free-port.ts";

/**
 * Starts Debian's PgBouncer in transaction mode in front of a database. Returns the URL that leads through it. It ends when the
 * folder's processes are killed.
 */
export async function startPgBouncer(folder: string, databaseUrl: string): Promise<string> {
  const identity = process.getuid?.() === 0 ? findUnprivilegedIdentity() : undefined;
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const own = join(folder, "pgbouncer");
  const listenPort = await freePort();
  mkdirSync(own, { mode: 0o700 });
  const users = join(own, "users.txt");
  const configuration = join(own, "pgbouncer.ini");
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    configuration,
    `[databases]
${name} = host=${hostname} port=${port} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 500
`,
  );
  if (identity) for (const path of [own, users, configuration]) chownSync(path, identity.uid, identity.gid);
  spawn("/usr/sbin/pgbouncer", [configuration], {
    cwd: own,
    env: programEnvironment,
    stdio: "ignore",
    ...identityOptions(identity),
  });
  const url = new URL(databaseUrl);
  url.port = String(listenPort);
  await untilServing(url.href);
  return url.href;
}
