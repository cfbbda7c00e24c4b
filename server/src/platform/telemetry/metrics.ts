import { INCIDENT_KINDS } from "@parley/contract/incidents";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { PoolState } from "../database/database.ts";

/** What the process measures about itself, for Prometheus. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  requestAnswered(route: string, status: number, seconds: number): void;
  liveCalls(count: number): void;
  jobFinished(job: string, ok: boolean): void;
  /** This process runs these jobs. Their counters begin at 0. */
  watchJobs(names: readonly string[]): void;
  /** Something came from the telephone network that could not be used. */
  sipInputRefused(what: string): void;
  /** An attempt to place a call on a trunk came to its end. */
  trunkAttemptEnded(trunk: string, outcome: string): void;
  /** The trunks that calls go out on, read with the metrics. The counters of their outcomes begin at 0. */
  watchTrunks(outcomes: readonly string[], read: () => readonly string[]): void;
  /** An event was sent to an endpoint. */
  webhookAttempted(isSuccess: boolean): void;
  /** The calls that workers hold and could hold, and those that wait. */
  capacity(capacity: Capacity): void;
  /** What waits in the whole installation. */
  backlog(backlog: Backlog): void;
  /** Rows that no monthly partition has, in the whole installation. */
  rowsOutsideMonths(count: number): void;
  /** This worker ended a call. */
  callEnded(end: EndedCallMetrics): void;
  /** An agent began to reply. */
  replied(timing: ReplyMetrics): void;
  /** The service itself failed during a call. */
  incident(what: string): void;
  /** Calls could or could not be claimed. */
  callsClaimed(isSuccess: boolean): void;
  /** A pool of database connections whose state is read with the metrics. */
  watchPool(name: string, read: () => PoolState): void;
  /** Whether notifications of the database arrive, read with the metrics. */
  watchListening(read: () => boolean): void;
}

/** A pause of 0.8 s is noticed in a conversation; beyond 2 s callees ask whether anyone is there. */
const REPLY_BUCKETS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.5, 2, 3, 5, 10];

const JOB_OUTCOMES = ["ok", "failed"];
const OUR_FAILURES = ["engine_error", "worker_lost"];

/** Of the whole installation, as the database knows it. */
export interface Capacity {
  readonly workers: readonly {
    readonly id: string;
    readonly calls: number;
    readonly callsMax: number;
    /** Why it starts no more calls; null while it does. */
    readonly limit: string | null;
  }[];
  readonly waiting: readonly { readonly reason: string; readonly calls: number }[];
}

/** Of the whole installation, as the database knows it. */
interface Backlog {
  /** How long the oldest call that is due has waited; null where none waits. */
  readonly oldestCallSeconds: number | null;
  /** Webhook deliveries that are due, and how long the oldest has been. */
  readonly dueDeliveries: number;
  readonly oldestDeliverySeconds: number | null;
}

interface EndedCallMetrics {
  readonly mode: string;
  readonly status: string;
  readonly reason: string;
  /** Null if it was not answered. */
  readonly talkedMs: number | null;
}

interface ReplyMetrics {
  readonly totalMs: number;
  readonly stages: readonly { readonly stage: string; readonly ms: number }[];
}

/** Gauges of prom-client whose names are those of counters, and which `parley_nodejs_resources` replaces. */
const MISNAMED = ["active_handles", "active_requests", "active_resources"];

/**
 * Counters begin at 0 for all labels that alerts ask for. Prometheus sees an increase only between two samples: without the
 * first one, what failed since the start of the process would not count, and a trunk that never answered would have no rate.
 */
