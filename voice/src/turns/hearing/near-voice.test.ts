import { describe, expect, it } from "vitest";
import { USUAL_TURN_SETTINGS } from "../turn-settings.ts";
import { followVoice, isOtherVoice, type NearVoice, NO_VOICE } from "./near-voice.ts";

const WINDOW_MS = 32;

/** Speech or silence of a level for some time, with syllables that rise and fall by 6 dB. */
function hear(voice: NearVoice, seconds: number, levelDbfs: number, isSpeech = true): NearVoice {
  let next = voice;
  for (let atMs = 0; atMs < 1_000 * seconds; atMs += WINDOW_MS) {
    const swing = isSpeech ? 6 * Math.sin(atMs / 40) : 0;
    next = followVoice(next, { levelDbfs: levelDbfs + swing, durationMs: WINDOW_MS, isSpeech }, USUAL_TURN_SETTINGS);
  }
  return next;
}

const isOther = (voice: NearVoice) => isOtherVoice(voice, USUAL_TURN_SETTINGS);

describe("the callee and other voices", () => {
  it("a television behind the callee is another voice, and the callee is not", () => {
    const answered = hear(NO_VOICE, 2, -25);
    const watching = hear(answered, 4, -40);
    expect(isOther(watching)).toBe(true);
    expect(isOther(hear(watching, 0.1, -25))).toBe(false);
  });

  it("a callee who is alone on the line is heard, however quietly they continue", () => {
    const answered = hear(NO_VOICE, 2, -25);
    const silent = hear(answered, 3, -70, false);
    expect(isOther(hear(silent, 1, -38))).toBe(false);
  });

  it("no voice counts as another before the callee was heard", () => {
    expect(isOther(hear(NO_VOICE, 10, -40))).toBe(false);
  });

  it("a person who takes over the phone and speaks more quietly is heard after some time", () => {
    const other = hear(hear(NO_VOICE, 2, -25), 4, -42);
    expect(isOther(other)).toBe(true);
    expect(isOther(hear(other, 20, -42))).toBe(false);
  });

  it("other voices are forgotten when they have stopped", () => {
    const watching = hear(hear(NO_VOICE, 2, -25), 4, -40);
    const quiet = hear(watching, 30, -70, false);
    expect(isOther(hear(quiet, 1, -45))).toBe(false);
  });
});
