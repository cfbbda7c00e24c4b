import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkInvariants } from "@parley/server/platform/checks/check-invariants";
import { openDatabase, run } from "@parley/server/platform/database/database";
import { connectionUrl, readConnectionFile } from "@parley/server/platform/database/embedded/connection-file";

/** What identifies the database of a service. */
export interface CheckedService {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Why its database is not consistent, for a test that breaks it on purpose. */
  readonly unchecked?: string;
}

/**
 * Checks the consistency of a service's database, as `npm run parley -- check` does, and throws with all findings. A
 * database that the test made unreachable is skipped.
 */
export async function checkDatabaseOf({ dataDir, env = {}, unchecked }: CheckedService): Promise<void> {
  const file = join(dataDir, "postgres/database/connection.json");
  const embedded = existsSync(file) ? connectionUrl(readConnectionFile(file)) : null;
  const url = env["DATABASE_URL"] ?? embedded;
  if (unchecked !== undefined || url === null) return;
  const db = openDatabase({ url, connectionsMax: 1, applicationName: "check", onIdleError: () => undefined });
  try {
    const isThere = await run(db, "select 1 from parley_migrations limit 1").then(
      () => true,
      () => false,
    );
    if (!isThere) return;
    const { results } = await checkInvariants(db);
    const found = results.flatMap(({ name, violations }) =>
      violations.map(({ subject, detail }) => `${name}: ${subject} ${detail}`),
    );
    if (found.length > 0) throw new Error(`the database is not as it must be:\n${found.join("\n")}`);
  } finally {
    await db.destroy();
  }
}
