import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { describeHeld, fetchRecording, loudness } from "./held-calls.ts";
import { agentSaid, type Conversations, holdConversations, UNWANTED, weekdayOf } from "./hold-conversations.ts";

// What only real speech can show, and one call of each kind of callee. The others are in conversations.long.test.ts, and all of
// them on the virtual clock in server/src/calls/runs/simulated-calls.test.ts.
const CALLS = ["movesAppointment", "interrupts", "badLine", "dictates", "voicemail", "unwanted"] as const;
/** Speech is far louder than the noise of the lines that are not noisy. */
const SPEECH_RMS = 300;

let conversations: Conversations<(typeof CALLS)[number]>;
let held: typeof conversations.held;
let caller: typeof conversations.caller;

beforeAll(async () => {
  conversations = await holdConversations(CALLS);
  ({ held, caller } = conversations);
}, 600_000);
afterAll(() => conversations?.close());

describe("a call with real speech", () => {
  test("moves an appointment in at least six turns, and what was said is collected", () => {
    const { call, speech } = held.movesAppointment;
    expect(call.collected, describeHeld(held.movesAppointment)).toMatchObject({ outcome: "moved", new_time: "10:00" });
    expect(weekdayOf(call.collected?.["new_date"])).toBe(5);
    expect(speech.length).toBeGreaterThanOrEqual(6);
    expect(agentSaid(held.movesAppointment)).toContain("Friday");
  });

  test("records a phone number that is said in groups, with pauses", () => {
    expect(held.dictates.call.collected, describeHeld(held.dictates)).toMatchObject({ number: "5550100123" });
  });

  test.each(["interrupts", "badLine"] as const)("continues until the callee has answered: a callee who %s", (name) => {
    const { call } = held[name];
    expect(call, describeHeld(held[name])).toMatchObject({ status: "completed", answeredBy: "human" });
    expect(call.collected, describeHeld(held[name])).toMatchObject({ outcome: "confirmed" });
  });

  test("lets a callee who interrupts speak", () => {
    const { call, speech } = held.interrupts;
    expect(call.latency?.interruptions, describeHeld(held.interrupts)).toBeGreaterThanOrEqual(1);
    const cut = speech.find(({ role, interrupted }) => role === "agent" && interrupted);
    expect(cut?.heardText?.length).toBeLessThan(cut?.text.length ?? 0);
  });

  test("leaves the call's message on a voicemail, after its tone", () => {
    const { call, speech } = held.voicemail;
    expect(call, describeHeld(held.voicemail)).toMatchObject({
      status: "completed",
      endReason: "voicemail_left",
      answeredBy: "voicemail",
    });
    expect(speech.at(-1)).toMatchObject({ role: "agent", heardText: "Please call Ada back." });
  });
});

describe("what is stored about a call", () => {
  test("is its audio, the callee on the left and the agent on the right, at the times of the transcript", async () => {
    const { call, speech } = held.movesAppointment;
    const { callee, agent } = await fetchRecording(caller, call.id);
    expect(call.recording).toMatchObject({ status: "ready", partial: false });
    expect(callee.length).toBe(agent.length);
    expect(callee.length / 8_000).toBeCloseTo(call.recording?.durationSeconds ?? 0, 1);
    expect(callee.length / 8_000).toBeLessThanOrEqual((call.durationSeconds ?? 0) + 1);
    for (const { role, startMs, endMs } of speech) {
      const own = role === "agent" ? agent : callee;
      expect(loudness(own, startMs, endMs), `${role} at ${startMs} ms`).toBeGreaterThan(SPEECH_RMS);
    }
  });

  test("is what was said, in order, and how quickly each reply came", () => {
    for (const each of Object.values(held)) {
      const starts = each.items.map(({ startMs }) => startMs);
      expect(starts, describeHeld(each)).toEqual(starts.toSorted((one, other) => one - other));
    }
    const timed = held.movesAppointment.speech.filter(({ timing }) => timing !== null);
    expect(held.movesAppointment.call.latency?.turns).toBe(timed.length);
    expect(timed.length).toBeGreaterThanOrEqual(3);
    for (const { timing } of timed) {
      const stages = timing?.stages ?? [];
      expect(stages.map(({ stage }) => stage)).toContain("hold");
      expect(stages.reduce((sum, { ms }) => sum + ms, 0)).toBe(timing?.totalMs);
    }
  });

  test("can be read as text and shown as captions", async () => {
    const { call, speech } = held.movesAppointment;
    const read = async (format: string) =>
      (await ask(caller.url, `/api/v1/calls/${call.id}/transcript?format=${format}`, { key: caller.key })).body;
    expect(await read("text")).toMatch(/^\[00:0\d\] (Callee|Agent): /);
    expect((await read("vtt")).split("-->").length - 1).toBeGreaterThanOrEqual(speech.length);
  });
});

describe("a callee who wants no calls", () => {
  test("hears that there will be none, and is on the suppression list", async () => {
    expect(held.unwanted.call, describeHeld(held.unwanted)).toMatchObject({ status: "completed", endedBy: "agent" });
    const query = new URLSearchParams({ phoneNumber: UNWANTED });
    const { body } = await ask(caller.url, `/api/v1/suppressions?${query}`, { key: caller.key });
    expect(body.data).toMatchObject([{ phoneNumber: UNWANTED }]);
  });

  test("is not called again", async () => {
    const { agentId } = held.unwanted.call;
    const again = await ask(caller.url, "/api/v1/calls", {
      key: caller.key,
      body: { phoneNumber: UNWANTED, agentId, engine: "local" },
    });
    expect(again).toMatchObject({ status: 403, body: { error: { code: "destination_not_allowed" } } });
  });

  test("leaves no recording if none was requested", async () => {
    const { call } = held.unwanted;
    expect(call.recording).toBeNull();
    const gone = await ask(caller.url, `/api/v1/calls/${call.id}/recording`, { key: caller.key });
    expect(gone.body.error.code).toBe("not_found");
  });
});
