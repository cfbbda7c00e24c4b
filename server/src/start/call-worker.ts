import { cpus } from "node:os";
import { makeId } from "@parley/contract/ids";
import { systemClock } from "@parley/time/clock";
import type { HoldTryDeps } from "../agents/trials/voice/hold-try.ts";
import { TRY_PATH, TRY_PROTOCOL } from "../agents/trials/voice/open-worker-try.ts";
import { serveTry } from "../agents/trials/voice/serve-try.ts";
import { type LiveServer, type LiveTalk, openLiveServer } from "../calls/live/listening/live-server.ts";
import { askGate } from "../calls/runs/dialing/gate.ts";
import { HeadroomMeter } from "../calls/runs/worker/headroom/headroom-meter.ts";
import { RECOVERED_AT_ONCE } from "../calls/runs/worker/lost-calls.ts";
import { type CallWorker, startCallWorker } from "../calls/runs/worker/worker.ts";
import { openWorkerPresence, type WorkerPresence } from "../calls/runs/worker/worker-presence.ts";
import type { VendorTrunks } from "../phone/carriers/vendors/vendor-trunks.ts";
import { createCallRouter } from "../phone/carriers/where-calls-go.ts";
import type { GateDeps } from "../phone/gate/judge-number.ts";
import type { OpenTrunkDirectory } from "../phone/trunks/trunk-directory.ts";
import { openDatabase } from "../platform/database/database.ts";
import { watchBusyCores } from "../platform/telemetry/busy-cores.ts";
import { watchLoopDelay } from "../platform/telemetry/loop-delay.ts";
import type { ModelDirectory } from "../speech/models/model-directory.ts";
import { joinCarriers } from "./carriers.ts";
import { joinConversations } from "./conversations.ts";
import { explainListening } from "./exposure.ts";
import type { ServiceContext } from "./service-context.ts";

/** The renewal and the heartbeat have one each, however long the recovery waits for locks with its own. */
const LEASE_CONNECTIONS = 2 + RECOVERED_AT_ONCE;

/** The number of voice tries beside calls: for people who build agents, not callees. */
const TRIES_MAX = 8;

export interface CallsRole {
  /** Claims nothing more and waits until every call has ended. */
  drain(): Promise<void>;
  hangUpAll(): void;
  /** Loads what the first call needs, in the background. */
  warmUp(): void;
  stop(): Promise<void>;
}

/** Joins the parts that conduct calls. */
export async function startCalls(
  context: ServiceContext,
  directory: OpenTrunkDirectory,
  models: ModelDirectory,
): Promise<CallsRole> {
  const { db, listener, log, settings, metrics } = context;
  const workerId = makeId("worker");
  let worker: CallWorker | null = null;
  let tries: HoldTryDeps | null = null;
  let vendors: VendorTrunks | null = null;
  let triesHeld = 0;
  const tryTalk: LiveTalk = {
    path: TRY_PATH,
    protocol: TRY_PROTOCOL,
    isFull: () => tries === null || triesHeld >= TRIES_MAX,
    begin(socket) {
      if (tries === null) return void socket.destroy();
      triesHeld += 1;
      socket.once("close", () => {
        triesHeld -= 1;
      });
      serveTry(tries, socket);
    },
  };
  const live = await openLive(context, {
    workerId,
    lineOf: (callId) => worker?.lineOf(callId) ?? null,
    talks: [tryTalk],
    vendors: () => vendors,
  });
  const internalUrl = settings.internal.url ?? `http://${urlHost(settings.internal.host)}:${live.port}`;
  log.info({ workerId, internalUrl }, "internal server is listening");
  const gate: GateDeps = { ...createCallRouter(directory, settings), nowMs: Date.now };
  const conversations = joinConversations(context, gate, models);
  tries = conversations.tries;
  const carriers = joinCarriers(context, directory, workerId, conversations.speech);
  vendors = carriers.vendors;
  const leaseDb = openDatabase({
    url: context.databaseUrl,
    isPooled: settings.databaseDirectUrl !== null,
    connectionsMax: LEASE_CONNECTIONS,
    applicationName: "parley leases",
    onIdleError: (error) => log.warn({ error }, "idle database connection lost"),
    onPool: (read) => metrics.watchPool("leases", read),
  });
  const presence = openPresence(context, workerId);
  const loopDelay = watchLoopDelay();
  // Without conversations a call takes hardly any work.
  const headroom =
    conversations.talk === null || settings.admission === "slots"
      ? null
      : new HeadroomMeter({
          slotsMax: settings.callSlotsMax,
          cores: settings.cores,
          monotonicMs: () => performance.now(),
          sources: {
            speech: conversations.speech.load,
            conversationLateMs: conversations.lateMs,
            voiceLateMs: async () => (await context.naturalVoices?.lateMs()) ?? 0,
            async naturalVoices() {
              const callsMax = (await context.naturalVoices?.callsMax()) ?? null;
              return callsMax === null ? null : { callsMax, ...conversations.held() };
            },
            workerLateMs: loopDelay.takeLateMs,
            busyCores: watchBusyCores(cpus),
          },
        });
  const started = startCallWorker({
    id: workerId,
    internalUrl,
    presence,
    db,
    leaseDb,
    listener,
    log,
    chooseCarrier: carriers.forCall,
    findCarrier: carriers.named,
    clock: systemClock,
    monotonicMs: () => performance.now(),
    slotsMax: settings.callSlotsMax,
    askGate: (call, known) => askGate(db, gate, call, known),
    talk: conversations.talk,
    onLiveCalls: metrics.liveCalls,
    onClaim: metrics.callsClaimed,
    meters: metrics,
    tracing: context.tracing,
    headroom,
  });
  worker = started;
  context.readiness.add(started.checkReady);
  return {
    drain: started.drain,
    hangUpAll: started.hangUpAll,
    warmUp: conversations.warmUp,
    async stop() {
      // Vendors still report the ends of the last calls here.
      await carriers.close();
      await live.close();
      await conversations.close();
      loopDelay.close();
      await leaseDb.destroy();
      presence?.close();
    },
  };
}

/** Without it calls are still conducted; those of a dead worker end when their leases expire. */
function openPresence({ settings, log }: ServiceContext, workerId: string): WorkerPresence | null {
  try {
    return openWorkerPresence(settings.dataDir, workerId);
  } catch (error) {
    log.warn({ error }, "worker file in the data folder could not be locked");
    return null;
  }
}

async function openLive(
  { secrets, settings: { internal } }: ServiceContext,
  served: Pick<Parameters<typeof openLiveServer>[0], "workerId" | "lineOf" | "talks" | "vendors">,
): Promise<LiveServer> {
  const { host, port } = internal;
  try {
    return await openLiveServer({ ...served, vouch: secrets.vouch, clock: systemClock }, host, port);
  } catch (error) {
    throw explainListening(error, {
      host,
      port,
      hostSetting: "PARLEY_INTERNAL_HOST",
      portSetting: "PARLEY_INTERNAL_PORT",
    });
  }
}

function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
