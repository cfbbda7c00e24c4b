import { readFileSync } from "node:fs";
import { systemClock } from "@parley/time/clock";
import { within } from "@parley/time/within";
import { type NaturalVoices, openNaturalVoices } from "../agents/voices/natural-voices.ts";
import { deriveSecrets, loadSecret, type Secrets } from "../platform/config/secret.ts";
import type { Settings } from "../platform/config/settings.ts";
import { type Database, openDatabase, run } from "../platform/database/database.ts";
import { type Listener, listen } from "../platform/database/listen.ts";
import { createMailer, type Mailer } from "../platform/mail/send-mail.ts";
import type { Log } from "../platform/telemetry/log.ts";
import { createMetrics, type Metrics } from "../platform/telemetry/metrics.ts";
import { type Exposure, watchExposure } from "./exposure.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { StartError } from "./start-error.ts";

/** The shared dependencies of every role. */
export interface ServiceContext {
  readonly settings: Settings;
  readonly version: string;
  readonly databaseUrl: string;
  readonly db: Database;
  readonly listener: Listener;
  readonly secrets: Secrets;
  readonly mailer: Mailer | null;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly exposure: Exposure;
  /** Null where the settings turn them off. */
  readonly naturalVoices: NaturalVoices | null;
  /** Where people reach the service; known for certain once it listens. */
  publicUrl(): string;
  ownOrigins(): readonly string[];
  setPort(port: number): void;
  checkReady(): Promise<void>;
  close(): Promise<void>;
}

const CHANNELS = [
  "parley_calls",
  "parley_queued",
  "parley_hangups",
  "parley_api_keys",
  "parley_trunks",
  "parley_webhooks",
  "parley_models",
];
const READY_WITHIN_MS = 2000;

/** Opens the database (starting the embedded one when none is named), brings it up to date and reads the secret. */
export async function openServiceContext(settings: Settings, log: Log): Promise<ServiceContext> {
  const { databaseUrl, stop } = await prepareDatabase(settings, log);
  try {
    const secrets = deriveSecrets(readSecret(settings));
    const db = openDatabase({
      url: databaseUrl,
      connectionsMax: settings.databaseConnectionsMax,
      applicationName: "parley",
      onIdleError: (error) => log.warn({ error }, "idle database connection lost"),
    });
    const listener = listen(databaseUrl, CHANNELS, (error) =>
      log.warn({ error }, "database notifications interrupted"),
    );
    const mailer = createMailer({
      smtpUrl: settings.smtpUrl,
      from: settings.mailFrom,
      onError: (error) => log.warn({ error }, "e-mail not sent"),
    });
    const { dataDir, conversations } = settings;
    const naturalVoices = conversations.hasNaturalVoices
      ? openNaturalVoices({ dataDir, settings: conversations, log })
      : null;
    let port = settings.port;
    return {
      settings,
      version: readVersion(),
      databaseUrl,
      db,
      listener,
      secrets,
      mailer,
      metrics: createMetrics(),
      log,
      exposure: watchExposure(settings, log),
      naturalVoices,
      publicUrl: () => settings.publicUrl ?? `http://${urlHost(settings.host)}:${port}`,
      ownOrigins: () =>
        settings.publicUrl
          ? [new URL(settings.publicUrl).origin]
          : [urlHost(settings.host), "127.0.0.1", "localhost", "[::1]"].map((host) => `http://${host}:${port}`),
      setPort: (listening) => {
        port = listening;
      },
      checkReady: shared(() => answersInTime(run(db, "select 1"))),
      async close() {
        await naturalVoices?.close();
        await mailer?.close();
        await listener.close();
        await db.destroy();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readSecret({ secret, dataDir }: Settings): string {
  try {
    return loadSecret(secret, dataDir);
  } catch (error) {
    throw new StartError(
      `The installation's secret cannot be read from ${dataDir} or kept there (${(error as Error).message}). ` +
        "Set PARLEY_DATA_DIR to a folder of this account, or set PARLEY_SECRET.",
      { cause: error },
    );
  }
}

/** An address that means "all" is not one a person can open. */
function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

async function answersInTime(answer: Promise<unknown>): Promise<void> {
  await within(systemClock, READY_WITHIN_MS, answer, () => {
    throw new Error(`no answer within ${READY_WITHIN_MS} ms`);
  });
}

/** Concurrent probes share one query to the database. */
function shared(look: () => Promise<void>): () => Promise<void> {
  let pending: Promise<void> | null = null;
  return () => {
    pending ??= look().finally(() => {
      pending = null;
    });
    return pending;
  };
}
