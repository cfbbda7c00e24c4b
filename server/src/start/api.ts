import { AppError } from "@parley/contract/errors";
import { systemClock } from "@parley/time/clock";
import type { FastifyInstance } from "fastify";
import { alertRoutes } from "../accounts/alerts/routes.ts";
import { createKeyLookup } from "../accounts/api-keys/key-lookup.ts";
import { apiKeyRoutes } from "../accounts/api-keys/routes.ts";
import { auditRoutes } from "../accounts/audit/routes.ts";
import { addLinkPages } from "../accounts/credentials/link-pages/link-pages.ts";
import { createPasswordHasher } from "../accounts/credentials/password-hash.ts";
import { createPasswordJudge } from "../accounts/credentials/password-judge.ts";
import { cookieNameFor, createSignInFinder } from "../accounts/credentials/sessions.ts";
import { rateRoutes } from "../accounts/credits/rate-routes.ts";
import { creditRoutes } from "../accounts/credits/routes.ts";
import { deviceSignInRoutes } from "../accounts/device-sign-in/routes.ts";
import { accountRoutes } from "../accounts/routes.ts";
import { createExitChecker } from "../agents/confusable-exits.ts";
import { draftingRoutes } from "../agents/drafting/routes.ts";
import { mcpServerRoutes } from "../agents/mcp/routes.ts";
import { nodeNumberRoutes } from "../agents/numbers/routes.ts";
import { agentRoutes, toolSecretRoutes } from "../agents/routes.ts";
import { addScenarios } from "../agents/scenarios/scenario-store.ts";
import { tryRoutes } from "../agents/trials/text/routes.ts";
import { createTryStates } from "../agents/trials/text/try-state.ts";
import { voiceTryRoutes } from "../agents/trials/voice/routes.ts";
import { voiceRoutes } from "../agents/voices/routes.ts";
import { analysisRoutes } from "../calls/analysis/routes.ts";
import { createBatchPlacer } from "../calls/batches/place-batches.ts";
import { batchRoutes } from "../calls/batches/routes.ts";
import { createCallChanges } from "../calls/live/call-changes.ts";
import { listeningRoutes } from "../calls/live/listening/routes.ts";
import { createStreamSlots } from "../calls/live/stream-slots.ts";
import { callNoteRoutes } from "../calls/notes/routes.ts";
import { recordingRoutes } from "../calls/recordings/routes.ts";
import { retentionRoutes } from "../calls/retention/routes.ts";
import { callRoutes } from "../calls/routes.ts";
import { endUnclaimed } from "../calls/runs/end.ts";
import { transcriptRoutes } from "../calls/transcripts/routes.ts";
import { usageRoutes } from "../calls/usage/routes.ts";
import { callViewRoutes } from "../calls/views/routes.ts";
import { addVendorRoutes } from "../phone/carriers/vendors/vendor-routes.ts";
import { doctorRoutes } from "../phone/doctor/routes.ts";
import { gateRoutes, suppressionRoutes } from "../phone/gate/routes.ts";
import { trunkRoutes } from "../phone/trunks/routes.ts";
import type { OpenTrunkDirectory } from "../phone/trunks/trunk-directory.ts";
import { isDatabaseAway } from "../platform/database/failures.ts";
import { addDocsSite } from "../platform/docs-site/routes.ts";
import { createApiServer } from "../platform/http/api-server.ts";
import { createCursors } from "../platform/http/cursor.ts";
import { addOpenApiRoute, addReferencePage } from "../platform/http/docs-page.ts";
import { addHealthRoutes } from "../platform/http/health/health-routes.ts";
import { createLocalLimiter, createRateLimiter } from "../platform/http/limits/rate-limit.ts";
import { leaseRateWindow } from "../platform/http/limits/rate-limit-store.ts";
import { WorkLimiter } from "../platform/http/limits/work-limiter.ts";
import { createOutboundHttp } from "../platform/outbound-http/outbound-http.ts";
import { makePolicy } from "../platform/outbound-http/outbound-policy.ts";
import { EXAMINATION_LIMITS } from "../speech/models/examine-engine.ts";
import type { ModelDirectory } from "../speech/models/model-directory.ts";
import { engineRoutes, examinationRoutes, providerRoutes } from "../speech/models/routes.ts";
import { webhookRoutes } from "../webhooks/routes.ts";
import { joinAcceptance } from "./acceptance.ts";
import { joinDashboard } from "./dashboard.ts";
import { joinDoctor } from "./doctor.ts";
import { engineSources, joinEngines } from "./engines.ts";
import { explainListening } from "./exposure.ts";
import { RETAINED_PARTS } from "./jobs.ts";
import { outboundWords, signUpOf } from "./outbound-words.ts";
import { createStatusReader } from "./read-status.ts";
import { openStores } from "./recordings.ts";
import { addSamples, joinScenarios } from "./scenarios.ts";
import { answersInTime, type ServiceContext } from "./service-context.ts";
import { joinTrying } from "./trying.ts";
import { joinPreviews } from "./voices.ts";

