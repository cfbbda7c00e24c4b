import { constants } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { openRecognizerProcess } from "@parley/providers/local/stt/recognizer-process";
import { systemClock } from "@parley/time/clock";
import { hasLiveCalls } from "../calls/transcripts/second-pass/second-pass-store.ts";
import {
  createSpareMachine,
  type SecondPass,
  type StrongerModel,
  startSecondPass,
} from "../calls/transcripts/second-pass/start-second-pass.ts";
import { warnOfPriceCap } from "../phone/gate/change-gate.ts";
import { applyConfiguration } from "../phone/trunks/apply-configuration.ts";
import { explainUnreachable } from "../phone/trunks/reach.ts";
import { type OpenTrunkDirectory, openTrunkDirectory } from "../phone/trunks/trunk-directory.ts";
import { numberedEnvironment } from "../platform/config/machine-size.ts";
import type { Settings } from "../platform/config/settings.ts";
import { type HealthServer, openHealthServer } from "../platform/http/health/health-server.ts";
import { describeOpening } from "../platform/outbound-http/outbound-policy.ts";
import type { Log } from "../platform/telemetry/log.ts";
import { type ModelDirectory, openModelDirectory } from "../speech/models/model-directory.ts";
import { type Api, buildApi, listenOn } from "./api.ts";
import { type CallsRole, startCalls } from "./call-worker.ts";
import { explainListening } from "./exposure.ts";
import { type Greeting, prepareGreeting } from "./first-run.ts";
import { startJobs } from "./jobs.ts";
import { outboundWords } from "./outbound-words.ts";
import { keepRecordings, openStores } from "./recordings.ts";
import { openServiceContext, type ServiceContext, type StartOptions } from "./service-context.ts";
import { StartError } from "./start-error.ts";
import { startWebhooks } from "./webhooks.ts";
import { startWorkerProcesses, type WorkerProcesses } from "./worker-processes.ts";

export interface Service {
  /** Null for a process that answers no requests. */
  readonly url: string | null;
  readonly greeting: Greeting;
  /** Ends in order: no new work, calls to their end (or hung up after `patienceMs`), then everything else. */
  stop(patienceMs: number): Promise<void>;
}

/** Starts the roles that the settings name, in one context. */
export async function startService(settings: Settings, log: Log, options: StartOptions = {}): Promise<Service> {
  const context = await openServiceContext(settings, log, options);
  const has = (role: string) => (settings.roles as readonly string[]).includes(role);
  let api: Api | null = null;
  let health: HealthServer | null = null;
  let directory: OpenTrunkDirectory | null = null;
  let modelDirectory: ModelDirectory | null = null;
  try {
    directory = await openTrunks(context);
    const trunks = directory;
    modelDirectory = await openModels(context);
    const models = modelDirectory;
    if (has("api")) {
      api = buildApi(context, trunks, models);
      context.setPort(await listenOn(api.app, settings.host, settings.port));
    }
    // Only here, where links lead to a port that listens.
    const greeting = api ? await prepareGreeting(context) : {};
    health = await openHealth(context);
    const isDivided = settings.workerProcesses > 0;
    const calls = has("calls") && !isDivided ? await startCalls(context, trunks, models) : null;
    const workers = isDivided ? openWorkers(settings, log) : null;
    const jobs = has("jobs") ? startJobs(context, trunks, models) : null;
    const webhooks = has("jobs") ? startWebhooks(context) : null;
    const secondPass = has("jobs") ? joinSecondPass(context) : null;
    const recordings = has("calls") || has("jobs") ? keepRecordings(context) : null;
    const url = api ? context.publicUrl() : null;
    const opening = describeOpening(outboundWords(settings, context.exposure));
    if (opening) log.info({ opening }, "outbound requests may reach private addresses");
    if (has("api")) await warnOfPriceCap(context.db, log);
    log.info({ roles: settings.roles, url }, "ready");
    calls?.warmUp();
    return {
      url,
      greeting,
      async stop(patienceMs) {
        if (!api) context.readiness.stop();
        // The API keeps answering while calls end, and stays ready: hang-ups and reads must still work.
        await Promise.all([
          drain(calls, patienceMs, log),
          // A worker handles these signals as this process does.
          workers?.stop(Number.isFinite(patienceMs) ? "SIGINT" : "SIGTERM"),
        ]);
        context.readiness.stop();
        api?.leave();
        if (api) await delay(settings.telemetry.shutdownDelayMs);
        await secondPass?.stop();
        await jobs?.stop();
        await webhooks?.stop();
        await recordings?.stop();
        await api?.stop();
        await calls?.stop();
        await trunks.close();
        await models.close();
        await health?.close();
        await context.close();
      },
    };
  } catch (error) {
    await health?.close();
    await api?.stop();
    await directory?.close();
    await modelDirectory?.close();
    await closeQuietly(context, log);
    throw error;
  }
}

