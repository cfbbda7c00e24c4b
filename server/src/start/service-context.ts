import { readFileSync } from "node:fs";
import { systemClock } from "@parley/time/clock";
import { within } from "@parley/time/within";
import { type NaturalVoices, openNaturalVoices } from "../agents/voices/natural-voices.ts";
import { readOldestWaitSeconds } from "../calls/live/live-call-store.ts";
import { readCapacity } from "../calls/waiting.ts";
import { deriveSecrets, loadSecret, type Secrets } from "../platform/config/secret.ts";
import type { Settings } from "../platform/config/settings.ts";
import { type Database, openDatabase, run } from "../platform/database/database.ts";
import { type Listener, listen } from "../platform/database/listen.ts";
import { addMonths } from "../platform/database/months/add-months.ts";
import { countRowsOutside } from "../platform/database/months/month-store.ts";
import { watchReplica } from "../platform/database/replica/read-replica.ts";
import type { HealthDeps } from "../platform/http/health/health-routes.ts";
import { createMailer, type Mailer } from "../platform/mail/send-mail.ts";
import type { Log } from "../platform/telemetry/log.ts";
import { createMetrics, type Metrics } from "../platform/telemetry/metrics.ts";
import { createReadiness, type Readiness } from "../platform/telemetry/readiness.ts";
import { noTracing, type Tracing } from "../platform/telemetry/tracing.ts";
import { readDeliveryBacklog } from "../webhooks/backlog-store.ts";
import { type Exposure, watchExposure } from "./exposure.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { StartError } from "./start-error.ts";

/** The shared dependencies of every role. */
export interface ServiceContext {
  readonly settings: Settings;
  readonly version: string;
  readonly databaseUrl: string;
  /** The same database, for what needs a session of its own. */
  readonly directUrl: string;
  readonly db: Database;
  /** The read replica, or the database itself. */
  reading(): Database;
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
  readonly readiness: Readiness;
  readonly tracing: Tracing;
  /** What monitoring asks of this process, on whichever port. */
  readonly health: HealthDeps;
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
export interface StartOptions {
  /** Ends the wait for other processes. */
  readonly signal?: AbortSignal;
  /** Default: nothing is traced. */
  readonly tracing?: Tracing;
}

const READY_WITHIN_MS = 2000;

/** Opens the database (starting the embedded one when none is named), brings it up to date and reads the secret. */
export async function openServiceContext(
  settings: Settings,
  log: Log,
  { signal, tracing = noTracing }: StartOptions = {},
): Promise<ServiceContext> {
  const { databaseUrl, directUrl, stop } = await prepareDatabase(settings, log, signal);
  try {
    const version = readVersion();
    const metrics = createMetrics({ version, roles: settings.roles });
    const secrets = deriveSecrets(readSecret(settings));
    const db = openDatabase({
      url: databaseUrl,
      isPooled: settings.databaseDirectUrl !== null,
      connectionsMax: settings.databaseConnectionsMax,
      applicationName: "parley",
      onIdleError: (error) => log.warn({ error }, "idle database connection lost"),
      onPool: (read) => metrics.watchPool("main", read),
    });
    // An installation that was off for months has no partition for this one yet.
    await addMonths(db).catch((error: unknown) => log.warn({ error }, "monthly partitions could not be added"));
    const replica = openReplica(settings, db, log);
    const listener = listen(directUrl, CHANNELS, (error) => log.warn({ error }, "database notifications interrupted"));
    const mailer = await createMailer({
      smtpUrl: settings.smtpUrl,
      from: settings.mailFrom,
      onError: (error) => log.warn({ error }, "e-mail could not be sent"),
    });
    const { dataDir, conversations } = settings;
    const naturalVoices = conversations.hasNaturalVoices
      ? openNaturalVoices({ dataDir, settings: conversations, log })
      : null;
    let port = settings.port;
    const exposure = watchExposure(settings, log);
    const readiness = createReadiness();
    readiness.add(async () => void (await answersInTime(run(db, "select 1"))));
    metrics.watchListening(() => listener.isListening);
    return {
      settings,
      version,
      databaseUrl,
      directUrl,
      db,
      reading: () => replica?.current() ?? db,
      listener,
      secrets,
      mailer,
      metrics,
      log,
      exposure,
      naturalVoices,
      publicUrl: () => settings.publicUrl ?? `http://${urlHost(settings.host)}:${port}`,
      ownOrigins: () =>
        settings.publicUrl
          ? [new URL(settings.publicUrl).origin]
          : [urlHost(settings.host), "127.0.0.1", "localhost", "[::1]"].map((host) => `http://${host}:${port}`),
      setPort: (listening) => {
        port = listening;
      },
      readiness,
      tracing,
      health: {
        checkReady: readiness.check,
        notice: () => exposure.notice(),
        operatorToken: settings.operatorToken,
        metrics: { contentType: metrics.contentType, text: () => readMetrics(db, metrics, log) },
      },
      async close() {
        await naturalVoices?.close();
        await mailer?.close();
        await listener.close();
        await replica?.close();
        await db.destroy();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function openReplica({ replica, databaseConnectionsMax: connectionsMax }: Settings, db: Database, log: Log) {
  if (replica === null) return null;
  const onIdleError = (error: Error) => log.warn({ error }, "idle replica connection lost");
  return watchReplica({
    db,
    replica: openDatabase({
      url: replica.url,
      target: "any",
      isPooled: true,
      connectionsMax,
      onIdleError,
      applicationName: "parley reads",
    }),
    lagMaxMs: replica.lagMaxMs,
    clock: systemClock,
    onChange: (isUsed, error) =>
      isUsed
        ? log.info("reading from the replica")
        : log.warn({ error }, "replica is behind or away; not reading from it"),
  });
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

export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Rejects if the database takes longer than a person or a probe waits. */
export function answersInTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return within(systemClock, READY_WITHIN_MS, answer, () => {
    throw new Error(`no answer within ${READY_WITHIN_MS} ms`);
  });
}

/** Without the database the metrics of this process are still useful. */
async function readMetrics(db: Database, metrics: Metrics, log: Log): Promise<string> {
  const read = Promise.all([
    readCapacity(db),
    readOldestWaitSeconds(db),
    readDeliveryBacklog(db, Date.now()),
    countRowsOutside(db),
  ]);
  read.then(
    ([capacity, oldestCallSeconds, deliveries, outsideMonths]) => {
      metrics.capacity(capacity);
      metrics.rowsOutsideMonths(outsideMonths);
      metrics.backlog({
        oldestCallSeconds,
        dueDeliveries: deliveries.due,
        oldestDeliverySeconds: deliveries.oldest_seconds,
      });
    },
    () => undefined,
  );
  await answersInTime(read).catch((error: unknown) =>
    log.warn({ error }, "backlog of the installation could not be read"),
  );
  return metrics.text();
}