// Per address and second, for requests that name no account.
const ANONYMOUS_REQUESTS_PER_SECOND = 100;
// Streams and exports that one account may have open at one process.
const STREAMS_PER_ACCOUNT_MAX = 100;
// The time limit for pending replies when stopping; a client that does not read must not keep the service from
// stopping.
const CLOSE_WITHIN_MS = 5000;

export interface Api {
  readonly app: FastifyInstance;
  /** Asks clients with each reply to use another connection: this process is about to end. */
  leave(): void;
  stop(): Promise<void>;
}

/** Joins the parts that answer HTTP. Nothing listens yet. */
export function buildApi(
  context: ServiceContext,
  directory: Pick<OpenTrunkDirectory, "current" | "refresh">,
  models: Pick<ModelDirectory, "current" | "onChange" | "refresh">,
): Api {
  const { db, settings, secrets, listener, log, metrics, exposure } = context;
  const nowMs = () => Date.now();
  const cursors = createCursors(secrets.sign);
  const changes = createCallChanges(listener, "parley_calls");
  const streamSlots = createStreamSlots(STREAMS_PER_ACCOUNT_MAX);
  const recordings = openStores(context);
  const engines = joinEngines(context, models);
  const keys = createKeyLookup({
    db,
    listener,
    secrets,
    nowMs,
    onError: (error) => log.warn({ error }, "last-used times could not be stored"),
  });
  const dashboard = joinDashboard(settings, log, () => cookieNameFor(context.publicUrl()));
  const { gate, calls } = joinAcceptance(context, directory, engines);
  const placer = createBatchPlacer({ ...calls, db }, systemClock, (error) =>
    // The rows that are left are placed by the next run, within a minute.
    log[isDatabaseAway(error) ? "warn" : "error"]({ error }, "could not place the calls of a batch"),
  );
  const trying = joinTrying(context, models);
  const mcpHttp = createOutboundHttp({ policy: makePolicy(outboundWords(settings, exposure)) });
  const checkExits = createExitChecker({
    judgeFor: (language) => trying.brains.judge?.(language) ?? null,
    onFailure: (error) => log.warn({ error }, "exits of a flow could not be checked"),
  });
  const previews = joinPreviews(context);
  const judge = createPasswordJudge();
  const scenarios = joinScenarios(context, { brains: trying.brains, cursors, engines, calls });
  const addressLimiter = createLocalLimiter("address", ANONYMOUS_REQUESTS_PER_SECOND, () => performance.now());
  const app = createApiServer({
    db,
    log,
    identities: { findKey: keys.findKey, findSignIn: createSignInFinder(db, secrets, !settings.isOnLoopback) },
    routes: [
      ...callRoutes({
        ...calls,
        db,
        reading: context.reading,
        tracing: context.tracing,
        cursors,
        changes,
        streamSlots,
        onStreamError: (error) => log[isDatabaseAway(error) ? "warn" : "error"]({ error }, "export aborted"),
        endUnclaimed: (tx, call) => endUnclaimed(tx, call, "canceled", "api"),
      }),
      ...callViewRoutes({ db }),
      ...callNoteRoutes({ db, secrets, publicUrl: context.publicUrl, nowMs }),
      ...batchRoutes({ ...calls, db, cursors, startPlacing: () => placer.start() }),
      ...tryRoutes({ db, ...trying, states: createTryStates(secrets.sign), nowMs }),
      ...voiceTryRoutes({
        ...{
          db,
          streamSlots,
          vouch: secrets.vouch,
          nowMs,
          modelNames: () => engines.modelNames,
          ownOrigins: context.ownOrigins,
        },
        onTrouble: (error) => log.warn({ error }, "voice trial could not be recorded"),
      }),
      ...scenarios.routes,
      ...voiceRoutes({ ...previews, db }),
      ...listeningRoutes({ db, streamSlots, vouch: secrets.vouch, nowMs }),
      ...analysisRoutes(),
      ...transcriptRoutes({ db, changes, streamSlots }),
      ...recordingRoutes({
        db,
        stores: recordings.stores,
        sign: secrets.sign,
        publicUrl: context.publicUrl,
        nowMs,
      }),
      ...retentionRoutes({ db, parts: RETAINED_PARTS }),
      ...agentRoutes({ db, cursors, engines, addScenarios, checkExits }),
      ...nodeNumberRoutes({ db }),
      ...draftingRoutes({ db, checkExits, brains: trying.brains, nowMs }),
      ...toolSecretRoutes({ db, secrets, nowMs }),
      ...mcpServerRoutes({ db, cursors, secrets, outbound: mcpHttp, nowMs }),
      ...engineRoutes({ engines }),
      ...creditRoutes({
        db,
        cursors,
        engines,
        requestsPerSecond: settings.requestsPerSecond,
        liveCalls: {
          goToTrunks: () => gate.goesToTrunks("live"),
          areCharged: () => settings.chargesSimulatedCalls || gate.goesToTrunks("live"),
        },
      }),
      ...alertRoutes({ db, cursors }),
      ...usageRoutes({ reading: context.reading, nowMs }),
      ...webhookRoutes({ db, cursors, secrets, policy: makePolicy(outboundWords(settings, exposure)), nowMs }),
      ...rateRoutes({ db, cursors, engines }),
      ...suppressionRoutes({ db, cursors }),
      ...gateRoutes({ db }),
      ...apiKeyRoutes({ db, secrets, cursors, nowMs }),
      ...deviceSignInRoutes({ db, secrets, publicUrl: context.publicUrl, nowMs }),
      ...auditRoutes({ db, cursors }),
      ...trunkRoutes({ db, secrets, reach: settings, cursors, reload: () => directory.refresh() }),
      ...providerRoutes({ db, secrets, environment: settings.modelEnvironment, reload: () => models.refresh() }),
      ...doctorRoutes({ db, doctor: joinDoctor(context) }),
      ...examinationRoutes({
        db,
        sources: engineSources(settings, models),
        limiter: new WorkLimiter(() => performance.now(), EXAMINATION_LIMITS),
      }),
      ...accountRoutes({
        db,
        secrets,
        cursors,
        hasher: createPasswordHasher(),
        judge,
        mailer: context.mailer,
        publicUrl: context.publicUrl,
        get signUp() {
          return signUpOf(settings, exposure);
        },
        operatorsNeedSecondFactor: !settings.isOnLoopback,
        nowMs,
        addSampleAgents: async (tx, accountId) => void (await addSamples(tx, accountId)),
      }),
    ],
    cookieName: cookieNameFor(context.publicUrl()),
    ownOrigins: context.ownOrigins,
    trustProxy: settings.trustProxy,
    corsOrigins: settings.corsOrigins,
    onForwarded: () => exposure.noteForwarded(),
    accountLimiter: createRateLimiter({
      policy: "api",
      limit: settings.requestsPerSecond,
      nowMs: () => performance.now(),
      lease: (bucket, limit) => leaseRateWindow(db, bucket, limit),
    }),
    addressLimiter,
    https: context.publicUrl().startsWith("https:"),
    pages: dashboard.pages,
    nowMs,
    onReply: metrics.requestAnswered,
  });
  addHealthRoutes(app, context.health);
  let isLeaving = false;
  app.addHook("onSend", async (_request, reply) => {
    if (isLeaving) reply.header("connection", "close");
  });
  addVendorRoutes(app, {
    db,
    log,
    clock: systemClock,
    vouch: secrets.vouch,
    directory: directory.current,
    reach: settings,
    refusals: addressLimiter,
  });
  addOpenApiRoute(app, { version: context.version });
  addReferencePage(app);
  addDocsSite(app, { readStatus: createStatusReader({ db, nowMs, answersInTime }) });
  addLinkPages(app, dashboard);
  keys.start();
  // A process that only looks at its routes builds and places nothing.
  app.addHook("onListen", async () => {
    dashboard.start();
    // Continues what a process left that died.
    placer.start();
  });
  return {
    app,
    leave() {
      isLeaving = true;
    },
    async stop() {
      await dashboard.stop();
      const cutOff = setTimeout(() => app.server.closeAllConnections(), CLOSE_WITHIN_MS);
      await app.close();
      clearTimeout(cutOff);
      await placer.stop();
      await scenarios.close();
      await trying.close();
      mcpHttp.close();
      await previews.close();
      await judge.close();
      await keys.stop();
      recordings.close();
    },
  };
}

/** Listens, or throws with a message for the operator. */
export async function listenOn(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw explainListening(error, { host, port, hostSetting: "PARLEY_HOST", portSetting: "PARLEY_PORT" });
  }
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new AppError("internal", "the server has no address");
  return address.port;
}
