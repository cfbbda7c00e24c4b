import { DtmfDetector } from "@parley/audio/detect/dtmf-detector";
import { createFrame, FRAME_SAMPLES } from "@parley/audio/frame";
import { peakOf } from "@parley/audio/level";
import { describe, expect, it } from "vitest";
import { CalleeSpeaker, type PressedKey } from "./callee-speaker.ts";

function speakAll(speaker: CalleeSpeaker, frames: number) {
  const heard = new Int16Array(frames * FRAME_SAMPLES);
  const keys: (PressedKey & { readonly frame: number })[] = [];
  for (let frame = 0; frame < frames; frame += 1) {
    const one = createFrame();
    speaker.fill(one, (pressed) => keys.push({ ...pressed, frame }));
    heard.set(one, frame * FRAME_SAMPLES);
  }
  return { heard, keys };
}

describe("the speaker of a simulated callee", () => {
  it("says one thing after the other without a gap, and then nothing", () => {
    const speaker = new CalleeSpeaker();
    speaker.say(new Int16Array(100).fill(1));
    speaker.say(new Int16Array(200).fill(2));
    expect(speaker.isSpeaking).toBe(true);
    const { heard } = speakAll(speaker, 2);
    expect([heard[99], heard[100], heard[299], heard[300]]).toEqual([1, 2, 2, 0]);
    expect(speaker.isSpeaking).toBe(false);
  });

  it("presses audible keys, and reports each when it is released", () => {
    const speaker = new CalleeSpeaker();
    speaker.press("4#");
    const { heard, keys } = speakAll(speaker, 20);
    expect(keys).toEqual([
      { key: "4", durationMs: 100, frame: 4 },
      { key: "#", durationMs: 100, frame: 13 },
    ]);
    const detected: string[] = [];
    const detector = new DtmfDetector((event) => event.type === "key.pressed" && detected.push(event.key));
    detector.push(heard);
    expect(detected).toEqual(["4", "#"]);
  });

  it("falls silent within a frame when it is stopped, and discards the rest", () => {
    const speaker = new CalleeSpeaker();
    speaker.say(new Int16Array(1_600).fill(9_000));
    speaker.say(new Int16Array(1_600).fill(9_000));
    speakAll(speaker, 3);
    speaker.stop();
    const { heard } = speakAll(speaker, 5);
    expect(heard[0]).toBe(9_000);
    expect(heard[39]).toBeLessThan(400);
    expect(peakOf(heard.subarray(40))).toBe(0);
    expect(speaker.isSpeaking).toBe(false);
  });

  it("says a line requested right after it was stopped", () => {
    const speaker = new CalleeSpeaker();
    speaker.say(new Int16Array(1_600).fill(9_000));
    speakAll(speaker, 1);
    speaker.stop();
    expect(speaker.isSpeaking).toBe(false);
    speaker.say(new Int16Array(2 * FRAME_SAMPLES).fill(5));
    const { heard } = speakAll(speaker, 3);
    expect([heard[40], heard[319], heard[320]]).toEqual([5, 5, 0]);
  });
});
