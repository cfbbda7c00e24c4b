import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** What the process measures about itself, for Prometheus. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  requestAnswered(route: string, status: number, seconds: number): void;
  liveCalls(count: number): void;
  jobFinished(job: string, ok: boolean): void;
  /** Something came from the telephone network that could not be used. */
  sipInputRefused(what: string): void;
  /** An attempt to place a call on a trunk came to its end. */
  trunkAttemptEnded(trunk: string, outcome: string): void;
  /** An event was sent to an endpoint. */
  webhookAttempted(isSuccess: boolean): void;
  /** The calls that workers hold and could hold, and those that wait. */
  capacity(capacity: Capacity): void;
}

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

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "parley_" });
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
    labelNames: ["job", "outcome"],
    registers: [registry],
  });
  const refused = new Counter({
    name: "parley_sip_input_refused_total",
    help: "Messages and packets from the telephone network that were refused, by kind.",
    labelNames: ["what"],
    registers: [registry],
  });
  const attempts = new Counter({
    name: "parley_trunk_attempts_total",
    help: "Attempts to place a call on a trunk, by trunk and outcome.",
    labelNames: ["trunk", "outcome"],
    registers: [registry],
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
  return {
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
    jobFinished: (job, ok) => jobs.inc({ job, outcome: ok ? "ok" : "failed" }),
  };
}
