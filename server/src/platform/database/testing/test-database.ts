import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Database, openDatabase } from "../database.ts";

export const TEMPLATE_NAME = "parley_template";

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Resolves when nothing is asked of it any more, for tests that move a clock on and have what follows written first. */
  untilIdle(): Promise<void>;
  close(): Promise<void>;
}

/** A migrated database, copied from the template in some milliseconds, or an empty one. Make one per test file. */
export async function createTestDatabase(
  postgresUrl: string,
  content: "migrated" | "empty" = "migrated",
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await createDatabase(postgresUrl, name, content === "migrated" ? TEMPLATE_NAME : "template0");
  const url = withDatabaseName(postgresUrl, name);
  let isBusy = () => false;
  const db = openDatabase({
    ...{ url, connectionsMax: 20, applicationName: "parley-test", onIdleError: () => undefined },
    onPool: (read) => {
      isBusy = () => {
        const { total, idle, waiting } = read();
        return waiting > 0 || idle < total;
      };
    },
  });
  return {
    url,
    db,
    async untilIdle() {
      // Between two statements of the same work nothing is asked for a moment.
      for (let quiet = 0; quiet < 3; quiet = isBusy() ? 0 : quiet + 1) await sleep(2);
    },
    async close() {
      await db.destroy();
      await dropDatabase(postgresUrl, name);
    },
  };
}

export async function createDatabase(postgresUrl: string, name: string, template: string): Promise<void> {
  await withAdmin(postgresUrl, async (client) => {
    // Copying needs the template to itself; test files that start together take turns.
    await client.query("select pg_advisory_lock(1)");
    await client.query(`create database ${name} template ${template}`);
  });
}

export async function dropDatabase(postgresUrl: string, name: string): Promise<void> {
  await withAdmin(postgresUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
}

/**
 * For a server that holds nothing but tests. Half of their time would be waiting for the disk, and it matters only when
 * the machine itself goes down: what a killed PostgreSQL wrote, the operating system still has.
 */
export async function stopWaitingForDisk(postgresUrl: string): Promise<void> {
  await withAdmin(postgresUrl, async (client) => {
    await client.query("alter system set fsync = off");
    await client.query("alter system set full_page_writes = off");
    await client.query("select pg_reload_conf()");
  });
}

export function withDatabaseName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function withAdmin(postgresUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabaseName(postgresUrl, "postgres") });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
