import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { makeId } from "@parley/contract/ids";
import { NODE_CASES } from "@parley/flow/testing/every-node";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import { createCascadeEngine } from "@parley/voice/engine/cascade-engine";
import { createFakeLanguageModel } from "@parley/voice/fakes/fake-language-model";
import { createFakeSpeechRecognizer } from "@parley/voice/fakes/fake-speech-recognizer";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { createFakeVoiceActivityDetector } from "@parley/voice/fakes/fake-voice-activity-detector";
import { MarkedSpeech } from "@parley/voice/fakes/marked-speech";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { writeAheadOnce } from "../../phone/carriers/open-carriers.ts";
import { checkInvariants } from "../../platform/checks/check-invariants.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createOutboundHttp, type OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";
import { makePolicy, PUBLIC_PORTS } from "../../platform/outbound-http/outbound-policy.ts";
import { createLog } from "../../platform/telemetry/log.ts";
import { createToolCaller } from "../../speech/conversations/call-tool.ts";
import type { ConversationEvent } from "../../speech/conversations/conversation-messages.ts";
import type { ConversationPlan } from "../../speech/conversations/conversation-plan.ts";
import type { Conversations } from "../../speech/conversations/conversation-pool.ts";
import { type ConversationMakers, HeldConversation } from "../../speech/conversations/held-conversation.ts";
import { createFloor } from "../../speech/conversations/line-floor.ts";
import { readPlan } from "../../speech/conversations/read-plan.ts";
import type { CallRow } from "../call-record.ts";
import { registerWorker } from "./lease/lease-store.ts";
import { CallRun } from "./run.ts";
import { setScene } from "./testing/call-scene.ts";
import { claimCalls } from "./worker/worker.ts";

