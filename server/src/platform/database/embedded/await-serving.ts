import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type ConnectionDetails, connectionUrl, databaseName } from "./connection-file.ts";
import { isPostmasterOf, readPostmasterFile } from "./postmaster-process.ts";

const pollMs = 20;
const wrongPassword = "28P01";
const duplicateDatabase = "42P04";
const describeServer = `SELECT current_setting('data_directory') AS folder,
  EXISTS (SELECT FROM pg_database WHERE datname = '${databaseName}') AS present`;

/** Recovery after a crash replays at most the default gigabyte of log, which even a slow disk does in this time. */
const recoveryTimeoutMs = 300_000;

/**
 * Waits until the postmaster serves our cluster and the database exists. Resolves to false when the postmaster ended
 * instead. The status in its file is asked before connecting, because each early connection would be an error in its log.
 */
export async function awaitServing(
  pid: number,
  cluster: string,
  details: ConnectionDetails,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const startedAt = performance.now();
  let lastError: unknown;
  while (performance.now() - startedAt < recoveryTimeoutMs) {
    const file = readPostmasterFile(cluster);
    // Only once the file names it: the next process that stops PostgreSQL finds it there.
    if (file?.pid === pid) signal?.throwIfAborted();
    if (file?.pid === pid && file.status === "ready") {
      lastError = await tryDatabase(cluster, details);
      if (lastError === undefined) return true;
    }
    if (!isPostmasterOf(pid, cluster)) return false;
    await sleep(pollMs);
  }
  throw new Error(`PostgreSQL (process ${pid}) runs but did not become ready.`, { cause: lastError });
}

/** Returns the error when PostgreSQL is not ready to answer; throws when waiting cannot help. */
async function tryDatabase(cluster: string, details: ConnectionDetails): Promise<unknown> {
  try {
    const [served] = await query(details, describeServer);
    if (served?.["folder"] !== cluster) return new Error(`Port ${details.port} does not serve ${cluster}.`);
    if (served["present"] !== true) await createDatabase(details);
    return undefined;
  } catch (error) {
    if (sqlState(error) !== wrongPassword) return error;
    throw new Error("The embedded PostgreSQL refused the password in connection.json.", { cause: error });
  }
}

async function createDatabase(details: ConnectionDetails): Promise<void> {
  try {
    await query(details, `CREATE DATABASE ${databaseName}`);
  } catch (error) {
    if (sqlState(error) !== duplicateDatabase) throw error;
  }
}

async function query(details: ConnectionDetails, text: string): Promise<Record<string, unknown>[]> {
  const connectionString = connectionUrl(details, "postgres");
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 30_000 });
  // A connection that breaks between two statements is reported here; the failing statement reports it as well.
  let broken: Error | undefined;
  client.on("error", (error) => {
    broken = error;
  });
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    if (broken === undefined) await client.end();
  }
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
