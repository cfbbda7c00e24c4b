import { type Database, openDatabase } from "@parley/server/platform/database/database";
import { startEmbeddedPostgres } from "@parley/server/platform/database/embedded/start-embedded-postgres";
import { type CheckedService, checkDatabaseOf } from "./check-database.ts";
import { makeDataFolder } from "./data-folder.ts";
import { type ServiceProcess, startService } from "./service-process.ts";

/** A database and any number of services on it, all ended together. */
export interface ApiWorld {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Starts another process on the same database and with the same secret. */
  start(env?: Readonly<Record<string, string>>, port?: number): Promise<ServiceProcess>;
  close(): Promise<void>;
}

const log = { info: () => undefined, warn: () => undefined, error: console.error };

/** `unchecked` says why the database is not checked at the end, for a test that breaks it on purpose. */
export async function openApiWorld(options: Pick<CheckedService, "unchecked"> = {}): Promise<ApiWorld> {
  const folder = await makeDataFolder();
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log });
  const db = openDatabase({
    url: postgres.url,
    connectionsMax: 4,
    applicationName: "parley-e2e",
    onIdleError: () => undefined,
  });
  const services: ServiceProcess[] = [];
  return {
    db,
    databaseUrl: postgres.url,
    dataDir: folder.path,
    async start(env = {}, port) {
      const service = await startService({
        dataDir: folder.path,
        // Nothing is dialed unless a test requests it: accepted calls stay queued.
        env: { DATABASE_URL: postgres.url, PARLEY_ROLES: "api", PARLEY_LOG_LEVEL: "warn", ...env },
        ...(port === undefined ? {} : { port }),
      });
      services.push(service);
      return service;
    },
    async close() {
      const service = { dataDir: folder.path, env: { DATABASE_URL: postgres.url }, ...options };
      const checked = await Promise.allSettled([checkDatabaseOf(service)]);
      await Promise.all(services.map((service) => (service.child.exitCode === null ? service.end("SIGKILL") : null)));
      await db.destroy();
      await postgres.stop();
      await folder.remove();
      for (const each of checked) if (each.status === "rejected") throw each.reason;
    },
  };
}
