import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { addAccountToKeys } from "../distribution/testing/add-account-to-keys.ts";
import { startEmbeddedPostgres } from "../embedded/start-embedded-postgres.ts";
import { migrate } from "../migrate.ts";
import { makeDatabaseFolder } from "./database-folder.ts";
import { createDatabase, dropDatabase, stopWaitingForDisk, TEMPLATE_NAME, withDatabaseName } from "./test-database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

const silent = { info: () => undefined, warn: () => undefined, error: console.error };

/**
 * One real PostgreSQL for all database tests, with a migrated template that each test file copies: the embedded one, or the
 * server that PARLEY_TEST_POSTGRES_URL names (as a superuser), to test another version. With PARLEY_TEST_ACCOUNT_KEYS=1 the
 * template has the account in every key, as the first part of `distribute` makes it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await openPostgres(process.env["PARLEY_TEST_POSTGRES_URL"]);
  await dropDatabase(postgres.url, TEMPLATE_NAME);
  await createDatabase(postgres.url, TEMPLATE_NAME, "template1");
  await migrate(withDatabaseName(postgres.url, TEMPLATE_NAME));
  if (process.env["PARLEY_TEST_ACCOUNT_KEYS"]) await addAccountToKeys(withDatabaseName(postgres.url, TEMPLATE_NAME));
  project.provide("postgresUrl", postgres.url);
  return postgres.stop;
}

async function openPostgres(givenUrl: string | undefined): Promise<{ url: string; stop(): Promise<void> }> {
  if (givenUrl) return { url: givenUrl, stop: async () => undefined };
  const dataDir = makeDatabaseFolder();
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
  await stopWaitingForDisk(postgres.url);
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
