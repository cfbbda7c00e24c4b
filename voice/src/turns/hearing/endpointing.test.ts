import { describe, expect, it } from "vitest";
import type { Expectation } from "../../ports/brain.ts";
import { overrideTurnSettings, USUAL_TURN_SETTINGS } from "../turn-settings.ts";
import { UNKNOWN_PACE } from "./callee-pace.ts";
import { type HoldQuestion, judgeHold } from "./endpointing.ts";

const ANSWERS = ["yes", "no", "I will come", "another day", "cancel"];

function holdAfter(text: string, changes: Partial<HoldQuestion> = {}) {
  return judgeHold({
    text,
    best: null,
    expectation: { kind: "choice", answers: ANSWERS, length: null },
    pace: UNKNOWN_PACE,
    settings: USUAL_TURN_SETTINGS,
    ...changes,
  });
}

const asked = (changes: Partial<Expectation>): Partial<HoldQuestion> => ({
  expectation: { kind: "free_text", answers: [], length: null, ...changes },
});

describe("how long a callee may be silent before the turn is over", () => {
  it.each(["Yes.", "I will come.", "Another day, please.", "Well, no thanks."])(
    "240 ms after a complete expected answer: %s",
    (text) => {
      expect(holdAfter(text)).toEqual({ holdMs: 240, because: "complete_answer" });
    },
  );

  it("240 ms after an answer that recognition is sure of, however it is spelled", () => {
    const best = { answer: "another day", score: 0.9, margin: 0.6 };
    expect(holdAfter("An other day", { best }).holdMs).toBe(240);
  });

  it("does not consider an answer complete that recognition is not sure of, or that goes on for long", () => {
    const unsure = { answer: "cancel", score: 0.3, margin: 0.2 };
    const close = { answer: "cancel", score: 0.9, margin: 0.02 };
    const sure = { answer: "cancel", score: 0.9, margin: 0.5 };
    expect(holdAfter("Can sell", { best: unsure }).because).toBe("free_speech");
    expect(holdAfter("Can sell", { best: close }).because).toBe("free_speech");
    expect(holdAfter("cancel the one that I made for next week", { best: sure }).because).toBe("free_speech");
  });

  it.each(["Yes, that is fine.", "No, not really.", "Sure, why not."])(
    "240 ms after a short sentence that says yes or no: %s",
    (text) => {
      expect(holdAfter(text, asked({ kind: "yes_no", answers: ["yes", "no"] })).holdMs).toBe(240);
    },
  );

  it("240 ms after a short sentence that ends with an expected answer", () => {
    expect(holdAfter("I would like to cancel.").holdMs).toBe(240);
  });

  it.each(["I will", "another"])("1,200 ms after the beginning of an expected answer: %s", (text) => {
    expect(holdAfter(text)).toEqual({ holdMs: 1_200, because: "partial_answer" });
  });

  it("500 ms after free speech that reads like a sentence, 700 ms after other", () => {
    const free = asked({});
    expect(holdAfter("The weather is nice today.", free)).toEqual({ holdMs: 500, because: "free_speech" });
    expect(holdAfter("The weather is nice", free)).toEqual({ holdMs: 700, because: "free_speech" });
  });

  it.each(["I would like to move it to", "Yes, but", "Um", "On Tuesday or"])(
    "1,500 ms after a filler or a conjunction: %s",
    (text) => {
      expect(holdAfter(text)).toEqual({ holdMs: 1_500, because: "unfinished" });
    },
  );

  it("250 ms after as many digits as there must be, 1,500 ms after fewer", () => {
    const digits = asked({ kind: "digits", length: 6 });
    expect(holdAfter("four one five", digits)).toEqual({ holdMs: 1_500, because: "missing_digits" });
    expect(holdAfter("four one five double two nine", digits)).toEqual({ holdMs: 250, because: "digits" });
    expect(holdAfter("415 229.", digits).holdMs).toBe(250);
  });

  it("does not wait for digits after words that are none", () => {
    expect(holdAfter("What?", asked({ kind: "digits", length: 6 })).holdMs).toBe(500);
  });

  it("1,500 ms after digits of unknown length", () => {
    expect(holdAfter("four one five", asked({ kind: "phone" })).holdMs).toBe(1_500);
  });

  it("waits for the end of an e-mail address as it does for missing digits", () => {
    const email = asked({ kind: "email" });
    expect(holdAfter("john dot smith", email).holdMs).toBe(1_500);
    expect(holdAfter("john dot smith at example dot com", email).holdMs).toBe(500);
  });

  it("uses the settings of the agent and the node", () => {
    const settings = overrideTurnSettings(USUAL_TURN_SETTINGS, { completeAnswerHoldMs: 333 });
    expect(holdAfter("Yes.", { settings }).holdMs).toBe(333);
  });
});
