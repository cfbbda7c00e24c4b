import { makeId } from "@parley/contract/ids";
import { registerWorker } from "@parley/server/calls/runs/lease/lease-store";
import { claimCalls } from "@parley/server/calls/runs/worker/worker";
import { openDatabase } from "@parley/server/platform/database/database";
import { claimDeliveries } from "@parley/server/webhooks/sending/claim-store";
import pg from "pg";
import type { Scene } from "../api/scene.ts";
import { load, type Shot } from "../load.ts";
import { isQuick } from "../quick.ts";
import { percentile } from "../statistics.ts";
import { type MeasuredAccounts, RARE_WORD } from "./fill-installation.ts";
import { type StatementCost, type StatementCosts, sumOf } from "./statement-costs.ts";

/** What one operation costs. */
export interface OperationCost {
  readonly name: string;
  readonly statements: number;
  readonly buffers: number;
  /** The median of the whole operation, not only of its statements. */
  readonly ms: number;
}

const WORKERS = 20;
const CLAIMS_PER_WORKER = isQuick ? 2 : 20;
const REQUESTS = isQuick ? 10 : 200;
const WARM_UP = isQuick ? 2 : 30;
const CONNECTIONS = 4;
const DELIVERIES = { rowsMax: 20, perEndpointMax: 10, failuresToOpen: 5, leaseMs: 60_000 };

/** Measures the operations that the program repeats most, each by its own code. */
export async function measureOperations(
  url: string,
  { large, steady }: MeasuredAccounts,
  apiPort: number,
  costs: StatementCosts,
): Promise<OperationCost[]> {
  const get = ({ key }: Scene, path: string) => ({ method: "GET", path, headers: { authorization: `Bearer ${key}` } });
  const overHttp = (name: string, shot: (index: number) => Shot) => measureRequests(name, apiPort, shot, costs);
  const callIds = await chooseAnsweredCalls(url, large);
  const transcriptOf = (index: number) => `/api/v1/calls/${callIds[index % callIds.length]}/transcript`;
  return [
    await overHttp("post", () => postOf(large)),
    await overHttp("list", () => get(large, "/api/v1/calls")),
    await overHttp("search", () => get(large, `/api/v1/calls?q=${RARE_WORD}`)),
    await overHttp("transcript", (index) => get(large, transcriptOf(index))),
    await overHttp("usage", () => get(steady, "/api/v1/usage")),
    await overHttp("usage_by_agent", () => get(steady, "/api/v1/usage/breakdown?by=agent")),
    await measureClaims(url, costs),
    await measureDeliveryClaims(url, costs),
  ];
}

/** Of the whole year, so that transcripts of every month are read. */
async function chooseAnsweredCalls(url: string, { accountId }: Scene): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `select id from (
         select id, row_number() over (order by id) as place, count(*) over () as count from calls
         where account_id = $1 and mode = 'live' and answered_at is not null
       ) answered where place % greatest(1, count / $2) = 0`,
      [accountId, REQUESTS / 2],
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

function postOf({ key, agentId }: Scene): Shot {
  return {
    method: "POST",
    path: "/api/v1/calls",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      phoneNumber: "+15550100001",
      agentId,
      engine: "local",
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  };
}

async function measureRequests(
  name: string,
  port: number,
  shot: (index: number) => Shot,
  costs: StatementCosts,
): Promise<OperationCost> {
  await load(port, WARM_UP, CONNECTIONS, shot);
  await costs.reset();
  const { failures, latenciesMs } = await load(port, REQUESTS, CONNECTIONS, shot);
  if (failures > 0) throw new Error(`${name}: ${failures} of ${REQUESTS} requests failed`);
  return costOf(name, await costs.read(), REQUESTS, latenciesMs);
}

function costOf(
  name: string,
  costs: readonly StatementCost[],
  count: number,
  latenciesMs: readonly number[],
): OperationCost {
  return {
    name,
    statements: sumOf(costs, "calls") / count,
    buffers: sumOf(costs, "buffers") / count,
    ms: percentile(latenciesMs, 50),
  };
}

/** Workers that claim one call after the other, all at the same time. */
async function measureClaims(url: string, costs: StatementCosts): Promise<OperationCost> {
  const db = openDatabase({ url, connectionsMax: WORKERS, applicationName: "bench", onIdleError: () => undefined });
  try {
    const workers = Array.from({ length: WORKERS }, () => makeId("worker"));
    await Promise.all(workers.map((id) => registerWorker(db, id, 1000)));
    await Promise.all(workers.map((id) => claimCalls(db, id, 1)));
    await costs.reset();
    const latenciesMs: number[] = [];
    await Promise.all(
      workers.map(async (id) => {
        for (let count = 0; count < CLAIMS_PER_WORKER; count += 1) {
          const startedMs = performance.now();
          await claimCalls(db, id, 1);
          latenciesMs.push(performance.now() - startedMs);
        }
      }),
    );
    return costOf("claim", await costs.read(), WORKERS * CLAIMS_PER_WORKER, latenciesMs);
  } finally {
    await db.destroy();
  }
}

async function measureDeliveryClaims(url: string, costs: StatementCosts): Promise<OperationCost> {
  const db = openDatabase({ url, connectionsMax: 1, applicationName: "bench", onIdleError: () => undefined });
  try {
    let { next: after } = await claimDeliveries(db, Date.now(), DELIVERIES);
    await costs.reset();
    const latenciesMs: number[] = [];
    for (let count = 0; count < CLAIMS_PER_WORKER; count += 1) {
      const startedMs = performance.now();
      ({ next: after } = await claimDeliveries(db, Date.now(), DELIVERIES, after ?? ""));
      latenciesMs.push(performance.now() - startedMs);
    }
    return costOf("webhook_claim", await costs.read(), CLAIMS_PER_WORKER, latenciesMs);
  } finally {
    await db.destroy();
  }
}
