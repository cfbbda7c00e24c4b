import { type Database, run } from "@parley/server/platform/database/database";
import type { Scene } from "../api/scene.ts";
import { load, type Shot } from "../load.ts";
import { isQuick } from "../quick.ts";
import { percentile } from "../statistics.ts";

export interface DispatchFigures {
  /** From sending the request to the moment at which the call is committed as dialed. */
  readonly dialingP50Ms: number;
  readonly dialingP95Ms: number;
  /** Of that, from the commit of the accepted call on. */
  readonly pickUpP50Ms: number;
  readonly claimedPerSecond: number;
  readonly dialedPerSecond: number;
  /** Calls that returned to the queue because their worker was too busy to renew its leases. */
  readonly claimedAgain: number;
}

const WARM_UP_CALLS = isQuick ? 2 : 20;
const CALLS = isQuick ? 5 : 60;
const QUEUED_CALLS = isQuick ? 20 : 400;
const CONNECTIONS = 8;
const WITHIN_MS = 120_000;

/** Callees are busy, so that a call costs as little as possible. */
export async function measureDispatch(db: Database, scene: Scene, apiPort: number): Promise<DispatchFigures> {
  await openLane(db);
  await place(scene, apiPort, WARM_UP_CALLS);
  await untilIdle(db);
  const latency = await measureLatency(db, scene, apiPort);
  const rates = await measureRates(db, scene, apiPort);
  return { ...latency, ...rates };
}

/** Requests that arrive one by one, each while the workers are idle. */
async function measureLatency(db: Database, scene: Scene, apiPort: number) {
  const sentAtMs = new Map<string, number>();
  for (let count = 0; count < CALLS; count += 1) {
    const atMs = performance.timeOrigin + performance.now();
    const { method, path, headers, body } = shot(scene);
    const reply = await fetch(`http://127.0.0.1:${apiPort}${path}`, { method, headers, body: body ?? null });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`a call was refused: ${reply.status} ${text}`);
    sentAtMs.set((JSON.parse(text) as { data: { id: string } }).data.id, atMs);
    await untilIdle(db);
  }
  const rows = await run<{ id: string; created_ms: number; dialing_ms: number }>(
    db,
    `select id, extract(epoch from created_at)::float8 * 1000 as created_ms, extract(epoch from dialing_at)::float8 * 1000 as dialing_ms
     from calls where id = any($1) and dialing_at is not null`,
    [[...sentAtMs.keys()]],
  );
  if (rows.length !== CALLS) throw new Error(`only ${rows.length} of ${CALLS} calls were dialed`);
  const dialing = rows.map(({ id, dialing_ms }) => dialing_ms - (sentAtMs.get(id) ?? 0));
  return {
    dialingP50Ms: percentile(dialing, 50),
    dialingP95Ms: percentile(dialing, 95),
    pickUpP50Ms: percentile(
      rows.map(({ created_ms, dialing_ms }) => dialing_ms - created_ms),
      50,
    ),
  };
}

/** A queue that was closed is opened: how soon is every call of it claimed, and how soon dialed? */
async function measureRates(db: Database, scene: Scene, apiPort: number) {
  await run(db, "update dispatch_lanes set concurrency_max = 0");
  const { requests } = await place(scene, apiPort, QUEUED_CALLS);
  await openLane(db);
  const [opened] = await run<{ at: Date }>(db, "select clock_timestamp() as at from pg_notify('parley_queued', '')");
  if (!opened) throw new Error("the database did not tell the time");
  await untilIdle(db);
  const [row] = await run<{ claimed: number; dialed: number; count: number; again: number }>(
    db,
    `select extract(epoch from max(r.claimed_at) - $1)::float8 as claimed, count(distinct c.id)::int as count,
       extract(epoch from max(c.dialing_at) - $1)::float8 as dialed, count(*)::int - count(distinct c.id)::int as again
     from call_runs r join calls c on c.id = r.call_id where r.claimed_at >= $1`,
    [opened.at],
  );
  if (row?.count !== requests) throw new Error(`${row?.count} of ${requests} calls were claimed`);
  const { claimed, dialed, again } = row;
  return { claimedPerSecond: requests / claimed, dialedPerSecond: requests / dialed, claimedAgain: again };
}

async function openLane(db: Database): Promise<void> {
  await run(db, "update dispatch_lanes set concurrency_max = 100000, calls_per_second = 100000");
}

function shot({ key, agentId }: Scene): Shot {
  return {
    method: "POST",
    path: "/api/v1/calls",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ phoneNumber: "+15550100002", agentId, engine: "local", callingHours: "ignore" }),
  };
}

async function place(scene: Scene, apiPort: number, count: number) {
  const result = await load(apiPort, count, CONNECTIONS, () => shot(scene));
  if (result.failures > 0) throw new Error(`${result.failures} of ${count} requests were refused`);
  return result;
}

async function untilIdle(db: Database): Promise<void> {
  const giveUpAtMs = performance.now() + WITHIN_MS;
  while (performance.now() < giveUpAtMs) {
    const [row] = await run<{ n: number }>(db, "select count(*)::int as n from calls where state <> 'ended'");
    if (row?.n === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("calls did not come to an end");
}
