import { describe, expect, it } from "vitest";
import { USUAL_TURN_SETTINGS } from "../turn-settings.ts";
import { type Interruption, judgeInterruption, talkOverLimitMs } from "./barge-in.ts";

function judge(text: string, changes: Partial<Interruption> = {}) {
  return judgeInterruption({
    text,
    confidence: 0.9,
    speechMs: 500,
    isPaused: true,
    ownWords: null,
    settings: USUAL_TURN_SETTINGS,
    ...changes,
  });
}

describe("the meaning of words said while we speak", () => {
  it("ignores back-channels", () => {
    expect(judge("Mhm.")).toBe("back_channel");
    expect(judge("Yeah, okay.", { speechMs: 900 })).toBe("back_channel");
  });

  it("stops for other words", () => {
    expect(judge("No, I am not at home.")).toBe("interrupts");
    expect(judge("What?")).toBe("interrupts");
  });

  it("stops for a stop word as soon as it is recognized, even in half a sentence", () => {
    expect(judge("Wait", { isPaused: false, speechMs: 300, confidence: 0.65 })).toBe("interrupts");
  });

  it("does not stop for half a word that might be another one", () => {
    expect(judge("So", { isPaused: false, speechMs: 300, confidence: 0.84 })).toBe("undecided");
    expect(judge("Beauty", { isPaused: false, speechMs: 450, confidence: 0.6 })).toBe("undecided");
  });

  it("does not stop for the first half of what listeners say", () => {
    expect(judge("Thank", { isPaused: false, speechMs: 450, confidence: 0.9 })).toBe("undecided");
    expect(judge("All", { isPaused: false, speechMs: 450, confidence: 0.9 })).toBe("undecided");
    expect(judge("Thank you", { isPaused: false, speechMs: 450, confidence: 0.9 })).toBe("back_channel");
  });

  it("distinguishes a hum that becomes one word over and over from the middle of a sentence", () => {
    expect(judge("Am, am, am, am", { isPaused: false, confidence: 0.45 })).toBe("doubtful");
    expect(judge("Can we eat", { isPaused: false, confidence: 0.33 })).toBe("undecided");
  });

  it("stops in the middle of speech for words it is sure of", () => {
    expect(judge("No, that", { isPaused: false, speechMs: 450, confidence: 0.93 })).toBe("interrupts");
  });

  it("treats low-confidence words as a hum", () => {
    expect(judge("In the", { confidence: 0.4 })).toBe("doubtful");
    expect(judge("That's right then", { confidence: 0.6, speechMs: 480 })).toBe("undecided");
    expect(judge("")).toBe("doubtful");
  });

  it("stops for a callee who spoke for long, whatever the confidence of recognition", () => {
    expect(judge("What are our view clock", { confidence: 0.4, speechMs: 1_200 })).toBe("interrupts");
  });

  it("recognizes its own words when they come back", () => {
    const ownWords = ["your", "appointment", "was", "moved", "by", "the", "doctor"];
    expect(judge("Appointment was moved", { ownWords })).toBe("echo");
    expect(judge("Which doctor", { ownWords })).toBe("interrupts");
    expect(judge("Appointment was moved", { ownWords: null })).toBe("interrupts");
  });
});

describe("speech that continues over us", () => {
  it("interrupts after 530 ms, and after 750 ms if it sounded like a listener so far", () => {
    expect(talkOverLimitMs(null, USUAL_TURN_SETTINGS)).toBe(530);
    expect(talkOverLimitMs("undecided", USUAL_TURN_SETTINGS)).toBe(530);
    expect(talkOverLimitMs("back_channel", USUAL_TURN_SETTINGS)).toBe(750);
    expect(talkOverLimitMs("doubtful", USUAL_TURN_SETTINGS)).toBe(750);
  });

  it("never interrupts when it is our own voice", () => {
    expect(talkOverLimitMs("echo", USUAL_TURN_SETTINGS)).toBeNull();
  });
});
