import { readWav } from "@parley/audio/wav-reader";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, getCall, placeCall, untilPhase } from "../harness/calls.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";
import { loudness } from "../voice/held-calls.ts";

const SAMPLES_PER_MS = 8;
const SPEECH_RMS = 300;
/** How much may be missing from the recording of a call whose worker was killed. */
const LOST_MS_MAX = 1_000;
/** A callee who answers immediately and then only listens. */
const LISTENER = { answerAfterMs: 0, script: [{ waitMs: 60_000 }, { hangUp: true }] };

let scene: Scene;
let api: ServiceProcess;
let caller: Caller;

beforeAll(async () => {
  scene = await Scene.open();
  api = await scene.start({ env: { PARLEY_ROLES: "api,jobs" } });
  caller = { url: api.url, ...(await readFirstRun(api)) };
});
afterAll(() => scene?.close());

test("the recording of a call whose worker was killed while it talked plays to within a second of that", async () => {
  const worker = await scene.startRole("calls", { env: { PARLEY_CONVERSATION_THREADS: "1" } });
  const id = await placeCall(caller, "+15550100001", { simulation: LISTENER });
  const { answeredAt } = await untilPhase(caller, id, "talking", 90_000);
  await until(
    async () => Date.now() - Date.parse(answeredAt),
    (talkedMs) => talkedMs > 4_000,
    30_000,
  );
  const killedAtMs = Date.now();
  await worker.end("SIGKILL");

  // Another worker finds the abandoned call; it need not be able to talk.
  await scene.startRole("calls");
  const call = await until(
    () => getCall(caller, id),
    ({ phase, recording }) => phase === "ended" && recording?.status !== "recording",
    60_000,
  );
  expect(call).toMatchObject({ endReason: "worker_lost", recording: { status: "ready", partial: true } });

  const reply = await fetch(`${caller.url}${call.recording.url}`, {
    headers: { authorization: `Bearer ${caller.key}` },
  });
  expect(reply.status).toBe(200);
  const [callee = new Int16Array(), agent = new Int16Array()] = readWav(
    new Uint8Array(await reply.arrayBuffer()),
  ).channels;
  const recordedMs = agent.length / SAMPLES_PER_MS;
  const talkedMs = killedAtMs - Date.parse(answeredAt);
  console.log(`talked ${talkedMs} ms until the kill, of which ${recordedMs} ms are recorded`);
  expect(callee.length).toBe(agent.length);
  expect(recordedMs).toBeGreaterThan(talkedMs - LOST_MS_MAX);
  expect(call.recording.durationSeconds).toBe(Math.round(recordedMs) / 1000);
  expect(loudness(agent, 0, recordedMs)).toBeGreaterThan(SPEECH_RMS);

  const peaks = (await ask(caller.url, `${call.recording.url}/peaks`, { key: caller.key })).body.data;
  expect(peaks.agent).toHaveLength(Math.ceil(recordedMs / 1000 / peaks.secondsPerPeak));
  expect(Math.max(...peaks.agent)).toBeGreaterThan(10);
}, 240_000);
