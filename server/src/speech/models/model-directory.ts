import type { Clock } from "@parley/time/clock";
import type { ModelSettings, RawModelSettings } from "../../platform/config/model-settings.ts";
import type { Secrets } from "../../platform/config/secret.ts";
import type { Database } from "../../platform/database/database.ts";
import { type KeptCurrent, keepCurrent } from "../../platform/database/keep-current.ts";
import type { Listener } from "../../platform/database/listen.ts";
import type { Log } from "../../platform/telemetry/log.ts";
import { mergeEnvironment, mergeModels } from "./merge-models.ts";
import { readProviderRows, readStoredProvider } from "./provider-store.ts";

export interface ModelDirectoryDeps {
  readonly db: Database;
  readonly listener: Pick<Listener, "on" | "onReconnect">;
  readonly secrets: Pick<Secrets, "open">;
  readonly environment: RawModelSettings;
  readonly log: Pick<Log, "warn" | "error">;
  /** Default: the real one. */
  readonly clock?: Clock;
}

/** The models to ask, and the settings of all vendors, as the environment and the operators chose them last. */
export interface InstalledModels extends ModelSettings {
  readonly environment: RawModelSettings;
}

export type ModelDirectory = KeptCurrent<InstalledModels>;

/** Keeps the configured models current in every process, without a restart. */
export function openModelDirectory(deps: ModelDirectoryDeps): Promise<ModelDirectory> {
  const { listener, log, clock } = deps;
  return keepCurrent({
    listener,
    channel: "parley_models",
    read: () => readModels(deps),
    onTrouble: (error) => log.warn({ error }, "models could not be reloaded; keeping the current ones"),
    ...(clock ? { clock } : {}),
  });
}

/** A provider whose key cannot be read is not asked, and the others are. */
export async function readModels({
  db,
  secrets,
  environment,
  log,
}: Pick<ModelDirectoryDeps, "db" | "secrets" | "environment" | "log">): Promise<InstalledModels> {
  const stored = (await readProviderRows(db)).map((row) => readStoredProvider(row, secrets));
  for (const { name, trouble } of stored) {
    if (trouble !== null) log.error({ provider: name, reason: trouble }, "provider key cannot be decrypted");
  }
  return { ...mergeModels(environment, stored), environment: mergeEnvironment(environment, stored) };
}
