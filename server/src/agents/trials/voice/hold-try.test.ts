import type { Flow } from "@parley/contract/flow";
import type { TryVoiceEvent } from "@parley/contract/try-voice";
import { AudioTick } from "@parley/telephony/simulated-network/audio/audio-tick";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import type { LineEvent } from "@parley/voice/ports/line";
import { describe, expect, it } from "vitest";
import type { ConversationPlan } from "../../../speech/conversations/conversation-plan.ts";
import type { ConversationListener } from "../../../speech/conversations/conversation-thread.ts";
import { RunningTrial, type TryOrder } from "./hold-try.ts";

const ORDER: TryOrder = {
  tryId: "try_1",
  accountId: "acc_1",
  language: "en-US",
  variables: {},
  microphoneRateHz: 8000,
  flow: { schemaVersion: 1, variables: [], nodes: [] } as Flow,
};
const SECOND_BYTES = 16_000;

/** A try whose conversation is played by the test. */
async function openTry(planTry: () => Promise<ConversationPlan> = async () => ({}) as ConversationPlan) {
  const clock = createVirtualClock();
  const told: LineEvent[] = [];
  const events: TryVoiceEvent[] = [];
  const heard = { bytes: 0, overs: 0 };
  const begun = Promise.withResolvers<ConversationListener>();
  const held = new RunningTrial(
    {
      clock,
      tick: new AudioTick(clock),
      planTry,
      conversations: {
        ready: async () => undefined,
        begin(_plan, _media, listener) {
          begun.resolve(listener);
          return { tell: (event) => told.push(event), setRoundTripMs: () => undefined, endPolitely: () => undefined };
        },
      },
    },
    ORDER,
    {
      onEvent: (each) => events.push(each),
      onAudio: (bytes) => {
        heard.bytes += bytes.length;
      },
      onEnd: () => {
        heard.overs += 1;
      },
    },
  );
  await clock.advance(0);
  return { held, clock, told, events, heard, conversation: () => begun.promise };
}

describe("a try by voice", () => {
  it("begins when the agent is prepared, and from then on audio flows in real time", async () => {
    const { clock, conversation, told, events, heard } = await openTry();
    const listener = await conversation();
    await clock.advance(1000);
    expect(heard.bytes).toBe(0);
    listener.hear({ type: "prepared" });
    expect(told).toEqual([{ type: "answered" }]);
    expect(events).toEqual([{ type: "ready", sampleRateHz: 8000, secondsMax: 600 }]);
    await clock.advance(1000);
    expect(heard.bytes).toBe(SECOND_BYTES);
    listener.hear({ type: "finished" });
  });

  it("begins even when preparation takes long", async () => {
    const { clock, conversation, told } = await openTry();
    const listener = await conversation();
    await clock.advance(5000);
    expect(told).toEqual([{ type: "answered" }]);
    listener.hear({ type: "prepared" });
    expect(told).toHaveLength(1);
    listener.hear({ type: "finished" });
  });

  it("reports entries with times since its start, and finally why it ended", async () => {
    const { clock, conversation, events, heard } = await openTry();
    const listener = await conversation();
    await clock.advance(2000);
    listener.hear({ type: "prepared" });
    listener.hear({ type: "noted", entry: { type: "entered", nodeId: "hello", exit: "next", atMs: 2500 } });
    listener.hear({ type: "noted", entry: { type: "suppress" } });
    listener.hear({ type: "noted", entry: { type: "over", reason: "agent_hangup" } });
    listener.hear({ type: "finished" });
    expect(events.slice(1)).toMatchObject([
      { type: "node", nodeId: "hello", exit: "next" },
      { type: "suppressed" },
      { type: "ended", reason: "agent_hangup" },
    ]);
    expect(events[1]).toMatchObject({ atMs: expect.closeTo(500, -2) });
    await clock.advance(1000);
    expect(heard).toEqual({ bytes: 0, overs: 1 });
  });

  it("dials no one: a transfer fails", async () => {
    const { conversation, told, events } = await openTry();
    const listener = await conversation();
    listener.hear({ type: "prepared" });
    listener.hear({ type: "asked", request: { type: "transfer", transfer: { to: "+15550100001", how: "auto" } } });
    expect(events.at(-1)).toEqual({ type: "transfer", to: "+15550100001" });
    expect(told.at(-1)).toMatchObject({ type: "transfer_progressed", state: "failed" });
    listener.hear({ type: "finished" });
  });

  it("forwards keys, hang-ups and closed connections", async () => {
    const { held, conversation, told } = await openTry();
    const listener = await conversation();
    listener.hear({ type: "prepared" });
    held.command({ type: "press", keys: "1#" });
    held.command({ type: "hang_up" });
    expect(told.slice(1)).toEqual([{ type: "dtmf", key: "1" }, { type: "dtmf", key: "#" }, { type: "ended" }]);
    listener.hear({ type: "finished" });
  });

  it("ends after ten minutes", async () => {
    const { clock, conversation, told } = await openTry();
    const listener = await conversation();
    listener.hear({ type: "prepared" });
    await clock.advance(599_000);
    expect(told).toHaveLength(1);
    await clock.advance(1000);
    expect(told.at(-1)).toEqual({ type: "ended" });
    listener.hear({ type: "finished" });
  });

  it("that cannot be begun says why and is over", async () => {
    const { events, heard } = await openTry(async () => Promise.reject(new Error("the voice is gone")));
    expect(events).toMatchObject([{ type: "note", text: "the voice is gone" }, { type: "ended" }]);
    expect(heard.overs).toBe(1);
  });

  it("that was left before it began holds no conversation", async () => {
    const plan = Promise.withResolvers<ConversationPlan>();
    const { held, clock, events, heard } = await openTry(() => plan.promise);
    held.hangUp();
    plan.resolve({} as ConversationPlan);
    await clock.advance(10_000);
    expect(events).toEqual([{ type: "ended", reason: "callee_hangup" }]);
    expect(heard).toEqual({ bytes: 0, overs: 1 });
  });
});
