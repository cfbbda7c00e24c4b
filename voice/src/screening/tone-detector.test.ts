import { BUSY, CONGESTION, FAX_ANSWER, FAX_CALLING, SPECIAL_INFORMATION } from "@parley/audio/call-signals";
import { framesOf } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import { renderSignal, type Signal } from "@parley/audio/signal";
import { renderMusic, renderNoise, renderVoice } from "@parley/audio/testing/hard-sounds";
import { throughG711 } from "@parley/audio/testing/through-g711";
import { describe, expect, it } from "vitest";
import type { HeardTone } from "./judge-tone.ts";
import { ToneDetector } from "./tone-detector.ts";

const BUSY_PAUSE_MS = 700;

/** A ring with audio from before the answer, and a detector that listens from the answer on. */
function openLine(earlyMs = 1_000) {
  const ring = createRing();
  const writer = new RingWriter(ring);
  writer.writeSilence(earlyMs * 8);
  const heard: HeardTone[] = [];
  const detector = new ToneDetector(ring, BUSY_PAUSE_MS, (tone) => heard.push(tone));
  const play = (samples: Int16Array) => {
    for (const frame of framesOf(throughG711(samples))) {
      writer.write(frame);
      detector.listenUntil(writer.position / 8);
    }
  };
  return { writer, detector, heard, play };
}

const tone = (frequencyHz: number, durationMs: number): Int16Array => {
  const signal: Signal = { steps: [{ frequenciesHz: [frequencyHz], durationMs }], repeats: false, levelDbfs: -15 };
  return renderSignal(signal, durationMs);
};
const silence = (ms: number) => new Int16Array(ms * 8);
const namesOf = (heard: readonly HeardTone[]) => heard.map(({ name }) => name);

describe("the tone detector", () => {
  it("detects a beep, with its position on the line and not since the answer", () => {
    const { heard, play } = openLine(1_000);
    for (const sound of [silence(500), tone(1_000, 400), silence(500)]) play(sound);
    const [beep, ...more] = heard;
    expect(more).toEqual([]);
    if (beep?.name !== "beep") throw new Error(`heard ${JSON.stringify(heard)}`);
    expect(Math.abs(beep.frequencyHz - 1_000)).toBeLessThan(5);
    expect(Math.abs(beep.startMs - 1_500)).toBeLessThanOrEqual(10);
    expect(Math.abs(beep.endMs - 1_900)).toBeLessThanOrEqual(10);
  });

  it("reports a tone while it lasts, and none while a person speaks", () => {
    const { detector, play } = openLine();
    play(tone(850, 300));
    expect(detector.isToneSounding).toBe(true);
    play(silence(300));
    expect(detector.isToneSounding).toBe(false);
    play(renderVoice({ seed: 3, seconds: 1 }));
    expect(detector.isToneSounding).toBe(false);
  });

  it.each([
    ["a fax that answers", renderSignal(FAX_ANSWER, 3_300), ["fax_answer"]],
    ["a fax that calls", renderSignal(FAX_CALLING, 5_000), ["fax_call", "fax_call"]],
    ["the tones of an announcement", renderSignal(SPECIAL_INFORMATION.international, 990), ["announcement"]],
    ["an American busy tone", renderSignal(BUSY.us, 5_000), ["busy"]],
    ["a European busy tone", renderSignal(BUSY.eu, 5_000), ["busy"]],
    ["a British busy tone", renderSignal(BUSY.uk, 5_000), ["busy"]],
    ["a congested line", renderSignal(CONGESTION.eu, 5_000), ["busy"]],
  ])("takes %s for that and for nothing else", (_, samples, names) => {
    const { heard, play } = openLine();
    play(samples);
    play(silence(1_000));
    expect(namesOf(heard)).toEqual(names);
  });

  it("detects a beep at the pitch of a busy line too, once no second burst has come", () => {
    const { heard, play } = openLine();
    play(tone(425, 500));
    play(silence(600));
    expect(heard).toEqual([]);
    play(silence(300));
    expect(namesOf(heard)).toEqual(["beep"]);
  });

  it("detects nothing in voices, music and noise", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { heard, play } = openLine();
      play(renderVoice({ seed, seconds: 10 }));
      play(renderMusic({ seed, seconds: 10 }));
      play(renderNoise({ seed, seconds: 10 }));
      expect({ seed, heard }).toEqual({ seed, heard: [] });
    }
  });

  it("continues at the right position after the ring has overtaken it", () => {
    const { writer, detector, heard, play } = openLine(0);
    play(silence(500));
    writer.writeSilence(10_000 * 8);
    play(silence(100));
    play(tone(1_000, 400));
    play(silence(400));
    expect(heard).toHaveLength(1);
    expect(Math.abs((heard[0]?.endMs ?? 0) - 11_000)).toBeLessThanOrEqual(10);
    expect(detector.positionMs).toBe(11_400);
  });

  it("processes no more than it is asked to", () => {
    const { writer, detector } = openLine(0);
    writer.writeSilence(8_000);
    detector.listenUntil(510);
    expect(detector.positionMs).toBe(500);
  });
});
