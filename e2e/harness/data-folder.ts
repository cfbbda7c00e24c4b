import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { choosePort } from "@parley/server/platform/database/embedded/choose-port";
import { readConnectionFile, writeConnectionFile } from "@parley/server/platform/database/embedded/connection-file";
import { makeDatabaseFolder } from "@parley/server/platform/database/testing/database-folder";

export interface DataFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Names the data folder that the global setup prepared for this test run. Not set when a program runs outside of one. */
export const TEMPLATE_VARIABLE = "TEST_DATA_FOLDER_TEMPLATE";

/**
 * What a new data folder contains: a migrated database without rows, or nothing at all, for a test of the first start.
 */
export type InitialDatabase = "migrated" | "none";

/** A separate data folder that the embedded database can enter even when run by root. */
export async function makeDataFolder(database: InitialDatabase = "migrated"): Promise<DataFolder> {
  const path = makeDatabaseFolder();
  if (database === "migrated") await copyMigratedDatabase(path);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Saves the installation its initdb and migrations. Without a prepared template the service does both itself. */
export async function copyMigratedDatabase(dataDir: string): Promise<void> {
  const template = process.env[TEMPLATE_VARIABLE];
  if (template === undefined) return;
  await promisify(execFile)("cp", ["-a", "--reflink=auto", join(template, "postgres"), dataDir]);
  const file = join(dataDir, "postgres/database/connection.json");
  writeConnectionFile(file, { ...readConnectionFile(file), port: await choosePort() });
}
