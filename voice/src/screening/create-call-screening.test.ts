import { FAX_ANSWER, SPECIAL_INFORMATION, VOICEMAIL_BEEP } from "@parley/audio/call-signals";
import { framesOf } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import { renderSignal } from "@parley/audio/signal";
import { renderVoice } from "@parley/audio/testing/hard-sounds";
import { describe, expect, it } from "vitest";
import type { ScreeningDecision } from "../ports/call-screening.ts";
import { createCallScreening } from "./create-call-screening.ts";
import { kindsOf } from "./testing/play-screening.ts";

/** A call whose audio and speech detection a test plays, in windows of 20 ms. Early audio came before the answer. */
function answerCall({ early, onDecision }: { early?: Int16Array; onDecision?: () => void } = {}) {
  const ring = createRing();
  const writer = new RingWriter(ring);
  writer.write(early ?? new Int16Array(0));
  const decisions: ScreeningDecision[] = [];
  const watch = createCallScreening().watch(ring, (decision) => {
    decisions.push(decision);
    onDecision?.();
  });
  const play = (samples: Int16Array, isSpeech: boolean) => {
    for (const frame of framesOf(samples)) {
      writer.write(frame);
      watch.hearWindow({ endMs: writer.position / 8, durationMs: 20, isSpeech });
    }
  };
  return { watch, decisions, play, positionMs: () => writer.position / 8 };
}

const silence = (ms: number) => new Int16Array(ms * 8);
const beep = renderSignal(VOICEMAIL_BEEP, 400);

describe("screening a call", () => {
  it("recognizes a human by a short hello", () => {
    const { play, decisions } = answerCall();
    play(renderVoice({ seed: 1, seconds: 1 }), true);
    play(silence(1_000), false);
    expect(kindsOf(decisions)).toEqual(["human"]);
  });

  it("recognizes a voicemail by its words and reports when it records", () => {
    const { play, watch, decisions, positionMs } = answerCall();
    play(renderVoice({ seed: 2, seconds: 4 }), true);
    watch.hearWords({ text: "Leave a message after the tone.", startMs: 0, endMs: positionMs() });
    play(silence(400), false);
    play(beep, false);
    play(silence(300), false);
    expect(kindsOf(decisions)).toEqual(["voicemail", "beep"]);
    expect(decisions[1]).toMatchObject({ atMs: expect.closeTo(4_800, -1.5) });
  });

  it("does not mistake a tone for speech, whatever speech detection says", () => {
    const { play, decisions } = answerCall();
    play(silence(500), false);
    play(renderSignal(VOICEMAIL_BEEP, 400), true);
    play(silence(32_000), false);
    expect(kindsOf(decisions)).toEqual(["unknown"]);
  });

  it("recognizes a fax and a number out of service by their tones", () => {
    const fax = answerCall();
    fax.play(renderSignal(FAX_ANSWER, 2_000), false);
    expect(kindsOf(fax.decisions)).toEqual(["fax"]);
    const outOfService = answerCall();
    outOfService.play(renderSignal(SPECIAL_INFORMATION.vacantCode, 1_100), false);
    outOfService.play(silence(300), false);
    expect(kindsOf(outOfService.decisions)).toEqual(["unknown", "unreachable"]);
  });

  it("counts from the answer: what was heard while it rang is not judged", () => {
    const { play, decisions, watch } = answerCall({ early: renderSignal(FAX_ANSWER, 3_000) });
    watch.hearWindow({ endMs: 2_900, durationMs: 20, isSpeech: true });
    play(silence(29_900), false);
    expect(decisions).toEqual([]);
    play(silence(200), false);
    expect(kindsOf(decisions)).toEqual(["unknown"]);
  });

  it("a key that the callee pressed counts", () => {
    const { watch, decisions } = answerCall();
    watch.hearKey(1_200);
    expect(kindsOf(decisions)).toEqual(["human"]);
  });

  it("reports nothing after it was stopped, even if the listener itself stopped it", () => {
    const stopped = answerCall();
    stopped.watch.stop();
    stopped.play(renderSignal(FAX_ANSWER, 2_000), false);
    stopped.watch.hearWords({ text: "Leave a message.", startMs: 0, endMs: 900 });
    stopped.watch.hearKey(1_000);
    expect(stopped.decisions).toEqual([]);
    const stopping = answerCall({ onDecision: () => stopping.watch.stop() });
    stopping.play(renderSignal(SPECIAL_INFORMATION.vacantCode, 1_100), false);
    stopping.play(silence(300), false);
    expect(kindsOf(stopping.decisions)).toEqual(["unknown"]);
  });
});
