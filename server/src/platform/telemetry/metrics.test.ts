import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

/** Metrics in which everything was counted once. */
function fillMetrics() {
  const metrics = createMetrics({ version: "1.2.3", roles: ["api", "calls"] });
  metrics.requestAnswered("/api/v1/calls", 200, 0.01);
  metrics.liveCalls(1);
  metrics.jobFinished("expire_calls", true);
  metrics.sipInputRefused("message");
  metrics.trunkAttemptEnded("main", "answered");
  metrics.webhookAttempted(false);
  metrics.capacity({
    workers: [{ id: "wrk_1", calls: 1, callsMax: 4, limit: "slots" }],
    waiting: [{ reason: "capacity", calls: 3 }],
  });
  metrics.backlog({ oldestCallSeconds: 7.5, dueDeliveries: 2, oldestDeliverySeconds: null });
  metrics.callEnded({ mode: "live", status: "completed", reason: "agent_hangup", talkedMs: 61_000 });
  metrics.replied({ totalMs: 640, stages: [{ stage: "model", ms: 400 }] });
  metrics.incident("speech_late");
  metrics.callsClaimed(false);
  metrics.watchPool("main", () => ({ total: 5, idle: 3, waiting: 1 }));
  metrics.watchListening(() => true);
  return metrics;
}

// Prometheus, "Metric and label naming": counters end in _total, nothing else does, and units are base units.
test("names say the kind and the unit: counters end in _total, gauges do not, times are in seconds", async () => {
  const text = await fillMetrics().text();
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", kind = ""]) => ({ name, kind }));
  expect(kinds.length).toBeGreaterThan(30);
  for (const { name, kind } of kinds) {
    expect(name).toMatch(/^parley_[a-z0-9_]+$/);
    expect([name, name.endsWith("_total")]).toEqual([name, kind === "counter"]);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|percent)(_|$)/);
  }
});

test.each([
  'parley_build_info{version="1.2.3",roles="api,calls"} 1',
  "parley_calls_waiting_oldest_seconds 7.5",
  'parley_calls_waiting{reason="capacity"} 3',
  "parley_webhook_deliveries_due 2",
  "parley_webhook_oldest_due_seconds 0",
  'parley_calls_ended_total{mode="live",status="completed",reason="agent_hangup"} 1',
  'parley_call_talk_seconds_bucket{le="60",mode="live"} 0',
  'parley_call_talk_seconds_bucket{le="120",mode="live"} 1',
  'parley_reply_seconds_bucket{le="0.8"} 1',
  'parley_reply_stage_seconds_sum{stage="model"} 0.4',
  'parley_call_incidents_total{what="speech_late"} 1',
  'parley_claims_total{outcome="failed"} 1',
  'parley_database_connections{pool="main",state="used"} 2',
  'parley_database_connections{pool="main",state="waiting"} 1',
  "parley_database_listening 1",
])("what happened is in the metrics: %s", async (line) => {
  expect((await fillMetrics().text()).split("\n")).toContain(line);
});

test.each([
  'parley_jobs_total{name="add_months",outcome="failed"} 0',
  'parley_webhook_attempts_total{outcome="failed"} 0',
  'parley_webhook_attempts_total{outcome="delivered"} 0',
  'parley_claims_total{outcome="failed"} 0',
  'parley_claims_total{outcome="ok"} 0',
  'parley_calls_ended_total{mode="live",status="failed",reason="worker_lost"} 0',
  'parley_call_incidents_total{what="speech_late"} 0',
])("what has not happened yet is 0, so that the first time is an increase: %s", async (line) => {
  const metrics = createMetrics({ version: "1", roles: ["calls", "jobs"] });
  metrics.watchJobs(["add_months"]);
  expect((await metrics.text()).split("\n")).toContain(line);
});

test("a process without the role calls does not say that it claims none", async () => {
  expect(await createMetrics({ version: "1", roles: ["api"] }).text()).not.toContain("parley_claims_total{");
});
