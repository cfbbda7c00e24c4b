import { chmodSync, existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Where everything of the embedded PostgreSQL lives below the data folder.
 *
 *     <dataDir>/postgres/
 *       start.lock              held while one process initialises, starts or stops PostgreSQL
 *       in-use.lock             held, shared, by every process that uses PostgreSQL
 *       start.log               output of the last start before PostgreSQL opened its own log
 *       binaries/<version>/     only when the installed binaries cannot be run where they are
 *       database/               appears complete, by one rename
 *         connection.json       port and password, readable by the service only
 *         cluster/              the PostgreSQL data directory, with its log/
 */
export interface EmbeddedLayout {
  readonly root: string;
  readonly startLock: string;
  readonly inUseLock: string;
  readonly startLog: string;
  readonly binaries: string;
  readonly database: string;
  readonly connectionFile: string;
  readonly cluster: string;
  readonly logs: string;
}

export const initialisingPrefix = "database.initialising-";

/** Paths are real paths: PostgreSQL reports its data directory that way, and `nobody` must be able to walk every part. */
export function createEmbeddedLayout(dataDir: string, owner: { readonly isRoot: boolean }): EmbeddedLayout {
  const wanted = join(resolve(dataDir), "postgres");
  makeFolder(wanted, owner.isRoot ? 0o711 : 0o700);
  const root = realpathSync(wanted);
  const database = join(root, "database");
  const cluster = join(database, "cluster");
  return {
    root,
    startLock: join(root, "start.lock"),
    inUseLock: join(root, "in-use.lock"),
    startLog: join(root, "start.log"),
    binaries: join(root, "binaries"),
    database,
    connectionFile: join(database, "connection.json"),
    cluster,
    logs: join(cluster, "log"),
  };
}

/** The mode is set explicitly because a umask of 077 would otherwise shut `nobody` out of a folder we just created. */
function makeFolder(path: string, mode: number): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  mkdirSync(path, { recursive: true });
  for (const folder of missing) chmodSync(folder, mode);
}