let t: TestDatabase;
let web: Server;
let outbound: OutboundHttp;
let toolUrl: string;
const requests: string[] = [];
const worker = makeId("worker");

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 1_000);
  web = createServer((request, reply) => {
    requests.push(request.url ?? "");
    reply.setHeader("content-type", "application/json").end(`{"day":"Monday"}`);
  }).listen(0, "127.0.0.1");
  await once(web, "listening");
  toolUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}/act`;
  outbound = createOutboundHttp({ policy: makePolicy({ allow: ["loopback"], deny: [], ports: PUBLIC_PORTS }) });
});
afterAll(async () => {
  outbound.close();
  web.close();
  await t.close();
});

/**
 * The agents of a worker, in this thread and with the flow of each call: everything is real except audio and its
 * models.
 */
function openAgents(clock: VirtualClock, flowOf: (callId: string) => ConversationPlan["flow"]) {
  const model = createFakeLanguageModel();
  const synthesizer = createFakeSpeechSynthesizer();
  const engine = createCascadeEngine({
    clock,
    synthesizer,
    vad: createFakeVoiceActivityDetector(),
    recognizer: createFakeSpeechRecognizer(new MarkedSpeech()),
  });
  const acts: ConversationEvent[] = [];
  const conversations: Conversations = {
    ready: async () => undefined,
    begin(plan, media, listener) {
      const held = new HeldConversation(media, createFloor(), (event) => {
        if (event.type === "asked" && event.request.type !== "hang_up") acts.push(event);
        if (event.type === "noted" && event.entry.type !== "over") acts.push(event);
        queueMicrotask(() => listener.hear(event));
      });
      const parts = {
        models: [model],
        ranker: null,
        timers: clock,
        toolCallerFor: () => ({
          ...createToolCaller({ outbound, callId: plan.callId, secrets: [], nowMs: () => 0 }),
          close: async () => undefined,
        }),
      };
      const makers: ConversationMakers = { engine, readPlan: (...read) => readPlan(parts, ...read) };
      void held.hold(makers, plan, listener.mayDial);
      return held;
    },
  };
  const talk = {
    conversations,
    recorder: { folder: "/nowhere", record: () => expect.fail("a call that nobody answered is recorded") },
    planTalk: async ({
      id,
      phone_number: phoneNumber,
      mode,
      variables,
      voicemail,
    }: CallRow): Promise<ConversationPlan> => ({
      callId: id,
      flow: flowOf(id),
      language: "en-US",
      voiceId: "low",
      variables,
      voicemail,
      call: { id, phoneNumber, from: null, mode, startedAtMs: 0, timeZone: "UTC", isRecorded: true },
    }),
    mayDial: async () => ({ isAllowed: true }) as const,
  };
  return { talk, acts, model, synthesizer, close: () => engine.close() };
}

const FATES: readonly {
  readonly fate: string;
  readonly number: string;
  readonly endReason: string;
  readonly isCanceled?: true;
}[] = [
  { fate: "busy", number: "+15550100002", endReason: "busy" },
  { fate: "no answer", number: "+15550100003", endReason: "no_answer" },
  { fate: "declined", number: "+15550100004", endReason: "declined" },
  { fate: "an invalid number", number: "+15550100005", endReason: "invalid_number" },
  { fate: "a carrier that is down", number: "+15550100006", endReason: "carrier_unavailable" },
  { fate: "canceled while it rings", number: "+15550100003", endReason: "canceled", isCanceled: true },
];

test.each(FATES)(
  "$fate: whatever the flow begins with, nothing of it happens",
  async ({ number, endReason, isCanceled }) => {
    const clock = createVirtualClock();
    const network = createSimulatedNetwork({ clock, audio: false });
    const scene = await setScene(t.db, { concurrencyMax: 1_000 });
    const cases = new Map<string, (typeof NODE_CASES)[number]>();
    for (const each of NODE_CASES) cases.set(await scene.place("test", { phoneNumber: number }), each);
    const agents = openAgents(clock, (callId) => cases.get(callId)?.flow(toolUrl) ?? expect.fail("an unknown call"));
    const claimed = await claimCalls(t.db, worker, NODE_CASES.length);
    expect(claimed.map(({ call }) => call.id).sort()).toEqual([...cases.keys()].sort());
    const runs = claimed.map(
      ({ call }) =>
        new CallRun(
          {
            db: t.db,
            clock,
            talk: agents.talk,
            log: createLog("silent"),
            monotonicMs: () => clock.now(),
            chooseCarrier: () => writeAheadOnce(network),
            askGate: async (asked) => ({ decision: "allowed", call: asked }),
          },
          { call, sendInMs: 0, listAndCredit: null },
        ),
    );
    const read = () => run<CallRow>(t.db, "select * from calls where id = any($1)", [[...cases.keys()]]);
    const until = async (isSo: (row: CallRow) => boolean) => {
      for (let step = 0; step < 600; step += 1) {
        const rows = await read();
        if (rows.every(isSo)) return rows;
        await clock.advance(500);
      }
      throw new Error(`never as wanted: ${(await read()).map(({ state }) => state).join(" ")}`);
    };
    if (isCanceled) {
      await until(({ state }) => state === "ringing");
      for (const each of runs) each.dispatch({ type: "hangup.requested" });
    }
    const rows = await until(({ state }) => state === "ended");
    await Promise.all(runs.map(({ finished }) => finished));
    await agents.close();
    await network.close();

    for (const row of rows) {
      const name = cases.get(row.id)?.name;
      expect([name, row.status, row.end_reason]).toEqual([name, "failed", endReason]);
      expect([name, row.answered_at, row.collected, row.answered_by, row.latency]).toEqual([
        name,
        null,
        null,
        null,
        null,
      ]);
    }
    // What the phone rang for was prepared, or this says nothing about flows.
    expect(agents.synthesizer.requests.length).toBeGreaterThan(0);
    expect(agents.acts).toEqual([]);
    expect(agents.model.requests).toEqual([]);
    expect(requests).toEqual([]);
    const items = await run(t.db, "select item from transcript_items where call_id = any($1)", [[...cases.keys()]]);
    expect(items).toEqual([]);
    expect((await checkInvariants(t.db)).results.flatMap(({ violations }) => violations)).toEqual([]);
  },
);
