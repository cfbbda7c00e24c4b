import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readWav } from "@parley/audio/wav-reader";
import { type Bucket, openBucket } from "@parley/server/platform/storage/bucket";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, claimFirst, createKey, dataOf } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { type Caller, getCall, placeCall } from "../harness/calls.ts";
import { send } from "../harness/http-client.ts";
import { type ObjectStore, openObjectStore } from "../harness/object-store.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { loudness } from "../voice/held-calls.ts";

const SPEECH_RMS = 300;
const SECRET = "a-secret-of-the-installation-for-two-machines";
/** A callee who listens for some time and hangs up. */
const LISTENER = { answerAfterMs: 0, script: [{ waitMs: 4_000 }, { hangUp: true }] };

let world: ApiWorld;
let store: ObjectStore;
let bucket: Bucket;
let elsewhere: string;
let worker: ServiceProcess;
let api: ServiceProcess;
let caller: Caller;

// Two machines: one conducts the call, the other answers requests and has never seen its disk.
beforeAll(async () => {
  [world, store] = await Promise.all([openApiWorld(), openObjectStore()]);
  bucket = openBucket(store.settings);
  elsewhere = await mkdtemp(join(tmpdir(), "parley-elsewhere-"));
  const env = { ...store.env, PARLEY_SECRET: SECRET, PARLEY_LOG_LEVEL: "debug" };
  api = await world.start({ ...env, PARLEY_DATA_DIR: elsewhere });
  worker = await world.start({ ...env, PARLEY_ROLES: "api,calls,jobs", PARLEY_CONVERSATION_THREADS: "1" });
  const owner = await claimFirst(api);
  const { key } = await createKey(api.url, owner.cookie);
  const [agent] = dataOf(await send(api.url, { path: "/api/v1/agents", headers: byKey(key) })) as { id: string }[];
  caller = { url: api.url, key, agentId: agent?.id ?? "" };
}, 240_000);
afterAll(async () => {
  bucket?.close();
  await world?.close();
  await store?.close();
  if (elsewhere) await rm(elsewhere, { recursive: true, force: true });
});

const filesOf = (dataDir: string) => globSync("recordings/**/*.wav", { cwd: dataDir });

test("a call recorded on one machine is heard through another, by key and by link, until it is erased", async () => {
  const id = await placeCall(caller, "+15550100001", { simulation: LISTENER });
  const call = await until(
    () => getCall(caller, id),
    ({ phase, recording }) => phase === "ended" && recording?.status !== "recording",
    120_000,
  );
  expect(call.recording).toMatchObject({ status: "ready" });
  const key = `calls/${call.createdAt.slice(0, 10)}/${id}.wav`;
  await until(
    async () => [await bucket.measure(key), filesOf(world.dataDir).length],
    ([bytes, files]) => bytes !== null && files === 0,
    60_000,
  );
  const hear = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${caller.url}${path}`, { headers: { authorization: `Bearer ${caller.key}`, ...headers } });
  const whole = Buffer.from(await (await hear(call.recording.url)).arrayBuffer());
  const { channels } = readWav(whole);
  expect(channels[1]?.length).toBe(Math.round(call.recording.durationSeconds * 8_000));
  expect(loudness(channels[1] ?? new Int16Array(), 0, call.recording.durationSeconds * 1_000)).toBeGreaterThan(
    SPEECH_RMS,
  );
  const part = await hear(call.recording.url, { range: "bytes=1000-1999" });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 1000-1999/${whole.length}`]);
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(1_000, 2_000))).toBe(true);

  const link = (await ask(caller.url, `${call.recording.url}/link`, { key: caller.key, method: "POST" })).body.data;
  const linked = await fetch(link.url);
  expect(Buffer.from(await linked.arrayBuffer()).equals(whole)).toBe(true);

  await store.leave();
  expect((await hear(call.recording.url)).status).toBe(503);
  await store.comeBack();
  expect((await hear(call.recording.url, { range: "bytes=0-9" })).status).toBe(206);

  const erased = await ask(caller.url, `/api/v1/calls/${id}/data`, { key: caller.key, method: "DELETE" });
  expect(erased.body.data.recording.status).toBe("erased");
  await until(
    () => bucket.measure(key),
    (bytes) => bytes === null,
    60_000,
  );
  expect([(await hear(call.recording.url)).status, (await fetch(link.url)).status]).toEqual([404, 404]);
}, 300_000);

test("neither process has printed the key of the store or a link", () => {
  for (const { output } of [api, worker]) {
    expect(output()).not.toMatch(/rl_[\w-]{40}/);
    expect(output()).not.toContain('"secretAccessKey"');
  }
});
