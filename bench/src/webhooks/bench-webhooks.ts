import type { ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { makeId } from "@parley/contract/ids";
import { NewWebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { deriveSecrets } from "@parley/server/platform/config/secret";
import { type Database, inTransaction, openDatabase, run } from "@parley/server/platform/database/database";
import { startEmbeddedPostgres } from "@parley/server/platform/database/embedded/start-embedded-postgres";
import { migrate } from "@parley/server/platform/database/migrate";
import { makePolicy } from "@parley/server/platform/outbound-http/outbound-policy";
import { createEndpoint } from "@parley/server/webhooks/endpoints";
import { type Scene, SECRET, setScene } from "../api/scene.ts";
import type { Goal } from "../goals.ts";
import { cpuSeconds } from "../process-figures.ts";
import { isQuick } from "../quick.ts";
import { median, percentile } from "../statistics.ts";
import { openReceivers, type Receivers } from "./receivers.ts";
import { startBareLoop, startService } from "./start-processes.ts";

const ROUNDS = isQuick ? 1 : 3;
const EVENTS_PER_ROUND = isQuick ? 10 : 250;
const SUSTAINED_PER_SECOND = 250;
const SUSTAINED_SECONDS = isQuick ? 1 : 10;
const CALLS_PER_SECOND = 50;
const CALLS = isQuick ? 20 : 500;
const log = { info: () => undefined, warn: () => undefined, error: console.error };

interface World {
  readonly db: Database;
  readonly scene: Scene;
  readonly receivers: Receivers;
  readonly servicePid: number;
  readonly serviceUrl: string;
}

/** Webhooks to ten endpoints, one dead and one hanging: what one delivery costs, how many a second, and how soon. */
export async function benchWebhooks(): Promise<Goal[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-bench-"));
  await chmod(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const running: ChildProcess[] = [];
  const receivers = await openReceivers();
  const db = openDatabase({
    url: postgres.url,
    connectionsMax: 16,
    applicationName: "bench",
    onIdleError: () => undefined,
  });
  try {
    await migrate(postgres.url);
    const scene = await setScene(postgres.url);
    await addEndpoints(db, scene, receivers);
    const { url, pid } = await startService(postgres.url, dataDir, running);
    const world: World = { db, scene, receivers, servicePid: pid, serviceUrl: url };
    const costs = await compareCosts(world, running);
    const sustained = await sustain(world);
    return [...costs, ...sustained, ...(await endCalls(world))];
  } finally {
    for (const child of running) child.kill("SIGKILL");
    await receivers.close();
    await db.destroy();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** How fast a backlog is sent, and the CPU of the process that delivers, beside that of a bare loop of the same requests. */
async function compareCosts({ db, scene, receivers, servicePid }: World, running: ChildProcess[]): Promise<Goal[]> {
  const loadBefore = loadavg()
    .map((value) => value.toFixed(1))
    .join(", ");
  const bare = startBareLoop(receivers.urls[0] ?? "", eventBody("evt_bare"), running);
  await drain(db, scene, receivers, 30);
  await bare.send(300);
  const ours: number[] = [];
  const theirs: number[] = [];
  const rates: number[] = [];
  const bareRates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bareStartedMs = performance.now();
    theirs.push(await bare.send(EVENTS_PER_ROUND * receivers.goodCount));
    bareRates.push((EVENTS_PER_ROUND * receivers.goodCount * 1000) / (performance.now() - bareStartedMs));
    receivers.clear();
    const before = cpuSeconds(servicePid);
    const seconds = await drain(db, scene, receivers, EVENTS_PER_ROUND);
    const deliveries = EVENTS_PER_ROUND * receivers.goodCount;
    ours.push(((cpuSeconds(servicePid) - before) * 1e6) / deliveries);
    rates.push(deliveries / seconds);
  }
  const figures = (values: readonly number[]) => values.map((value) => value.toFixed(0).padStart(7)).join("");
  console.log(`\nLoad of the machine before: ${loadBefore}`);
  console.log(`A backlog for 10 endpoints, 1 dead and 1 hanging, ${ROUNDS} rounds`);
  console.log(`  deliveries a second        ${figures(rates)}      highest ${Math.max(...rates).toFixed(0)}`);
  console.log(`  bare POSTs a second        ${figures(bareRates)}      highest ${Math.max(...bareRates).toFixed(0)}`);
  console.log(`  CPU per delivery, parley   ${figures(ours)} µs   median ${median(ours).toFixed(0)}`);
  console.log(`  CPU per POST, bare undici  ${figures(theirs)} µs   median ${median(theirs).toFixed(0)}`);
  return [
    { name: "seconds_per_250_deliveries", value: 250 / Math.max(...rates), max: 1, unit: " s" },
    { name: "cpu_ratio_to_bare_undici", value: median(ours) / median(theirs), max: 4, unit: "x" },
  ];
}

async function sustain({ db, scene, receivers }: World): Promise<Goal[]> {
  receivers.clear();
  const perSecond = SUSTAINED_PER_SECOND / receivers.goodCount;
  const total = Math.round(perSecond * SUSTAINED_SECONDS);
  const reportedAtMs = new Map<string, number>();
  await paced(total, perSecond, async () => {
    const id = makeId("event");
    reportedAtMs.set(id, Date.now());
    await report(db, scene, id);
  });
  await receivers.untilArrived(total * receivers.goodCount, 180_000);
  const lags = receivers.arrivals.map(({ id, atMs }) => atMs - (reportedAtMs.get(id) ?? 0));
  const [p50, p95] = [percentile(lags, 50), percentile(lags, 95)];
  console.log(
    `\n${SUSTAINED_PER_SECOND} deliveries a second for ${SUSTAINED_SECONDS} s, with the same two dead and hanging`,
  );
  console.log(`  event to arrival: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, most ${Math.max(...lags)} ms`);
  return [{ name: "sustained_lag_p95", value: p95, max: 1000, unit: " ms" }];
}

/** Waiting calls are canceled through the API, which ends them like any call. */
async function endCalls({ db, scene, receivers, serviceUrl }: World): Promise<Goal[]> {
  await leaveOneGoodEndpoint(db);
  const headers = { authorization: `Bearer ${scene.key}`, "content-type": "application/json" };
  const calls: string[] = [];
  for (let count = 0; count < CALLS; count += 1) {
    const body = JSON.stringify({ phoneNumber: "+15550100001", agentId: scene.agentId, engine: "local" });
    const reply = await fetch(`${serviceUrl}/api/v1/calls`, { method: "POST", headers, body });
    calls.push(((await reply.json()) as { data: { id: string } }).data.id);
  }
  await untilIdle(db);
  receivers.clear();
  let next = 0;
  await paced(CALLS, CALLS_PER_SECOND, async () => {
    await fetch(`${serviceUrl}/api/v1/calls/${calls[next++]}/hangup`, { method: "POST", headers, body: "{}" });
  });
  await receivers.untilArrived(CALLS, 180_000);
  const lags = receivers.arrivals.flatMap(({ body, atMs }) => {
    const { call } = (JSON.parse(body) as { data: { call: { endedAt: string } } }).data;
    return [atMs - Date.parse(call.endedAt)];
  });
  const [p50, p95] = [percentile(lags, 50), percentile(lags, 95)];
  console.log(
    `\n${CALLS_PER_SECOND} calls ending a second, each reported to one endpoint that answers, a dead and a hanging one`,
  );
  console.log(
    `  end of call to first attempt: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, most ${Math.max(...lags)} ms`,
  );
  return [{ name: "end_of_call_to_first_attempt_p95", value: p95, max: 1000, unit: " ms" }];
}

async function drain(db: Database, scene: Scene, receivers: Receivers, events: number): Promise<number> {
  await untilIdle(db);
  receivers.clear();
  const startedMs = performance.now();
  await inTransaction(db, async (tx) => {
    for (let count = 0; count < events; count += 1) await report(tx, scene, makeId("event"));
  });
  await receivers.untilArrived(events * receivers.goodCount, 120_000);
  return (performance.now() - startedMs) / 1000;
}

/** Until nothing is pending except for the dead and the hanging endpoint. */
async function untilIdle(db: Database): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const [row] = await run<{ count: number }>(
      db,
      `select count(*)::int as count from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
       where d.status = 'pending' and e.description = 'good'`,
    );
    if (row?.count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("deliveries did not come to an end");
}

async function report(db: Database, scene: Scene, id: string): Promise<void> {
  await run(
    db,
    "/* bench_report */ insert into outbox (id, account_id, mode, type, body) values ($1, $2, 'live', 'call.completed', $3)",
    [id, scene.accountId, eventBody(id)],
  );
}

/** As long as a webhook about a call usually is. */
function eventBody(id: string): string {
  return JSON.stringify({ id, type: "call.completed", sequence: 9, data: { call: { filler: "x".repeat(1500) } } });
}

async function paced(count: number, perSecond: number, work: () => Promise<void>): Promise<void> {
  const startedMs = performance.now();
  const underWay: Promise<void>[] = [];
  for (let done = 0; done < count; done += 1) {
    const waitMs = startedMs + (done * 1000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    underWay.push(work());
  }
  await Promise.all(underWay);
}

async function addEndpoints(db: Database, scene: Scene, { urls, goodCount }: Receivers): Promise<void> {
  const policy = makePolicy({ allow: ["loopback"], deny: [], ports: [443] });
  const deps = { secrets: deriveSecrets(SECRET), policy, nowMs: () => Date.now() };
  const owner = { accountId: scene.accountId, mode: "live" } as const;
  for (const [index, url] of urls.entries()) {
    const input = NewWebhookEndpoint.parse({ url, description: index < goodCount ? "good" : "bad" });
    await inTransaction(db, (tx) => createEndpoint(deps, tx, owner, input));
  }
}

async function leaveOneGoodEndpoint(db: Database): Promise<void> {
  await run(
    db,
    `update webhook_endpoints set is_enabled = false, disabled_reason = 'member', disabled_at = now()
     where description = 'good' and id <> (select min(id) from webhook_endpoints where description = 'good')`,
  );
}
