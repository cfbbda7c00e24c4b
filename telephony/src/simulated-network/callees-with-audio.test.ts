import { FAX_CALLING } from "@parley/audio/call-signals";
import { CallProgressDetector } from "@parley/audio/detect/call-progress-detector";
import { DtmfDetector } from "@parley/audio/detect/dtmf-detector";
import { dtmfSignal } from "@parley/audio/dtmf";
import { framesOf, samplesIn } from "@parley/audio/frame";
import { levelDbfsOf, peakOf } from "@parley/audio/level";
import { renderSignal } from "@parley/audio/signal";
import { afterEach, describe, expect, it } from "vitest";
import type { SimulatedCalleePlan } from "../carrier.ts";
import { bestCorrelation } from "../rtp/testing/best-correlation.ts";
import { speechDurationMs } from "./audio/syllables.ts";
import { ANNOUNCING_LINE, HOURS_LINE, MENU_LINE, SCREENING_LINE, VOICEMAIL_GREETING } from "./callees/machines.ts";
import { fromMs, loudStretches, signsIn } from "./testing/listen.ts";
import { agentSpeech, openVirtualCall, type VirtualCall } from "./testing/virtual-call.ts";

/** The audio of the callees of the table: by the last digits of the number, on a clock that the test advances. */
describe("a callee that is heard", () => {
  let call: VirtualCall;

  afterEach(async () => {
    await call.close();
    expect(call.clock.pendingTimers()).toBe(0);
  });

  async function answeredBy(digits: string, plan?: SimulatedCalleePlan): Promise<number> {
    call = await openVirtualCall(`+1555010${digits}`, {}, plan);
    expect(await call.advanceUntil("answered")).toBe(true);
    return answeredAtMs();
  }

  /** Where in the recordings the answer is. They begin with the ringing, 300 ms after the dial. */
  function answeredAtMs(): number {
    return (call.events.find(({ type }) => type === "answered")?.atMs ?? Number.NaN) - 300;
  }

  const heardFrom = (startMs: number, endMs?: number) => fromMs(call.heard(), startMs, endMs);

  it("plays ringing before it answers, as early media", async () => {
    const answerMs = await answeredBy("0001", { answerAfterMs: 8_000 });
    expect(call.events.map(({ type }) => type)).toEqual(["ringing", "early_media", "answered"]);
    const heard: string[] = [];
    const detector = new CallProgressDetector(({ progress }) => heard.push(progress));
    for (const frame of framesOf(fromMs(call.heard(), 0, answerMs))) detector.push(frame);
    expect(heard).toEqual(["ringing"]);
    expect(peakOf(call.played())).toBe(0);
  });

  it("0001 says hello after two rings, and answers after the agent has spoken", async () => {
    const answerMs = await answeredBy("0001");
    await call.advance(2_000);
    call.play(agentSpeech(3_000));
    const askedAtMs = call.heard().length / 8;
    await call.advance(6_000);
    const [hello, answer, ...others] = loudStretches(heardFrom(answerMs)).map(({ startMs }) => startMs + answerMs);
    expect(hello).toBeLessThan(answerMs + 500);
    expect(answer).toBeGreaterThan(askedAtMs + 3_000);
    expect(answer).toBeLessThan(askedAtMs + 4_500);
    expect(others).toEqual([]);
  });

  it("0001 hangs up on its own when no one speaks to it", async () => {
    await answeredBy("0001");
    expect(await call.advanceUntil("ended", 30_000)).toBe(true);
    expect(call.events.at(-1)).toMatchObject({ cause: "hangup", by: "callee" });
  });

  it("0007 says its greeting, beeps, and then listens in silence until it hangs up", async () => {
    const answerMs = await answeredBy("0007");
    await call.advance(12_000);
    expect(signsIn(heardFrom(answerMs))).toEqual(["beep 1000"]);
    const greetingEndsMs = answerMs + 500 + speechDurationMs(VOICEMAIL_GREETING);
    const sounds = loudStretches(heardFrom(answerMs), -45, 2_000);
    expect(sounds).toHaveLength(1);
    expect((sounds[0]?.endMs ?? 0) + answerMs).toBeGreaterThan(greetingEndsMs);
    await call.advanceUntil("ended", 40_000);
    expect(levelDbfsOf(fromMs(call.heard(), greetingEndsMs + 1_000))).toBeLessThan(-55);
    expect(call.events.at(-1)).toMatchObject({ cause: "hangup", by: "callee" });
  });

  it.each([
    ["sent as events", () => call.leg.sendDtmf("1")],
    ["played as audio", () => call.play(renderSignal(dtmfSignal("1"), 180))],
  ])("0008 continues with the branch of a key that is %s", async (_, press) => {
    const answerMs = await answeredBy("0008");
    await call.advance(speechDurationMs(MENU_LINE) + 1_500);
    press();
    await call.advanceUntil("ended", 20_000);
    const [menu, branch, ...others] = loudStretches(heardFrom(answerMs), -45, 1_000);
    expect((menu?.endMs ?? 0) - (menu?.startMs ?? 0)).toBeGreaterThan(speechDurationMs(MENU_LINE) - 1_000);
    expect((branch?.endMs ?? 0) - (branch?.startMs ?? 0)).toBeGreaterThan(speechDurationMs(HOURS_LINE) - 1_000);
    expect(others).toEqual([]);
    expect(call.events.at(-1)).toMatchObject({ cause: "hangup", by: "callee" });
  });

  it("0008 cuts its menu short when a key comes, and still says the whole branch", async () => {
    const answerMs = await answeredBy("0008");
    await call.advance(2_000);
    call.leg.sendDtmf("1");
    const pressedMs = call.heard().length / 8 - answerMs;
    await call.advanceUntil("ended", 20_000);
    const spokenMs = call.heard().length / 8 - answerMs - pressedMs;
    expect(spokenMs).toBeGreaterThan(speechDurationMs(HOURS_LINE));
    expect(spokenMs).toBeLessThan(speechDurationMs(HOURS_LINE) + 500);
  });

  it("0009 is heard as the noise of a line and nothing else", async () => {
    const answerMs = await answeredBy("0009");
    call.play(agentSpeech(2_000));
    await call.advance(20_000);
    const noise = heardFrom(answerMs);
    expect(levelDbfsOf(noise)).toBeGreaterThan(-70);
    expect(levelDbfsOf(noise)).toBeLessThan(-55);
    expect(loudStretches(noise, -52)).toEqual([]);
  });

  it("0010 speaks while we speak", async () => {
    const answerMs = await answeredBy("0010");
    await call.advance(2_000);
    const startMs = call.heard().length / 8;
    call.play(agentSpeech(6_000));
    await call.advance(6_000);
    const interruption = loudStretches(fromMs(call.heard(), startMs))[0];
    expect(interruption?.startMs).toBeGreaterThan(1_400);
    expect(interruption?.startMs).toBeLessThan(1_800);
    expect(startMs).toBeGreaterThan(answerMs);
  });

  it("0011 hangs up in the middle of our sentence", async () => {
    await answeredBy("0011");
    await call.advance(2_000);
    const startMs = call.heard().length / 8;
    call.play(agentSpeech(6_000));
    await call.advanceUntil("ended", 6_000);
    expect(call.events.at(-1)).toMatchObject({ type: "ended", cause: "hangup", by: "callee" });
    const spokenMs = call.heard().length / 8 - startMs;
    expect(spokenMs).toBeGreaterThan(1_400);
    expect(spokenMs).toBeLessThan(1_800);
  });

  it("0012 is noisy, loses audio and reports it in its statistics", async () => {
    const answerMs = await answeredBy("0012");
    for (const _ of [1, 2, 3, 4]) {
      call.play(agentSpeech(2_000));
      await call.advance(7_000);
    }
    expect(levelDbfsOf(heardFrom(answerMs + 1_500, answerMs + 2_400))).toBeGreaterThan(-45);
    const statistics = await call.leg.statistics();
    expect(statistics?.packetsLost).toBeGreaterThan(20);
    expect(statistics?.jitterMs).toBeGreaterThan(3);
    expect(statistics?.mos).toBeLessThan(4.2);
  });

  it("0013 is not heard at all, which is reported after three seconds and ends the call after thirty", async () => {
    const answerMs = await answeredBy("0013");
    await call.advanceUntil("ended", 60_000);
    expect(peakOf(heardFrom(answerMs))).toBe(0);
    const [missing, ended] = call.events.slice(-2).map(({ type, atMs }) => ({ type, sinceMs: atMs - answerMs - 300 }));
    expect(missing).toEqual({ type: "audio_missing", sinceMs: 3_000 });
    expect(ended).toEqual({ type: "ended", sinceMs: 30_000 });
    expect(call.events.at(-1)).toMatchObject({ cause: "media_timeout", by: "network" });
    expect(await call.leg.statistics()).toMatchObject({ packetsReceived: 0, mos: null });
  });

  it("0014 leaves long pauses inside its sentences", async () => {
    await answeredBy("0014");
    await call.advance(2_000);
    call.play(agentSpeech(1_500));
    await call.advance(8_000);
    const startMs = call.heard().length / 8 - 8_000;
    const parts = loudStretches(fromMs(call.heard(), startMs), -45, 500);
    // "Sorry, can ... you say ... that again?"
    expect(parts).toHaveLength(3);
    expect((parts[1]?.startMs ?? 0) - (parts[0]?.endMs ?? 0)).toBeGreaterThan(800);
  });

  it("0015 echoes our audio after exactly 180 ms, 18 dB quieter", async () => {
    const answerMs = await answeredBy("0015");
    await call.advance(2_000);
    call.play(agentSpeech(3_000));
    const start = call.heard().length;
    await call.advance(3_000);
    const [played, heard] = [call.played(), call.heard()];
    const count = samplesIn(2_000);
    const likeness = bestCorrelation(played, heard, { start: start + 800, count, lagMin: 0, lagMax: samplesIn(400) });
    expect(likeness.lagSamples).toBe(samplesIn(180));
    expect(likeness.correlation).toBeGreaterThan(0.9999);
    const sent = played.subarray(start + 800, start + 800 + count);
    const back = heard.subarray(start + 800 + samplesIn(180), start + 800 + samplesIn(180) + count);
    expect(levelDbfsOf(back) - levelDbfsOf(sent)).toBeCloseTo(-18, 1);
    expect(start).toBeGreaterThan(samplesIn(answerMs));
  });

  it("0016 says mhm while we speak, and its answer afterwards", async () => {
    await answeredBy("0016");
    await call.advance(2_000);
    const start = call.heard().length / 8;
    call.play(agentSpeech(5_000));
    await call.advance(8_000);
    const sounds = loudStretches(fromMs(call.heard(), start));
    expect(sounds.filter(({ endMs }) => endMs < 5_000).length).toBeGreaterThanOrEqual(3);
    expect(sounds.at(-1)?.startMs).toBeGreaterThan(5_600);
  });

  it("0017 plays music while we wait, and then speaks again", async () => {
    await answeredBy("0017");
    await call.advance(2_000);
    call.play(agentSpeech(1_500));
    const start = call.heard().length / 8;
    await call.advance(30_000);
    const sounds = loudStretches(fromMs(call.heard(), start), -45, 150);
    const music = sounds.filter(({ startMs, endMs }) => endMs - startMs > 10_000);
    expect(music).toHaveLength(1);
    expect((music[0]?.endMs ?? 0) - (music[0]?.startMs ?? 0)).toBeGreaterThan(19_500);
    expect(sounds.at(-1)?.startMs ?? 0).toBeGreaterThan(20_000);
  });

  it("0018 asks who is calling, makes us wait, and then a person says hello", async () => {
    const answerMs = await answeredBy("0018");
    await call.advance(10_000);
    call.play(agentSpeech(3_000));
    await call.advance(14_000);
    const [question, waiting, hello, ...others] = loudStretches(heardFrom(answerMs), -45, 500);
    expect((question?.endMs ?? 0) - (question?.startMs ?? 0)).toBeGreaterThan(speechDurationMs(SCREENING_LINE) - 500);
    // We are asked to wait and hear two seconds of ringing; after the pause of the ringing it is answered.
    const told = speechDurationMs(ANNOUNCING_LINE);
    expect((waiting?.endMs ?? 0) - (waiting?.startMs ?? 0)).toBeCloseTo(told + 2_000, -2);
    expect((hello?.startMs ?? 0) - (waiting?.endMs ?? 0)).toBeGreaterThan(4_000);
    expect(others).toEqual([]);
  });

  it("0019 answers as a fax does, and answers our own calling tone", async () => {
    const answerMs = await answeredBy("0019");
    await call.advance(7_500);
    expect(signsIn(heardFrom(answerMs))).toEqual(["fax.answered"]);
    call.play(renderSignal(FAX_CALLING, 1_000));
    await call.advance(5_000);
    expect(signsIn(heardFrom(answerMs + 7_500))).toEqual(["fax.answered"]);
  });

  it("says what its script says, when it is its turn, and presses keys that are heard and reported", async () => {
    const script = [{ say: "Hello there." }, { say: "Yes." }, { press: "19#" }, { hangUp: true }] as const;
    const answerMs = await answeredBy("0002", { answerAfterMs: 0, script });
    await call.advance(2_000);
    call.play(agentSpeech(2_000));
    await call.advanceUntil("ended", 20_000);
    expect(call.events.filter(({ type }) => type === "dtmf")).toMatchObject([
      { key: "1", durationMs: 100 },
      { key: "9", durationMs: 100 },
      { key: "#", durationMs: 100 },
    ]);
    const keys: string[] = [];
    new DtmfDetector((event) => event.type === "key.pressed" && keys.push(event.key)).push(heardFrom(answerMs));
    expect(keys).toEqual(["1", "9", "#"]);
    expect(call.events.at(-1)).toMatchObject({ type: "ended", by: "callee" });
  });

  it.each(["?!", " ", "\u{1F4A5}"])("continues its script after a line without audio: %j", async (say) => {
    await answeredBy("0001", { answerAfterMs: 0, script: [{ say }, { press: "1" }, { hangUp: true }] });
    await call.advanceUntil("ended", 5_000);
    expect(call.events.map(({ type }) => type).slice(-2)).toEqual(["dtmf", "ended"]);
  });

  it("has the background noise that its plan requests", async () => {
    const loud = await answeredBy("0009", { answerAfterMs: 0, noise: 1 });
    await call.advance(5_000);
    expect(levelDbfsOf(heardFrom(loud + 20))).toBeCloseTo(-25, 0);
    await call.close();
    const none = await answeredBy("0009", { answerAfterMs: 0, noise: 0 });
    await call.advance(5_000);
    // The first frame is still ringing.
    expect(peakOf(heardFrom(none + 20))).toBe(0);
  });

  it("is still busy when a plan only says how its voice would be", async () => {
    call = await openVirtualCall("+15550100002", {}, { voice: "deep", noise: 0.5 });
    await call.advanceUntil("ended");
    expect(call.events).toMatchObject([{ type: "ended", cause: "busy" }]);
  });
});
