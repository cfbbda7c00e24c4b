import { expect, test } from "vitest";
import { beginsWithStopWord, endsUnfinished, isBackChannel, isHoldRequest, lowerCaseWords } from "./spoken-phrases.ts";

test.each([
  "Mhm.",
  "Mm-hmm.",
  "Uh-huh, okay.",
  "Yeah, yeah.",
  "I see.",
  "Oh really?",
  "All right, got it.",
  "M. H. M.",
])("%s shows that somebody listens", (text) => {
  expect(isBackChannel(lowerCaseWords(text))).toBe(true);
});

test.each(["", "No.", "Okay but not on Tuesday.", "Stop.", "Yes, I have a question."])(
  "%j is more than that",
  (text) => {
    expect(isBackChannel(lowerCaseWords(text))).toBe(false);
  },
);

test.each(["Stop.", "Oh wait, wait.", "Hold on a second", "Excuse me?", "Please stop talking", "Yeah, hang on"])(
  "%s asks us to stop",
  (text) => {
    expect(beginsWithStopWord(lowerCaseWords(text))).toBe(true);
  },
);

test.each(["The bus stop is far.", "I can't wait for it.", "Okay.", ""])("%j does not ask us to stop", (text) => {
  expect(beginsWithStopWord(lowerCaseWords(text))).toBe(false);
});

test.each(["I would like to come on", "Well, um", "Yes, and", "My name is", "On Tuesday or", "Because"])(
  "%s is not the end of a sentence",
  (text) => {
    expect(endsUnfinished(lowerCaseWords(text))).toBe(true);
  },
);

test.each(["I think so", "I don't want to", "Yes, it is", "Hold on", "On Tuesday", "That's what I'm looking for", ""])(
  "%j may be one",
  (text) => {
    expect(endsUnfinished(lowerCaseWords(text))).toBe(false);
  },
);

test.each([
  "One moment please.",
  "Okay, hold on.",
  "Just a second, let me check.",
  "Please hold.",
  "Sure, I'll get her.",
  "Can you hold on a moment?",
])("%s asks us to wait", (text) => {
  expect(isHoldRequest(lowerCaseWords(text))).toBe(true);
});

test.each([
  "I had one moment of doubt when you told me about the price of it.",
  "Yes.",
  "I can come one minute later.",
  "Hold on, who is this?",
  "Wait a second, how did you get my number?",
])("%s does not ask us to wait", (text) => {
  expect(isHoldRequest(lowerCaseWords(text))).toBe(false);
});
