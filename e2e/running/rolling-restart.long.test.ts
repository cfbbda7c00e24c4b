import {
  type NetworkProcess,
  startNetworkProcess,
} from "@parley/telephony/simulated-network/testing/start-network-process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, placeCall, SILENT_NUMBER, untilPhase } from "../harness/calls.ts";
import { CountedCalls } from "../harness/counted-calls.ts";
import { type LoadBalancer, startHaproxy } from "../harness/haproxy.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

const TOKEN = "a-token-of-an-operator";
const CLIENTS = 4;
const LIVE_CALLS = 3;

/** Each client places a call in one of so many turns. */
const TURNS_PER_CALL = 20;

let scene: Scene;
let network: NetworkProcess;
let calls: CountedCalls;
let balancer: LoadBalancer;
let apis: [ServiceProcess, ServiceProcess];
let worker: ServiceProcess;
let caller: Caller;

const onNetwork = () => ({ PARLEY_SIMULATED_NETWORK: `${network.host}:${network.port}` });
const startWorker = () => scene.startRole("calls", { env: onNetwork() });
const startApi = (port?: number) =>
  scene.start({
    ...(port === undefined ? {} : { port }),
    env: {
      ...onNetwork(),
      PARLEY_ROLES: "api",
      PARLEY_SHUTDOWN_DELAY_SECONDS: "2",
      PARLEY_RATE_LIMIT: "5000",
      PARLEY_OPERATOR_TOKEN: TOKEN,
    },
  });

beforeAll(async () => {
  scene = await Scene.open();
  network = await startNetworkProcess({ speed: 1, audio: true });
  calls = new CountedCalls({ network, query: (text) => scene.query(text) });
  const first = await startApi();
  const { key, agentId } = await readFirstRun(first);
  const second = await startApi();
  await scene.query("update dispatch_lanes set calls_per_second = 100");
  worker = await startWorker();
  apis = [first, second];
  balancer = await startHaproxy(scene.folder, [first.port, second.port]);
  caller = { url: balancer.url, key, agentId };
});
afterAll(async () => {
  await balancer?.close();
  await scene?.close();
  await network?.kill();
});

