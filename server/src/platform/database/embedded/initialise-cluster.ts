import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { choosePort } from "./choose-port.ts";
import { roleName, writeConnectionFile } from "./connection-file.ts";
import { type EmbeddedLayout, initialisingPrefix } from "./embedded-layout.ts";
import type { EmbeddedPostgresLog } from "./embedded-postgres-log.ts";
import { runProgram } from "./run-program.ts";
import type { Identity } from "./unprivileged-identity.ts";

/**
 * Makes an empty cluster beside its final place and moves it there by one rename, so that a `database` folder is always
 * complete however the process ended. Must be called with the start lock held.
 */
export async function initialiseCluster(
  layout: EmbeddedLayout,
  binFolder: string,
  identity: Identity | undefined,
): Promise<void> {
  const unfinished = join(layout.root, `${initialisingPrefix}${randomBytes(6).toString("hex")}`);
  const cluster = join(unfinished, "cluster");
  const passwordFile = join(unfinished, "password");
  const password = randomBytes(24).toString("hex");
  makeFolder(unfinished, identity === undefined ? 0o700 : 0o711);
  makeFolder(cluster, 0o700);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity !== undefined) for (const path of [cluster, passwordFile]) chownSync(path, identity.uid, identity.gid);
  const args = ["--pgdata", cluster, "--username", roleName, "--pwfile", passwordFile, "--auth=scram-sha-256"];
  args.push("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8");
  await runInitdb(binFolder, [...args, "--no-instructions"], identity);
  rmSync(passwordFile);
  writeConnectionFile(join(unfinished, "connection.json"), { port: await choosePort(), password });
  syncFolder(unfinished);
  renameSync(unfinished, layout.database);
  syncFolder(layout.root);
}

async function runInitdb(binFolder: string, args: readonly string[], identity: Identity | undefined): Promise<void> {
  try {
    await runProgram(join(binFolder, "initdb"), args, identity);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("could not look up effective user ID")) throw error;
    throw new Error(
      `The account this service runs as (uid ${process.getuid?.()}) has no entry in /etc/passwd, which PostgreSQL needs to make a database. Run the service as an account that has one, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}

/**
 * Removes what an interrupted initialisation left behind. Its initdb may still be writing for a moment, so it retries;
 * a leftover that survives them is harmless and goes at a later start.
 */
export async function removeUnfinishedClusters(layout: EmbeddedLayout, log: EmbeddedPostgresLog): Promise<void> {
  const leftovers = readdirSync(layout.root).filter((name) => name.startsWith(initialisingPrefix));
  for (const name of leftovers) {
    try {
      await rm(join(layout.root, name), { recursive: true, force: true, maxRetries: 8, retryDelay: 50 });
      log.warn({ folder: name }, "removed files of an interrupted initialisation");
    } catch (error) {
      log.warn({ error, folder: name }, "files of an interrupted initialisation could not be removed");
    }
  }
}

export function isInitialised(layout: EmbeddedLayout): boolean {
  return existsSync(layout.database);
}

function makeFolder(path: string, mode: number): void {
  mkdirSync(path);
  chmodSync(path, mode);
}

/** Without this the rename may be lost in a power cut although PostgreSQL's own files are on disk. */
function syncFolder(path: string): void {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
