import { FRAME_MS, framesOf, samplesIn } from "@parley/audio/frame";
import { describe, expect, it } from "vitest";
import { AgentSpeechDetector } from "./audio-callee.ts";
import { renderBabble } from "./babble.ts";

function hear(detector: AgentSpeechDetector, samples: Int16Array) {
  const events: string[] = [];
  let atMs = 0;
  for (const frame of framesOf(samples)) {
    const event = detector.push(frame);
    atMs += FRAME_MS;
    if (event !== null) events.push(`${atMs} ${event.type}`);
  }
  return events;
}

const silence = (durationMs: number) => new Int16Array(samplesIn(durationMs));
const loud = (durationMs: number) => silence(durationMs).fill(8_000);

function joined(...pieces: Int16Array[]): Int16Array {
  return Int16Array.from(pieces.flatMap((piece) => [...piece]));
}

describe("the detector of a simulated callee", () => {
  it("hears the agent begin, and stop after a silence that is longer than a breath", () => {
    const detector = new AgentSpeechDetector(false);
    expect(hear(detector, joined(silence(400), loud(1_000), silence(2_000)))).toEqual(["460 started", "2300 stopped"]);
  });

  it("takes sentences with short pauses for one utterance", () => {
    const detector = new AgentSpeechDetector(false);
    const speech = joined(loud(600), silence(500), loud(600), silence(1_000));
    expect(hear(detector, speech)).toEqual(["60 started", "2600 stopped"]);
  });

  it("is not moved by clicks and line noise", () => {
    const detector = new AgentSpeechDetector(false);
    expect(hear(detector, joined(silence(200), loud(20), silence(200), silence(1_000).fill(60)))).toEqual([]);
  });

  it("says how long the agent spoke, without the silence after it", () => {
    const detector = new AgentSpeechDetector(false);
    let spokeMs = 0;
    for (const frame of framesOf(joined(loud(1_500), silence(1_000)))) {
      const event = detector.push(frame);
      if (event?.type === "stopped") spokeMs = event.spokeMs;
    }
    expect(spokeMs).toBe(1_500);
  });

  it("keeps the speech, from shortly before it was detected", () => {
    const detector = new AgentSpeechDetector(true);
    const speech = renderBabble("Will you come on Friday?", "agent");
    hear(detector, silence(3_000));
    detector.forget();
    hear(detector, joined(speech, silence(1_000)));
    const kept = detector.takeUtterance();
    expect(kept.length).toBeLessThanOrEqual(samplesIn(200 + 20 + 1_000) + speech.length);
    const at = kept.indexOf(speech[5] ?? 0);
    expect([...kept.subarray(at, at + 400)]).toEqual([...speech.subarray(5, 405)]);
  });

  it("keeps the last fifteen seconds of an agent that does not stop", () => {
    const detector = new AgentSpeechDetector(true);
    hear(detector, joined(loud(20_000), loud(1_000).fill(9_000)));
    const kept = detector.takeUtterance();
    expect(kept.length).toBeLessThanOrEqual(samplesIn(15_000));
    expect(kept.length).toBeGreaterThan(samplesIn(13_900));
    expect(kept.at(-1)).toBe(9_000);
  });
});
