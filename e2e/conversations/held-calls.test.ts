import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, getCall, placeCall } from "../harness/calls.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";
import { fetchRecording, type HeldCall, holdCall, loudness, readHeld } from "./conversation-call.ts";

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;
let caller: Caller;

// A fresh installation, with its own voice and ears and nothing else: no key, no network.
beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataDir: folder.path, env: { PARLEY_CONVERSATION_THREADS: "1" } });
  caller = { url: service.url, ...(await readFirstRun(service)) };
});
afterAll(async () => {
  await service?.end("SIGINT");
  await folder?.remove();
});

const MOVES = {
  answerAfterMs: 300,
  script: [
    { say: "Hello?" },
    { say: "I would like to come another day." },
    { say: "On Friday, please." },
    { say: "At ten in the morning." },
    { say: "Yes, that is right." },
  ],
};

describe("an appointment that is moved, in a conversation of real sound", () => {
  let held: HeldCall;
  beforeAll(async () => {
    held = await holdCall(caller, "+15550100001", { simulation: MOVES });
  });

  test("takes the right branch over many turns and collects what was said", () => {
    const { call, speech } = held;
    expect(call).toMatchObject({
      status: "completed",
      endReason: "agent_hangup",
      endedBy: "agent",
      answeredBy: "human",
    });
    expect(call.collected).toMatchObject({ outcome: "moved", new_time: "10:00" });
    expect(new Date(String(call.collected?.["new_date"])).getUTCDay()).toBe(5);
    expect(speech.length).toBeGreaterThanOrEqual(8);
    expect(new Set(speech.map(({ role }) => role))).toEqual(new Set(["agent", "callee"]));
  });

  test("says on the record how quickly the agent answered, turn by turn", () => {
    const timed = held.speech.filter(({ timing }) => timing !== null);
    expect(held.call.latency?.turns).toBe(timed.length);
    expect(timed.length).toBeGreaterThanOrEqual(3);
    for (const { timing } of timed) expect(timing?.totalMs).toBeGreaterThan(0);
  });

  test("is recorded with the callee on the left and the agent on the right, at the times of the transcript", async () => {
    const { call, speech } = held;
    const { callee, agent } = await fetchRecording(caller, call.id);
    expect(call.recording).toMatchObject({ status: "ready", partial: false });
    expect(callee.length).toBe(agent.length);
    expect(callee.length / 8_000).toBeCloseTo(call.recording?.durationSeconds ?? 0, 1);
    for (const { role, startMs, endMs } of speech) {
      const [own, other] = role === "agent" ? [agent, callee] : [callee, agent];
      const heard = loudness(own, startMs, endMs);
      expect(heard, `${role} at ${startMs} ms`).toBeGreaterThan(300);
      expect(loudness(other, startMs, endMs), `the other side at ${startMs} ms`).toBeLessThan(heard / 4);
    }
  });

  test("can be read as text and shown as captions", async () => {
    const read = async (format: string) =>
      (await ask(caller.url, `/api/v1/calls/${held.call.id}/transcript?format=${format}`, { key: caller.key })).body;
    expect(await read("text")).toMatch(/^\[00:00\] Callee: /);
    expect((await read("vtt")).split("-->").length - 1).toBe(held.speech.length);
  });
});

describe.concurrent("other callees, all at once", () => {
  test("a friendly person is understood, and understands, without a script on either side", async () => {
    const { call, speech } = await holdCall(caller, "+15550100001");
    expect(call).toMatchObject({ status: "completed", answeredBy: "human", collected: { outcome: "confirmed" } });
    expect(speech.some(({ role }) => role === "callee")).toBe(true);
  });

  test("a voicemail gets the message that the call brought, after its tone", async () => {
    const voicemail = { action: "leave_message", message: "Please call us back about {{thing}}." };
    const { call, speech } = await holdCall(caller, "+15550100007", { voicemail, variables: { thing: "the parcel" } });
    expect(call).toMatchObject({ status: "completed", endReason: "voicemail_left", answeredBy: "voicemail" });
    expect(speech.at(-1)).toMatchObject({ role: "agent", heardText: "Please call us back about the parcel." });
  });

  test("a voicemail is hung up on where the call wants that", async () => {
    const { call } = await holdCall(caller, "+15550100007", { voicemail: { action: "hang_up" } });
    expect(call).toMatchObject({ endReason: "voicemail_hangup", answeredBy: "voicemail" });
  });

  test("who asks never to be called again is not, and nothing is recorded of who was not to be", async () => {
    const simulation = { answerAfterMs: 300, script: [{ say: "Hello?" }, { say: "Stop calling me." }] };
    const { call } = await holdCall(caller, "+15550100777", { simulation, record: false });
    expect(call).toMatchObject({ status: "completed", endedBy: "agent", recording: null });
    const again = await ask(caller.url, "/api/v1/calls", {
      key: caller.key,
      body: { phoneNumber: "+15550100777", agentId: caller.agentId, engine: "local" },
    });
    expect(again.body.error).toMatchObject({ code: "destination_not_allowed" });
    const gone = await ask(caller.url, `/api/v1/calls/${call.id}/recording`, { key: caller.key });
    expect(gone.body.error.code).toBe("not_found");
  });
});

test("what is said can be read while the call goes on, and a call that is hung up keeps it", async () => {
  const simulation = { answerAfterMs: 300, script: [{ say: "Hello?" }, { waitMs: 60_000 }] };
  const id = await placeCall(caller, "+15550100001", { simulation });
  const early = await until(
    () => readHeld(caller, id),
    ({ speech }) => speech.some(({ role }) => role === "agent"),
    40_000,
  );
  expect(early.call).toMatchObject({ phase: "talking", transcript: { status: "in_progress" } });
  expect(early.call.recording).toMatchObject({ status: "recording" });
  await ask(caller.url, `/api/v1/calls/${id}/hangup`, { key: caller.key, method: "POST" });
  await until(
    () => getCall(caller, id),
    ({ phase, recording }) => phase === "ended" && recording.status === "ready",
    20_000,
  );
  const late = await readHeld(caller, id);
  expect(late.call).toMatchObject({ endReason: "api_hangup", transcript: { status: "ready" } });
  expect(late.items.length).toBeGreaterThanOrEqual(early.items.length);
});