function openWorkers(settings: Settings, log: Log): WorkerProcesses {
  const { workerProcesses: count, workerEnvironment, telemetry } = settings;
  const environmentOf = (number: number) =>
    numberedEnvironment(workerEnvironment, telemetry.health?.port ?? null, number);
  return startWorkerProcesses({ count, environmentOf, timers: systemClock, log });
}

async function openHealth({ settings, health, log }: ServiceContext): Promise<HealthServer | null> {
  const wanted = settings.telemetry.health;
  if (wanted === null) return null;
  const { host, port } = wanted;
  const server = await openHealthServer(health, host, port).catch((error: unknown) => {
    throw explainListening(error, { host, port, hostSetting: "PARLEY_HEALTH_HOST", portSetting: "PARLEY_HEALTH_PORT" });
  });
  log.info({ host, port: server.port }, "health port is listening");
  return server;
}

async function drain(calls: CallsRole | null, patienceMs: number, log: Log): Promise<void> {
  if (!calls) return;
  const timer = Number.isFinite(patienceMs)
    ? setTimeout(() => {
        log.warn({ patienceMs }, "hanging up the remaining live calls");
        calls.hangUpAll();
      }, patienceMs)
    : null;
  await calls.drain();
  if (timer) clearTimeout(timer);
}

async function closeQuietly(context: ServiceContext, log: Log): Promise<void> {
  await context.close().catch((error: unknown) => log.warn({ error }, "cleanup after a failed start did not succeed"));
}

/** Keeps the configured language models current, from the environment and from operators' settings. */
export function openModels({ db, secrets, listener, log, settings }: ServiceContext): Promise<ModelDirectory> {
  return openModelDirectory({ db, secrets, listener, log, environment: settings.modelEnvironment });
}

/** Applies the trunks file, where one is named, and keeps the trunks current. */
export async function openTrunks({
  db,
  secrets,
  listener,
  log,
  settings,
}: ServiceContext): Promise<OpenTrunkDirectory> {
  const { trunks } = settings;
  if (trunks !== null) {
    const obstacles = trunks.trunks.flatMap(({ name, kind }) => {
      const reason = explainUnreachable(kind, settings);
      return reason === null ? [] : [`  - PARLEY_TRUNKS: trunk ${name} ${reason}`];
    });
    if (obstacles.length > 0) throw new StartError(`The settings are invalid:\n${obstacles.join("\n")}`);
    const { created, changed, disabled, routesChanged } = await applyConfiguration(db, secrets, trunks);
    if (created.length + changed.length + disabled.length + routesChanged > 0)
      log.info({ created, changed, disabled, routesChanged }, "trunks file applied");
  }
  return openTrunkDirectory({ db, secrets, listener, log });
}

/** Joins the parts of the second pass over ended calls; null where the settings disable it. */
function joinSecondPass(context: ServiceContext): SecondPass | null {
  const { db, log, settings } = context;
  const { secondPass: model } = settings.conversations;
  if (model === null) return null;
  const { stores, close } = openStores(context);
  const pass = startSecondPass({
    db,
    sources: stores,
    model,
    clock: systemClock,
    log,
    openModel: () => openModel(model),
    hasSpareTime: createSpareMachine(() => hasLiveCalls(db)),
  });
  return {
    async stop() {
      await pass.stop();
      close();
    },
  };
}

async function openModel(size: "base"): Promise<StrongerModel> {
  const recognizer = await openRecognizerProcess(size, { priority: constants.priority.PRIORITY_LOW });
  return {
    recognize: (samples) => recognizer.run({ samples, expected: [], isSpeechCertain: false }),
    end: () => recognizer.end(),
  };
}
