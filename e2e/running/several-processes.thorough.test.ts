import { query } from "@parley/server/platform/database/embedded/testing/embedded-scene";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, getCall, placeCall, SILENT_NUMBER, untilPhase } from "../harness/calls.ts";
import { listenIn } from "../harness/listen-in.ts";
import { startOwnPostgres } from "../harness/own-postgres.ts";
import { exitOf, Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";
import { openTrySocket, tryByVoice } from "../voice/try-by-voice.ts";

const SLOTS = 2;
const AT_ONCE = { simulation: { answerAfterMs: 0 } };

/** One question. A light voice speaks immediately, so that nothing has to be rendered ahead. */
const QUESTION = {
  schemaVersion: 1,
  settings: { voice: "slt", disclosure: null },
  nodes: [
    { id: "start", type: "start", next: "coming" },
    {
      ...{ id: "coming", type: "ask", text: "Will you come on Tuesday?", answer: "yes_no", saveAs: "coming" },
      ...{ exits: [], next: "bye", otherwise: "bye" },
    },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
};

let scene: Scene;
let databaseUrl: string;
let apis: [ServiceProcess, ServiceProcess];
let workers: [ServiceProcess, ServiceProcess];
let callers: [Caller, Caller];

const startWorker = (env: Readonly<Record<string, string>> = {}) =>
  scene.startRole("calls", { env: { DATABASE_URL: databaseUrl, PARLEY_CALL_SLOTS: String(SLOTS), ...env } });
const startApi = () => scene.start({ env: { DATABASE_URL: databaseUrl, PARLEY_ROLES: "api" } });
const hangUp = ({ url, key }: Caller, id: string) => ask(url, `/api/v1/calls/${id}/hangup`, { key, method: "POST" });

/** How many live calls each worker conducts now, fewest first. */
const shares = async () =>
  (
    await query(
      databaseUrl,
      "select count(*)::int as n from call_runs where ended_at is null group by worker_id order by 1",
    )
  ).map(({ n }) => n);

beforeAll(async () => {
  scene = await Scene.open("none");
  const own = await startOwnPostgres(scene.folder);
  await own.administer("create role parley login password 'of-a-test'", "create database parley owner parley");
  databaseUrl = `postgresql://parley:of-a-test@127.0.0.1:${own.port}/parley`;
  const first = await startApi();
  const { key, agentId } = await readFirstRun(first);
  const [second, ...started] = await Promise.all([startApi(), startWorker(), startWorker()]);
  apis = [first, second];
  workers = started;
  callers = [
    { url: first.url, key, agentId },
    { url: second.url, key, agentId },
  ];
});
afterAll(() => scene?.close());

test("calls placed at either api are shared by both workers, and either api hangs them up", async () => {
  const [one, two] = callers;
  const ids = await Promise.all([one, two, one, two].map((caller) => placeCall(caller, SILENT_NUMBER, AT_ONCE)));
  for (const id of ids) await untilPhase(one, id, "talking");
  expect(await shares()).toEqual([SLOTS, SLOTS]);
  // No slot is free anywhere, so a fifth waits although the account could have it.
  const fifth = await placeCall(two, SILENT_NUMBER, AT_ONCE);
  expect(await getCall(one, fifth)).toMatchObject({ phase: "queued" });
  for (const [index, id] of ids.entries()) await hangUp(index % 2 === 0 ? two : one, id);
  for (const id of ids)
    expect(await untilPhase(two, id, "ended")).toMatchObject({ status: "completed", endReason: "api_hangup" });
  await untilPhase(one, fifth, "talking");
  await hangUp(two, fifth);
  await untilPhase(one, fifth, "ended");
});

test("each api lets people listen in on a call that another process conducts, both hear the same, and hear its end", async () => {
  const [one, two] = callers;
  // A callee who answers immediately, and says so.
  const id = await placeCall(one, "+15550100001", AT_ONCE);
  await untilPhase(two, id, "talking");
  const listeners = await Promise.all([one, two].map(({ url, key }) => listenIn(url, id, key)));
  await until(
    async () => listeners.map((listener) => listener.sides().callee),
    (heard) => heard.every((callee) => callee.length > 8000 && callee.some((sample) => Math.abs(sample) > 1000)),
    30_000,
  );
  for (const listener of listeners)
    expect(listener.announced()).toEqual({ sampleRateHz: 8000, channels: 2, encoding: "pcm_s16le" });
  await hangUp(two, id);
  for (const listener of listeners) expect(await listener.ended).toBe("1000 the call is over");
  const [left, right] = listeners.map((listener) => listener.sides());
  expect(left?.agent.length).toBe(left?.callee.length);
  const shorter = Math.min(left?.callee.length ?? 0, right?.callee.length ?? 0) - 1600;
  expect(left?.callee.slice(-shorter)).toEqual(right?.callee.slice(-shorter));
  const refused = await ask(one.url, `/api/v1/calls/${id}/listen`, { key: one.key });
  expect([refused.status, refused.body.error.code]).toEqual([409, "invalid_state"]);
});

test("an agent is tried by voice through an api, run by a worker that talks, one try at a time over all apis", async () => {
  const [one, two] = callers;
  const talker = await startWorker({ PARLEY_CONVERSATION_THREADS: "1" });
  const open = await startTry(one);
  expect((await tryByVoice(two.url, byKey(two.key), two.agentId, [])).closed).toBe("never opened");
  open.socket.close();
  const { events, heardSeconds, closed } = await until(
    () => tryByVoice(two.url, byKey(two.key), two.agentId, ["Yes, I will come."], { flow: QUESTION }),
    (tried) => tried.closed !== "never opened",
    120_000,
  );
  expect(events.flatMap((each) => (each.type === "node" ? [each.nodeId] : []))).toEqual(["start", "coming", "bye"]);
  expect(events).toContainEqual({ type: "collected", name: "coming", value: true });
  expect(events.at(-1)).toEqual({ type: "ended", reason: "agent_hangup" });
  expect(heardSeconds).toBeGreaterThan(3);
  expect(closed).toBe("1000 the conversation is over");
  const cut = await startTry(one);
  await talker.end("SIGKILL");
  expect(await cut.closed).toBe("1011 the process that held the conversation is gone");
});

test("workers are replaced one by one while calls continue, and none is cut", async () => {
  const [one] = callers;
  const cut: string[] = [];
  for (const turn of [0, 1] as const) {
    const live = await Promise.all(
      [1, 2, 3, 4].map(() => placeCall(one, SILENT_NUMBER, { ...AT_ONCE, maxDurationSeconds: 12 })),
    );
    for (const id of live) await untilPhase(one, id, "talking");
    const leaving = workers[turn];
    leaving.child.kill("SIGTERM");
    await until(
      async () => leaving.output(),
      (output) => output.includes('"msg":"stopping"'),
      10_000,
    );
    const next = await startWorker();
    const later = await placeCall(one, SILENT_NUMBER, AT_ONCE);
    await untilPhase(one, later, "talking");
    expect(leaving.child.exitCode).toBeNull();
    expect(await exitOf(leaving)).toBe(0);
    for (const id of live) {
      const { endReason } = await untilPhase(one, id, "ended");
      if (endReason !== "max_duration") cut.push(`${id} ${endReason}`);
    }
    await hangUp(one, later);
    await untilPhase(one, later, "ended");
    workers[turn] = next;
  }
  expect(cut).toEqual([]);
});

test("when the worker of a call is killed, listeners are notified, and the other worker ends the call", async () => {
  const [one, two] = callers;
  const id = await placeCall(one, SILENT_NUMBER, AT_ONCE);
  await untilPhase(one, id, "talking");
  const listener = await listenIn(two.url, id, two.key);
  const [row] = await query(
    databaseUrl,
    `select w.internal_url from call_runs r join workers w on w.id = r.worker_id where r.call_id = '${id}'`,
  );
  const holder = await holderOf(String(row?.["internal_url"]));
  const others = workers.filter((worker) => worker !== holder);
  // They would end the call immediately.
  for (const { child } of others) child.kill("SIGSTOP");
  await holder.end("SIGKILL");
  expect(await listener.ended).toBe("1011 the process that conducted the call is gone");
  const refused = await ask(one.url, `/api/v1/calls/${id}/listen`, { key: one.key });
  expect([refused.status, refused.body.error.code]).toEqual([503, "unavailable"]);
  expect(refused.body.error.message).toContain("The process that conducts the call cannot be reached.");
  for (const { child } of others) child.kill("SIGCONT");
  expect(await untilPhase(two, id, "ended")).toMatchObject({ status: "failed", endReason: "worker_lost" });
});

test("all of them end with 0, without workers a try is refused with a message, and the external database keeps running", async () => {
  const isLeft = ({ child }: ServiceProcess) => child.exitCode === null && child.signalCode === null;
  expect(workers.filter(isLeft)).toHaveLength(1);
  for (const { end } of workers.filter(isLeft)) expect(await end("SIGTERM")).toEqual({ code: 0, signal: null });
  const [one] = callers;
  const { events } = await tryByVoice(one.url, byKey(one.key), one.agentId, [], { flow: QUESTION });
  expect(events).toEqual([
    { type: "refused", code: "unavailable", message: "No process that holds conversations can be reached." },
  ]);
  for (const { end } of apis) expect(await end("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(await query(databaseUrl, "select 1 as up")).toEqual([{ up: 1 }]);
});

/** Starts a try, and waits until someone is on the line. */
async function startTry({ url, key, agentId }: Caller): Promise<{ socket: WebSocket; closed: Promise<string> }> {
  const socket = openTrySocket(url, byKey(key), agentId);
  const closed = new Promise<string>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => resolve(`${code} ${reason}`));
  });
  const ready = new Promise<string>((resolve) => {
    socket.addEventListener("open", () =>
      socket.send(JSON.stringify({ type: "start", sampleRateHz: 8000, flow: QUESTION })),
    );
    socket.addEventListener("message", ({ data }) => {
      if (/"type":"(ready|refused)"/.test(String(data))) resolve(String(data));
    });
  });
  expect(await Promise.race([ready, closed])).toContain('"ready"');
  return { socket, closed };
}

/** The worker that listens at this address. */
async function holderOf(internalUrl: string): Promise<ServiceProcess> {
  for (const worker of workers) if (worker.output().includes(`"internalUrl":"${internalUrl}"`)) return worker;
  throw new Error(`nobody listens at ${internalUrl}`);
}
