import { startEmbeddedPostgres } from "@parley/server/platform/database/embedded/start-embedded-postgres";
import { migrate } from "@parley/server/platform/database/migrate";
import { stopWaitingForDisk } from "@parley/server/platform/database/testing/test-database";
import { makeDataFolder, TEMPLATE_VARIABLE } from "./data-folder.ts";

const log = { info: () => undefined, warn: () => undefined, error: console.error };

/** Prepares, once per test run, the migrated database that each installation copies. Several projects name this setup. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[TEMPLATE_VARIABLE] !== undefined) return undefined;
  const folder = await makeDataFolder("none");
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log });
  try {
    await migrate(postgres.url);
    await stopWaitingForDisk(postgres.url);
  } finally {
    await postgres.stop();
  }
  process.env[TEMPLATE_VARIABLE] = folder.path;
  return () => folder.remove();
}
