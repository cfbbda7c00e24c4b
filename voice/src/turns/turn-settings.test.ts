import { expect, test } from "vitest";
import { isTurnSettingName, overrideTurnSettings, TURN_SETTINGS, USUAL_TURN_SETTINGS } from "./turn-settings.ts";

test("every default lies in its own range, and its name ends with its unit", () => {
  for (const [name, { usual, min, max }] of Object.entries(TURN_SETTINGS)) {
    expect(usual, name).toBeGreaterThanOrEqual(min);
    expect(usual, name).toBeLessThanOrEqual(max);
    expect(name).toMatch(/(Ms|Db|Count|Probability|Min|Max)$/);
  }
});

test("the promised turn-taking is the default", () => {
  expect(USUAL_TURN_SETTINGS).toMatchObject({
    guessSilenceMs: 96,
    completeAnswerHoldMs: 240,
    partialAnswerHoldMs: 1_200,
    freeSpeechHoldMinMs: 500,
    freeSpeechHoldMaxMs: 700,
    unfinishedHoldMs: 1_500,
    digitsHoldMs: 250,
    missingDigitsHoldMs: 1_500,
    undoWithinMs: 400,
    duckSpeechMs: 200,
    duckDb: 15,
    heardDelayMs: 80,
    helloWaitMs: 1_200,
    identifyAfterMs: 2_000,
    silencePromptMs: 10_000,
    silenceLimitMs: 30_000,
  });
});

test("an agent changes some settings and keeps the others", () => {
  const settings = overrideTurnSettings(USUAL_TURN_SETTINGS, { silencePromptMs: 5_000 });
  expect(settings).toEqual({ ...USUAL_TURN_SETTINGS, silencePromptMs: 5_000 });
});

test("values out of range are clamped, and unknown names are ignored", () => {
  const settings = overrideTurnSettings(USUAL_TURN_SETTINGS, {
    silencePromptMs: -1,
    duckDb: 500,
    undoWithinMs: Number.NaN,
    "no such setting": 1,
    constructor: 1,
  });
  expect(settings).toEqual({ ...USUAL_TURN_SETTINGS, silencePromptMs: 500, duckDb: 60 });
});

test("names of settings are distinguished from others", () => {
  expect(isTurnSettingName("duckDb")).toBe(true);
  expect(isTurnSettingName("toString")).toBe(false);
});
