import { samplesIn } from "@parley/audio/frame";
import { levelDbfsOf, peakOf } from "@parley/audio/level";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import type { CalleeVoice } from "./ports/callee-voice.ts";
import { createSimulatedNetwork } from "./simulated-network.ts";
import { fromMs } from "./testing/listen.ts";
import { agentSpeech, digestOf, openVirtualCall } from "./testing/virtual-call.ts";

const FRIENDLY = "+15550100001";
const SILENT = "+15550100009";
const NOISY = "+15550100012";

async function holdConversation(to: string, seed: number, seconds: number) {
  const recognizer = { understand: async () => "The weather is fine." };
  const call = await openVirtualCall(to, { seed, recognizer });
  for (let second = 0; second < seconds; second += 1) {
    if (second % 7 === 5) call.play(agentSpeech(2_500));
    await call.advance(1_000);
  }
  const digest = digestOf(call.heard());
  const heardMs = call.heard().length / 8;
  const events = [...call.events];
  await call.close();
  return { digest, heardMs, events };
}

describe("a leg with audio", () => {
  it("produces the same samples and events for the same seed, and others for another", async () => {
    const [first, again, other] = [
      await holdConversation(NOISY, 5, 30),
      await holdConversation(NOISY, 5, 30),
      await holdConversation(NOISY, 6, 30),
    ];
    expect(again).toEqual(first);
    expect(other.digest).not.toBe(first.digest);
  });

  it("holds a conversation of two minutes in virtual time, sample for sample", async () => {
    const startedMs = performance.now();
    const { heardMs, events } = await holdConversation(FRIENDLY, 1, 120);
    console.log(`two minutes of conversation took ${Math.round(performance.now() - startedMs)} ms`);
    expect(heardMs).toBe(120_000 - 300 + 20);
    expect(events.map(({ type }) => type)).toEqual(["ringing", "early_media", "answered"]);
  });

  it("keeps both rings at the same position at every moment, and ends them with the leg", async () => {
    const clock = createVirtualClock();
    const network = createSimulatedNetwork({ clock });
    const leg = await network.place({ callId: "c", dialId: "d", to: SILENT, from: null });
    const [heard, played] = [new RingReader(leg.media.heard, 0), new RingReader(leg.media.played, 0)];
    for (let step = 0; step < 200; step += 1) {
      await clock.advance(17);
      expect(played.writtenPosition).toBe(heard.writtenPosition);
    }
    expect(heard.isEnded).toBe(false);
    await leg.hangup();
    heard.seek(heard.writtenPosition);
    played.seek(played.writtenPosition);
    expect([heard.isEnded, played.isEnded]).toEqual([true, true]);
    await network.close();
  });

  it("holds audio queued before the answer until then, and reports where it was played", async () => {
    const call = await openVirtualCall(SILENT);
    const queue = new PlayoutQueue(call.leg.media.playout);
    call.play(agentSpeech(1_000));
    await call.advanceUntil("answered");
    const answered = samplesIn((call.events.at(-1)?.atMs ?? 0) - 300);
    expect(peakOf(call.played().subarray(0, answered))).toBe(0);
    await call.advance(500);
    expect(queue.position).toBe(call.played().length);
    await call.advance(1_000);
    const speech = agentSpeech(1_000);
    const at = call.played().findIndex((sample) => sample !== 0);
    const first = speech.findIndex((sample) => sample !== 0);
    expect(at - first).toBe(answered);
    expect(call.played().slice(at, at + 4_000)).toEqual(speech.slice(first, first + 4_000));
    await call.close();
  });

  it("sends no audio while a key is pressed, and then continues with the queue", async () => {
    const call = await openVirtualCall(SILENT);
    await call.advanceUntil("answered");
    call.play(new Int16Array(samplesIn(1_000)).fill(5_000));
    await call.advance(200);
    call.leg.sendDtmf("5");
    await call.advance(2_000);
    const played = call.played();
    expect(played.filter((sample) => sample === 5_000)).toHaveLength(samplesIn(1_000));
    expect(played.lastIndexOf(5_000) - played.indexOf(5_000)).toBeGreaterThan(samplesIn(1_120));
    await call.close();
  });

  it("refuses keys that no telephone has, and ignores keys before the answer", async () => {
    const call = await openVirtualCall(SILENT);
    expect(() => call.leg.sendDtmf("12x")).toThrow(RangeError);
    call.leg.sendDtmf("1");
    expect(await call.leg.statistics()).toBeNull();
    await call.close();
  });

  it("counts sent and received packets, also after the end", async () => {
    const call = await openVirtualCall(SILENT);
    await call.advanceUntil("answered");
    await call.advance(2_000);
    await call.leg.hangup();
    const statistics = await call.leg.statistics();
    expect(statistics).toMatchObject({ packetsLost: 0, jitterMs: 0, roundTripMs: 0 });
    expect(statistics?.packetsSent).toBeGreaterThan(95);
    expect(statistics?.packetsReceived).toBe(statistics?.packetsSent);
    expect(statistics?.mos).toBeGreaterThan(4.3);
    await call.advance(1_000);
    expect(await call.leg.statistics()).toEqual(statistics);
    await call.close();
  });

  it("ends as lost when its callee fails, and the others of the network do not notice", async () => {
    const clock = createVirtualClock();
    const observer = {
      heard(dialId: string) {
        if (dialId === "bad") throw new Error("a fault at the far end");
      },
      keyHeard: () => undefined,
    };
    const network = createSimulatedNetwork({ clock, observer });
    for (const dialId of ["bad", "good"]) await network.place({ callId: "c", dialId, to: SILENT, from: null });
    await clock.advance(5_000);
    const [bad, good] = network.dialed();
    expect(bad?.end).toMatchObject({ cause: "lost", reason: expect.stringContaining("a fault at the far end") });
    expect(good?.states.at(-1)?.name).toBe("talking");
    await network.close();
  });

  it("ticks all legs of a network by one timer", async () => {
    const clock = createVirtualClock();
    const network = createSimulatedNetwork({ clock });
    for (const dialId of ["a", "b", "c"]) await network.place({ callId: "c", dialId, to: SILENT, from: null });
    await clock.advance(5_000);
    // One for the audio, and one per leg that ends it after two hours.
    expect(clock.pendingTimers()).toBe(4);
    await network.close();
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe("the voice of a callee", () => {
  function slowVoice(clock: ReturnType<typeof createVirtualClock>, lineMs: number): CalleeVoice {
    return {
      render: (text) =>
        new Promise((resolve) => {
          clock.setTimer(lineMs, () => resolve(new Int16Array(samplesIn(40 * text.length)).fill(7_000)));
        }),
    };
  }

  it("is rendered before it answers, and plays what was rendered", async () => {
    const clock = createVirtualClock();
    const voice = slowVoice(clock, 10);
    const call = await openVirtualCall(FRIENDLY, { clock, voice });
    await call.advanceUntil("answered");
    expect(clock.now()).toBeLessThan(3_500);
    await call.advance(2_000);
    expect(call.heard().filter((sample) => Math.abs(sample - 7_000) < 200).length).toBeGreaterThan(samplesIn(200));
    await call.close();
  });

  it("delays the answer a little when it is slow, and causes babble when it takes too long", async () => {
    const clock = createVirtualClock();
    const call = await openVirtualCall(FRIENDLY, { clock, voice: slowVoice(clock, 2_500) });
    await call.advanceUntil("answered");
    expect(call.events.find(({ type }) => type === "answered")?.atMs).toBe(6_300);
    await call.advance(1_000);
    expect(levelDbfsOf(fromMs(call.heard(), 6_300))).toBeGreaterThan(-40);
    await call.close();
  });

  it("causes a short pause when a line is not ready at its turn", async () => {
    const clock = createVirtualClock();
    const call = await openVirtualCall(FRIENDLY, { clock, voice: slowVoice(clock, 800) });
    await call.advanceUntil("answered");
    expect(call.events.find(({ type }) => type === "answered")?.atMs).toBe(6_300);
    await call.advance(1_000);
    call.play(agentSpeech(1_500));
    const start = call.heard().length;
    await call.advance(5_000);
    const said = call
      .heard()
      .subarray(start)
      .findIndex((sample) => Math.abs(sample - 7_000) < 200);
    expect(said).toBeGreaterThan(samplesIn(1_500 + 700));
    await call.close();
  });

  it("is taken from the plan, and machines keep their own", async () => {
    const asked = new Set<string>();
    const voice: CalleeVoice = {
      async render(_, name) {
        asked.add(name);
        return new Int16Array(800);
      },
    };
    const call = await openVirtualCall("+15550100018", { voice }, { voice: "deep" });
    await call.advanceUntil("answered");
    expect([...asked].sort()).toEqual(["deep", "machine"]);
    await call.close();
  });

  it("takes no time on a virtual clock that is held for it", async () => {
    const clock = createVirtualClock();
    const voice: CalleeVoice = {
      render: (text) =>
        clock.holdFor(
          new Promise((resolve) => {
            setTimeout(() => resolve(new Int16Array(samplesIn(40 * text.length)).fill(7_000)), 1);
          }),
        ),
    };
    const call = await openVirtualCall(FRIENDLY, { clock, voice });
    await call.advanceUntil("answered");
    expect(call.events.find(({ type }) => type === "answered")?.atMs).toBe(3_300);
    await call.close();
  });
});
