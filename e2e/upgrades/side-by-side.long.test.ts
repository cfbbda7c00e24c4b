import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchReport } from "@parley/telephony/simulated-network/fetch-report";
import {
  type NetworkProcess,
  startNetworkProcess,
} from "@parley/telephony/simulated-network/testing/start-network-process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import {
  type Caller,
  completeCall,
  getCall,
  placeCall,
  QUICK_CALLEE,
  SILENT_NUMBER,
  untilPhase,
} from "../harness/calls.ts";
import { copyCheckout } from "../harness/checkout-copy.ts";
import { exitOf, Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess, type StartOptions } from "../harness/service-process.ts";

const CLIENTS = 3;
const LIVE_CALLS = 3;
/** Each release accepts this many calls while the other runs beside it. */
const CALLS_OF_EACH = 12;

/** What releases usually do to tables: they get more columns, while the previous release reads and writes them. */
const MIGRATION = "9999_more_columns.sql";
const TABLES = [
  "accounts",
  "agents",
  "api_keys",
  "calls",
  "call_attempts",
  "call_events",
  "call_runs",
  "dispatch_lanes",
  "outbox",
  "workers",
];
const MORE_COLUMNS = TABLES.map(
  (table) => `alter table ${table} add column of_the_next_release integer not null default 0;`,
).join("\n");

let scene: Scene;
let newer: string;
/** A process of its own: what was dialed is counted where it was dialed, over all releases. */
let network: NetworkProcess;
let old: ServiceProcess;
let caller: Caller;

beforeAll(async () => {
  scene = await Scene.open("none");
  newer = join(scene.folder, "newer");
  copyCheckout(newer);
  writeFileSync(join(newer, "server/migrations", MIGRATION), MORE_COLUMNS);
  network = await startNetworkProcess({ speed: 1, audio: true });
  old = await start();
  caller = { url: old.url, ...(await readFirstRun(old)) };
}, 180_000);
afterAll(async () => {
  await scene?.close();
  await network?.kill("SIGTERM");
});

const start = (options: Partial<StartOptions> = {}) =>
  scene.start({ ...options, env: { PARLEY_SIMULATED_NETWORK: `${network.host}:${network.port}` } });

/** Clients that place one call after another at the given addresses in turn, and count what does not succeed. */
function startClients(addresses: () => readonly string[]) {
  const placed: { readonly id: string; readonly url: string }[] = [];
  const failed: string[] = [];
  let isStopped = false;
  const client = async () => {
    for (let turn = 0; !isStopped; turn += 1) {
      const urls = addresses();
      const url = urls[turn % urls.length] ?? caller.url;
      try {
        const body = { phoneNumber: "+15550100001", agentId: caller.agentId, engine: "local", ...QUICK_CALLEE };
        const headers = { "idempotency-key": randomUUID() };
        const reply = await ask(url, "/api/v1/calls", { key: caller.key, body, headers });
        if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
        placed.push({ id: reply.body.data.id, url });
        // Followed where requests go by then, as behind a load balancer.
        await until(
          () => getCall({ ...caller, url: addresses().at(-1) ?? url }, reply.body.data.id),
          ({ phase }) => phase === "ended",
          60_000,
        );
      } catch (error) {
        failed.push(`${url}: ${(error as Error).message}`);
      }
    }
  };
  const running = Array.from({ length: CLIENTS }, client);
  return {
    placed,
    failed,
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

test("a new release takes over from the previous one on the same database: no request fails, no call is cut, lost or dialed twice", async () => {
  const live = await Promise.all(
    Array.from({ length: LIVE_CALLS }, () => placeCall(caller, SILENT_NUMBER, { simulation: { answerAfterMs: 0 } })),
  );
  for (const id of live) await untilPhase(caller, id, "talking");
  let addresses = [old.url];
  const clients = startClients(() => addresses);

  const next = await start({ cwd: newer });
  expect(next.output()).toContain(`"applied":["${MIGRATION}"]`);
  const since = clients.placed.length;
  addresses = [old.url, next.url];
  for (const { url } of [old, next]) {
    await until(
      async () => clients.placed.slice(since).filter((call) => call.url === url).length + clients.failed.length,
      (count) => count >= CALLS_OF_EACH,
      120_000,
    );
  }

  // As a load balancer does before the process is stopped.
  addresses = [next.url];
  old.child.kill("SIGTERM");
  await until(
    () => scene.query("select count(*)::int as n from workers where draining"),
    ([row]) => row?.["n"] === 1,
    30_000,
  );
  for (const id of live) expect(await getCall({ ...caller, url: next.url }, id)).toMatchObject({ phase: "talking" });
  for (const id of live) await ask(next.url, `/api/v1/calls/${id}/hangup`, { key: caller.key, method: "POST" });
  expect(await exitOf(old)).toBe(0);
  await clients.stop();

  const errors = [old, next].flatMap(({ output }) =>
    output()
      .split("\n")
      .filter((line) => line.includes('"level":"error"')),
  );
  expect(clients.failed, errors.slice(0, 5).join("\n")).toEqual([]);
  const calls = await scene.query("select id, status, end_reason from calls");
  const ids = [...clients.placed.map(({ id }) => id), ...live].toSorted();
  expect(calls.map(({ id }) => id).toSorted()).toEqual(ids);
  expect(calls.filter(({ status }) => status !== "completed")).toEqual([]);
  const { dialIdsByCallId, counts } = await fetchReport(network.host, network.port);
  expect([...dialIdsByCallId.keys()].toSorted()).toEqual(ids);
  expect([...dialIdsByCallId].filter(([, times]) => times !== 1)).toEqual([]);
  expect(counts.duplicates).toBe(0);
  const ended = calls.filter(({ id }) => live.includes(String(id)));
  expect(ended.map(({ end_reason }) => end_reason)).toEqual(live.map(() => "api_hangup"));
  console.log(`${calls.length} calls over two releases`);

  // A machine of the previous release that restarts during the upgrade, or the way back to it.
  const again = await start();
  expect(again.output()).toContain(`"migrations":["${MIGRATION}"]`);
  await completeCall({ ...caller, url: again.url });
  await completeCall({ ...caller, url: next.url });
  expect(await again.end()).toEqual({ code: 0, signal: null });
  // It checks the database too.
  expect(await next.end()).toEqual({ code: 0, signal: null });
}, 300_000);