export function createMetrics(about: { readonly version: string; readonly roles: readonly string[] }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "parley_" });
  for (const name of MISNAMED) {
    registry.removeSingleMetric(`parley_nodejs_${name}`);
    registry.removeSingleMetric(`parley_nodejs_${name}_total`);
  }
  new Gauge({
    name: "parley_nodejs_resources",
    help: "What keeps the process running, by type.",
    labelNames: ["type"],
    registers: [registry],
    collect() {
      this.reset();
      for (const type of process.getActiveResourcesInfo()) this.inc({ type });
    },
  });
  new Gauge({
    name: "parley_build_info",
    help: "1, with the release and the roles of this process.",
    labelNames: ["version", "roles"],
    registers: [registry],
  }).set({ version: about.version, roles: about.roles.join(",") }, 1);
  const requests = new Histogram({
    name: "parley_http_request_seconds",
    help: "Time from request to reply.",
    labelNames: ["route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const live = new Gauge({ name: "parley_live_calls", help: "Calls this worker conducts now.", registers: [registry] });
  const jobs = new Counter({
    name: "parley_jobs_total",
    help: "Background jobs by outcome.",
    labelNames: ["name", "outcome"],
    registers: [registry],
  });
  const refused = new Counter({
    name: "parley_sip_input_refused_total",
    help: "Messages and packets from the telephone network that were refused, by kind.",
    labelNames: ["what"],
    registers: [registry],
  });
  let watchedTrunks: { readonly outcomes: readonly string[]; read(): readonly string[] } = {
    outcomes: [],
    read: () => [],
  };
  const attempts = new Counter({
    name: "parley_trunk_attempts_total",
    help: "Attempts to place a call on a trunk, by trunk and outcome.",
    labelNames: ["trunk", "outcome"],
    registers: [registry],
    collect() {
      for (const trunk of watchedTrunks.read())
        for (const outcome of watchedTrunks.outcomes) this.inc({ trunk, outcome }, 0);
    },
  });
  const webhooks = new Counter({
    name: "parley_webhook_attempts_total",
    help: "Attempts to deliver an event to a webhook endpoint, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const workerCalls = gauge("parley_worker_calls", "Calls that a worker holds.", ["worker"]);
  const workerCallsMax = gauge("parley_worker_calls_max", "Calls that a worker holds at once, by its own forecast.", [
    "worker",
  ]);
  const workerLimited = gauge("parley_worker_limited", "1 while a worker starts no more calls, by the reason.", [
    "worker",
    "reason",
  ]);
  const waiting = gauge("parley_calls_waiting", "Calls that are due and wait in the queue, by the reason.", ["reason"]);
  const oldestCall = gauge("parley_calls_waiting_oldest_seconds", "How long the oldest due call has waited.", []);
  const dueDeliveries = gauge("parley_webhook_deliveries_due", "Webhook deliveries that are due, up to 10,000.", []);
  const oldestDelivery = gauge("parley_webhook_oldest_due_seconds", "How long the oldest due delivery has waited.", []);
  const ended = new Counter({
    name: "parley_calls_ended_total",
    help: "Calls that this worker ended, by mode, status and reason.",
    labelNames: ["mode", "status", "reason"],
    registers: [registry],
  });
  const talked = new Histogram({
    name: "parley_call_talk_seconds",
    help: "From the answer to the end of answered calls.",
    labelNames: ["mode"],
    buckets: [5, 15, 30, 60, 120, 300, 600, 1800, 3600],
    registers: [registry],
  });
  const replies = new Histogram({
    name: "parley_reply_seconds",
    help: "From the end of the callee's speech to the first audio of the reply.",
    buckets: REPLY_BUCKETS,
    registers: [registry],
  });
  const stages = new Histogram({
    name: "parley_reply_stage_seconds",
    help: "The parts of that time, by stage.",
    labelNames: ["stage"],
    buckets: REPLY_BUCKETS,
    registers: [registry],
  });
  const incidents = new Counter({
    name: "parley_call_incidents_total",
    help: "Failures of the service itself during calls, by kind.",
    labelNames: ["what"],
    registers: [registry],
  });
  const claims = new Counter({
    name: "parley_claims_total",
    help: "Attempts of this worker to claim calls, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["delivered", "failed"]) webhooks.inc({ outcome }, 0);
  for (const what of INCIDENT_KINDS) incidents.inc({ what }, 0);
  if (about.roles.includes("calls")) {
    for (const outcome of ["ok", "failed"]) claims.inc({ outcome }, 0);
    for (const mode of ["live", "test"])
      for (const reason of OUR_FAILURES) ended.inc({ mode, status: "failed", reason }, 0);
  }
  const pools = new Map<string, () => PoolState>();
  new Gauge({
    name: "parley_database_connections",
    help: "Database connections of this process by pool and state; `waiting` counts requests for one.",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect() {
      for (const [pool, read] of pools) {
        const { total, idle, waiting } = read();
        this.set({ pool, state: "used" }, total - idle);
        this.set({ pool, state: "idle" }, idle);
        this.set({ pool, state: "waiting" }, waiting);
      }
    },
  });
  const outsideMonths = new Gauge({
    name: "parley_rows_outside_months",
    help: "Rows that no monthly partition has, up to 1,000 of each table.",
    registers: [registry],
  });
  let isListening: (() => boolean) | null = null;
  new Gauge({
    name: "parley_database_listening",
    help: "1 while notifications of the database arrive.",
    registers: [registry],
    collect() {
      if (isListening) this.set(isListening() ? 1 : 0);
    },
  });
  return {
    backlog({ oldestCallSeconds, dueDeliveries: due, oldestDeliverySeconds }) {
      oldestCall.set(oldestCallSeconds ?? 0);
      dueDeliveries.set(due);
      oldestDelivery.set(oldestDeliverySeconds ?? 0);
    },
    rowsOutsideMonths: (count) => outsideMonths.set(count),
    callEnded({ mode, status, reason, talkedMs }) {
      ended.inc({ mode, status, reason });
      if (talkedMs !== null) talked.observe({ mode }, talkedMs / 1000);
    },
    replied(timing) {
      replies.observe(timing.totalMs / 1000);
      for (const { stage, ms } of timing.stages) stages.observe({ stage }, ms / 1000);
    },
    incident: (what) => incidents.inc({ what }),
    callsClaimed: (isSuccess) => claims.inc({ outcome: isSuccess ? "ok" : "failed" }),
    watchPool: (name, read) => void pools.set(name, read),
    watchListening(read) {
      isListening = read;
    },
    capacity(capacity) {
      for (const each of [workerCalls, workerCallsMax, workerLimited, waiting]) each.reset();
      for (const { id: worker, calls, callsMax, limit } of capacity.workers) {
        workerCalls.set({ worker }, calls);
        workerCallsMax.set({ worker }, callsMax);
        if (limit !== null) workerLimited.set({ worker, reason: limit }, 1);
      }
      for (const { reason, calls } of capacity.waiting) waiting.inc({ reason }, calls);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
    requestAnswered: (route, status, seconds) => requests.observe({ route, status }, seconds),
    liveCalls: (count) => live.set(count),
    sipInputRefused: (what) => refused.inc({ what }),
    trunkAttemptEnded: (trunk, outcome) => attempts.inc({ trunk, outcome }),
    webhookAttempted: (isSuccess) => webhooks.inc({ outcome: isSuccess ? "delivered" : "failed" }),
    watchJobs(names) {
      for (const name of names) for (const outcome of JOB_OUTCOMES) jobs.inc({ name, outcome }, 0);
    },
    watchTrunks(outcomes, read) {
      watchedTrunks = { outcomes, read };
    },
    jobFinished: (job, ok) => jobs.inc({ name: job, outcome: ok ? "ok" : "failed" }),
  };
}