/** How many requests of the clients a process has answered. */
async function countRequests({ url }: ServiceProcess): Promise<number> {
  const reply = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const counts = (await reply.text()).matchAll(
    /^parley_http_request_seconds_count\{route="\/api\/v1\/calls".*\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Clients that read and write one after the other, on connections that are kept, and count what does not succeed. */
function startClients() {
  const counts = { answered: 0, failed: [] as string[] };
  let isStopped = false;
  const headers = { authorization: `Bearer ${caller.key}`, "content-type": "application/json" };
  const once = async (turn: number) => {
    if (turn % TURNS_PER_CALL === 1) return calls.place(caller);
    const body = JSON.stringify({ phoneNumber: "+15550100002" });
    const isWrite = turn % 5 === 0;
    const request = isWrite ? { method: "POST", body } : {};
    const reply = await fetch(`${caller.url}/api/v1/calls${isWrite ? "/check" : "?limit=5"}`, { ...request, headers });
    const sent = await reply.text();
    if (reply.status !== 200) throw new Error(`${reply.status} ${sent}`);
  };
  const client = async () => {
    for (let turn = 0; !isStopped; turn += 1) {
      await once(turn).then(
        () => {
          counts.answered += 1;
        },
        (error: Error) => counts.failed.push(`${error.message} ${String(error.cause ?? "")}`),
      );
    }
  };
  const running = Array.from({ length: CLIENTS }, client);
  return {
    counts,
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** Follows the events of a call as a browser does: when the stream ends it connects again and names the last event it has. */
function followCall(id: string) {
  const eventIds: number[] = [];
  const refused: number[] = [];
  let connections = 0;
  const stopped = new AbortController();
  const following = (async () => {
    while (!stopped.signal.aborted) {
      const reply = await fetch(`${caller.url}/api/v1/calls/${id}/events`, {
        headers: {
          authorization: `Bearer ${caller.key}`,
          accept: "text/event-stream",
          ...(eventIds.length > 0 ? { "last-event-id": String(eventIds.at(-1)) } : {}),
        },
        signal: stopped.signal,
      });
      connections += 1;
      if (reply.status !== 200) refused.push(reply.status);
      let unread = "";
      for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
        unread += Buffer.from(chunk).toString();
        for (let end = unread.indexOf("\n\n"); end >= 0; end = unread.indexOf("\n\n")) {
          const eventId = /^id: (\d+)$/m.exec(unread.slice(0, end))?.[1];
          if (eventId !== undefined) eventIds.push(Number(eventId));
          unread = unread.slice(end + 2);
        }
      }
    }
  })().catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error;
  });
  return {
    eventIds,
    refused,
    connections: () => connections,
    async stop() {
      stopped.abort();
      await following;
    },
  };
}

test("a rolling restart behind a load balancer fails no request, loses no call and no event, dials none twice and cuts none", async () => {
  const ids = await Promise.all(
    Array.from({ length: LIVE_CALLS }, () => placeCall(caller, SILENT_NUMBER, { simulation: { answerAfterMs: 0 } })),
  );
  for (const id of ids) await untilPhase(caller, id, "talking");
  const followed = ids.map(followCall);
  const clients = startClients();
  for (const turn of [0, 1] as const) {
    const leaving = apis[turn];
    leaving.child.kill("SIGTERM");
    await until(
      async () => leaving.child.exitCode,
      (code) => code !== null,
      60_000,
    );
    expect(leaving.child.exitCode).toBe(0);
    apis[turn] = await startApi(leaving.port);
    // As a deployment does: the other one leaves once the load balancer uses the new one.
    await until(
      () => countRequests(apis[turn]),
      (requests) => requests > 20,
      60_000,
    );
  }
  const next = await startWorker();
  worker.child.kill("SIGTERM");
  await until(
    async () => scene.query("select count(*)::int as n from workers where draining"),
    ([row]) => row?.["n"] === 1,
    30_000,
  );
  const later = await placeCall(caller, SILENT_NUMBER, { simulation: { answerAfterMs: 0 } });
  await untilPhase(caller, later, "talking");
  expect(worker.child.exitCode).toBeNull();
  for (const id of [...ids, later])
    await ask(caller.url, `/api/v1/calls/${id}/hangup`, { key: caller.key, method: "POST" });
  for (const id of [...ids, later])
    expect(await untilPhase(caller, id, "ended")).toMatchObject({ status: "completed", endReason: "api_hangup" });
  await until(
    async () => worker.child.exitCode,
    (code) => code !== null,
    60_000,
  );
  expect(worker.child.exitCode).toBe(0);
  await clients.stop();
  const counts = await calls.count();
  console.log(
    `rolling restart: ${clients.counts.answered} requests answered, ${clients.counts.failed.length} failed`,
    counts,
  );
  expect(clients.counts.failed).toEqual([]);
  expect(counts).toEqual({ accepted: calls.accepted, failed: 0, dialedTwice: 0, lost: 0, unknown: 0 });
  expect(counts.accepted).toBeGreaterThan(20);
  for (const [index, stream] of followed.entries()) {
    const events = (await ask(caller.url, `/api/v1/calls/${ids[index]}/events?limit=100`, { key: caller.key })).body
      .data;
    await until(
      async () => stream.eventIds.length,
      (count) => count >= events.length,
      30_000,
    );
    await stream.stop();
    expect(stream.eventIds).toEqual(events.map((_: unknown, at: number) => at + 1));
    expect(stream.refused).toEqual([]);
    expect(stream.connections()).toBeGreaterThan(1);
  }
  expect(await next.end("SIGTERM")).toEqual({ code: 0, signal: null });
});
