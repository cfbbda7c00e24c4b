import { openDatabase, run } from "@parley/server/platform/database/database";
import { query } from "@parley/server/platform/database/embedded/testing/embedded-scene";
import {
  type NetworkProcess,
  startNetworkProcess,
} from "@parley/telephony/simulated-network/testing/start-network-process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { type Caller, completeCall, placeCall, SILENT_NUMBER, untilPhase } from "../harness/calls.ts";
import { CountedCalls } from "../harness/counted-calls.ts";
import { startOwnPostgres } from "../harness/own-postgres.ts";
import { startPgBouncer } from "../harness/pgbouncer.ts";
import { exitOf, Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

const PASSWORD = "of-a-test";
/** More than the pooler has sessions. */
const CLIENTS = 20;
const CALLS_PER_CLIENT = 10;

let scene: Scene;
let network: NetworkProcess;
let directUrl: string;
let pooledUrl: string;
let service: ServiceProcess;
let caller: Caller;

const start = () =>
  scene.start({
    env: {
      DATABASE_URL: pooledUrl,
      DATABASE_DIRECT_URL: directUrl,
      PARLEY_RATE_LIMIT: "2000",
      PARLEY_SIMULATED_NETWORK: `${network.host}:${network.port}`,
    },
  });

beforeAll(async () => {
  scene = await Scene.open("none");
  network = await startNetworkProcess({ speed: 1, audio: true });
  const own = await startOwnPostgres(scene.folder);
  await own.administer(`create role parley login password '${PASSWORD}'`, "create database parley owner parley");
  directUrl = `postgresql://parley:${PASSWORD}@127.0.0.1:${own.port}/parley`;
  pooledUrl = await startPgBouncer(scene.folder, directUrl);
});
afterAll(async () => {
  await scene?.close();
  await network?.kill();
});

test("a pooler in transaction mode as the only address is refused with what to do, and leaves no lock behind", async () => {
  const { code, output } = await scene.refuse({ env: { DATABASE_URL: pooledUrl } });
  expect(code).toBe(1);
  expect(output).toContain("PgBouncer in transaction mode");
  expect(output).toContain("set DATABASE_DIRECT_URL");
  expect(output).not.toContain(PASSWORD);
  expect(await query(directUrl, "select pid from pg_locks where locktype = 'advisory'")).toEqual([]);
});

test("calls are conducted through it, ten at once, and every statement of theirs goes through it", async () => {
  service = await start();
  const { key, agentId } = await readFirstRun(service);
  caller = { url: service.url, key, agentId };
  await Promise.all(Array.from({ length: 10 }, () => completeCall(caller)));
  const direct = await query(
    directUrl,
    `select application_name, count(*)::int as n from pg_stat_activity
     where client_addr is not null and application_name in ('parley', 'parley leases') group by 1 order by 1`,
  );
  // PgBouncer passes the names on, but never has more than its ten sessions for all of them.
  expect(direct.reduce((sum, { n }) => sum + Number(n), 0)).toBeLessThanOrEqual(10);
});

test("a crowd of calls is accepted, dialed once and ended, without a failed request", async () => {
  await query(directUrl, "update dispatch_lanes set calls_per_second = 100");
  const calls = new CountedCalls({ network, query: (text) => query(directUrl, text) });
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let turn = 0; turn < CALLS_PER_CLIENT; turn += 1) await calls.place(caller);
    }),
  );
  expect(await calls.count()).toEqual({
    accepted: CLIENTS * CALLS_PER_CLIENT,
    failed: 0,
    dialedTwice: 0,
    lost: 0,
    unknown: 0,
  });
});

test("notifications arrive at once: a live call ends at the request to hang it up", async () => {
  const id = await placeCall(caller, SILENT_NUMBER, { simulation: { answerAfterMs: 0 } });
  await untilPhase(caller, id, "talking");
  await ask(caller.url, `/api/v1/calls/${id}/hangup`, { key: caller.key, method: "POST" });
  expect(await untilPhase(caller, id, "ended")).toMatchObject({ endReason: "api_hangup" });
});

test("it starts again, with nothing left to wait for", async () => {
  expect(await service.end("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(await query(directUrl, "select pid from pg_locks where locktype = 'advisory'")).toEqual([]);
  service = await start();
  await completeCall({ ...caller, url: service.url });
  expect(await service.end("SIGTERM")).toEqual({ code: 0, signal: null });
});

test("a process that waits for another that migrates says so and stops on SIGTERM", async () => {
  const db = openDatabase({
    ...{ url: directUrl, connectionsMax: 1, applicationName: "holder of a test" },
    onIdleError: () => undefined,
  });
  await db.connection().execute(async (held) => {
    await run(held, "select pg_advisory_lock(7275539)");
    const waiting = await scene.start({ env: { DATABASE_URL: directUrl }, waitForReady: false });
    await expect.poll(waiting.output, { timeout: 30_000 }).toContain("waiting for another process that migrates");
    expect(waiting.output()).toContain("holder of a test");
    waiting.child.kill("SIGTERM");
    expect(await exitOf(waiting)).toBe(0);
  });
  await db.destroy();
});
