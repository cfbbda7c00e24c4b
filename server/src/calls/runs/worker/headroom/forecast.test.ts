import { describe, expect, test } from "vitest";
import {
  describeLimit,
  forecastHeadroom,
  type HeadroomFacts,
  type HeadroomLimit,
  nextCeiling,
  suggestFor,
} from "./forecast.ts";

/** Ten settled calls on two cores whose recognizer could serve twenty. */
const QUIET: HeadroomFacts = {
  held: 10,
  settling: 0,
  slotsMax: 100,
  cores: 2,
  recognition: { processes: 1, workPerCall: 0.03 },
  naturalVoices: null,
  lateMs: {},
  busy: null,
  ceiling: Number.POSITIVE_INFINITY,
};

describe("a worker", () => {
  test.each<[string, Partial<HeadroomFacts>, { callsMore: number; callsMax: number; limit: HeadroomLimit | null }]>([
    ["that keeps up takes more calls, a few at a time", {}, { callsMore: 6, callsMax: 20, limit: null }],
    [
      "takes no more than its recognizers are forecast to serve",
      { held: 18 },
      { callsMore: 2, callsMax: 20, limit: null },
    ],
    [
      "stops before the recognizers are overloaded",
      { held: 20 },
      { callsMore: 0, callsMax: 20, limit: { because: "recognition_load" } },
    ],
    [
      "whose recognizers became slower keeps the calls it has and takes no more",
      { recognition: { processes: 1, workPerCall: 0.08 } },
      { callsMore: 0, callsMax: 7, limit: { because: "recognition_load" } },
    ],
    [
      "with more recognizers takes more calls",
      { held: 40, recognition: { processes: 8, workPerCall: 0.03 } },
      { callsMore: 10, callsMax: 100, limit: null },
    ],
    [
      "whose requests wait for a recognizer takes no more",
      { lateMs: { recognition: 501 } },
      { callsMore: 0, callsMax: 10, limit: { because: "late", stage: "recognition", lateMs: 501 } },
    ],
    [
      "whose audio is late takes no more",
      { lateMs: { recognition: 100, media: 80 } },
      { callsMore: 0, callsMax: 10, limit: { because: "late", stage: "media", lateMs: 80 } },
    ],
    [
      "whose database is slow takes no more",
      { lateMs: { database: 1_200 } },
      { callsMore: 0, callsMax: 10, limit: { because: "late", stage: "database", lateMs: 1_200 } },
    ],
    [
      "is not disturbed by a small delay",
      { lateMs: { media: 40, worker: 200 } },
      { callsMore: 6, callsMax: 20, limit: null },
    ],
    [
      "that has just started calls waits until they are measured",
      { held: 10, settling: 6 },
      { callsMore: 0, callsMax: 20, limit: { because: "settling" } },
    ],
    [
      "grows by a quarter where it holds many calls",
      { held: 60, settling: 0, recognition: { processes: 8, workPerCall: 0.03 } },
      { callsMore: 15, callsMax: 100, limit: null },
    ],
    [
      "doubles its calls where most cores are idle",
      { held: 40, busy: 0.3, recognition: { processes: 16, workPerCall: 0.03 } },
      { callsMore: 40, callsMax: 100, limit: null },
    ],
    [
      "grows to two thirds of the cores, not beyond",
      { held: 41, busy: 0.5, recognition: { processes: 16, workPerCall: 0.03 } },
      { callsMore: 13, callsMax: 100, limit: null },
    ],
    [
      "still grows by a quarter where something else keeps the cores busy",
      { held: 40, busy: 0.95, recognition: { processes: 16, workPerCall: 0.03 } },
      { callsMore: 10, callsMax: 100, limit: null },
    ],
    [
      "does not hurry on idle cores when a stage is almost late",
      { held: 40, busy: 0.3, lateMs: { media: 25 }, recognition: { processes: 16, workPerCall: 0.03 } },
      { callsMore: 10, callsMax: 100, limit: null },
    ],
    [
      "does not hurry on idle cores after something was late",
      { held: 40, busy: 0.3, ceiling: 90, recognition: { processes: 16, workPerCall: 0.03 } },
      { callsMore: 10, callsMax: 90, limit: null },
    ],
    [
      "takes no more calls than its natural voices carry",
      { naturalVoices: { callsMax: 10, natural: 10, other: 0 } },
      { callsMore: 0, callsMax: 10, limit: { because: "natural_voices" } },
    ],
    [
      "does not count the calls that other voices speak in",
      { naturalVoices: { callsMax: 8, natural: 4, other: 6 } },
      { callsMore: 4, callsMax: 14, limit: null },
    ],
    [
      "that cannot speak naturally now lets calls wait while some have natural voices",
      { naturalVoices: { callsMax: 0, natural: 8, other: 2 } },
      { callsMore: 0, callsMax: 10, limit: { because: "natural_voices" } },
    ],
    [
      "that cannot speak naturally at all holds its calls with light voices",
      { naturalVoices: { callsMax: 0, natural: 0, other: 10 } },
      { callsMore: 6, callsMax: 20, limit: null },
    ],
    ["has no more calls than its slots", { held: 100 }, { callsMore: 0, callsMax: 20, limit: { because: "slots" } }],
    [
      "stays below the number at which something was late",
      { held: 9, ceiling: 9.4 },
      { callsMore: 0, callsMax: 9, limit: { because: "was_late" } },
    ],
    [
      "without calls tries one on a busy machine",
      { held: 0, lateMs: { worker: 900 } },
      { callsMore: 1, callsMax: 20, limit: null },
    ],
    [
      "without calls tries none on a machine that hardly runs",
      { held: 0, lateMs: { worker: 1_500 } },
      { callsMore: 0, callsMax: 0, limit: { because: "late", stage: "worker", lateMs: 1_500 } },
    ],
    [
      "holds one call where recognition just keeps up with one callee",
      { held: 0, recognition: { processes: 1, workPerCall: 0.9 } },
      { callsMore: 1, callsMax: 1, limit: null },
    ],
    [
      "holds none where recognition cannot keep up with a single callee",
      { held: 0, recognition: { processes: 1, workPerCall: 1.1 } },
      { callsMore: 0, callsMax: 0, limit: { because: "recognition_load" } },
    ],
    [
      "starts with a few calls before anything was measured",
      { held: 0, recognition: null },
      { callsMore: 6, callsMax: 100, limit: null },
    ],
  ])("%s", (_, situation, expected) => {
    expect(forecastHeadroom({ ...QUIET, ...situation })).toEqual(expected);
  });
});

describe("after something was late", () => {
  const calls = { held: 20, settling: 0, slotsMax: 100 };

  test("fewer calls are held than at that moment", () => {
    expect(nextCeiling(Number.POSITIVE_INFINITY, { ...calls, lateMs: { conversation: 400 } }, 1_000)).toBe(17);
  });

  test("calls that end while it is still late do not lower the number without end", () => {
    expect(nextCeiling(17, { ...calls, held: 17, lateMs: { conversation: 400 } }, 1_000)).toBe(14);
    expect(nextCeiling(1, { ...calls, held: 2, lateMs: { conversation: 400 } }, 1_000)).toBe(1);
  });

  test("one more call is tried every ten seconds, or a hundredth more every second", () => {
    expect(nextCeiling(7, { ...calls, held: 7, lateMs: {} }, 10_000)).toBe(8);
    expect(nextCeiling(60, { ...calls, held: 60, lateMs: {} }, 10_000)).toBe(66);
  });

  test("the number does not rise while the last call is not measured yet", () => {
    expect(nextCeiling(17, { ...calls, held: 17, settling: 1, lateMs: {} }, 10_000)).toBe(17);
  });

  test("nothing is remembered once all slots were possible again", () => {
    expect(nextCeiling(99.95, { ...calls, lateMs: {} }, 1_000)).toBe(Number.POSITIVE_INFINITY);
  });
});

test("every limit has a sentence, and those that an operator can raise have a suggestion", () => {
  const limits: HeadroomLimit[] = [
    { because: "slots" },
    { because: "recognition_load" },
    { because: "natural_voices" },
    { because: "was_late" },
    { because: "late", stage: "database", lateMs: 1_400.4 },
    { because: "late", stage: "voice", lateMs: 1_600 },
    { because: "late", stage: "media", lateMs: 70 },
  ];
  for (const limit of limits) expect(suggestFor(limit)).toMatch(/^[A-Z].*\.$/);
  expect(describeLimit({ because: "late", stage: "database", lateMs: 1_400.4 })).toBe("the database is 1400 ms late");
  expect(suggestFor({ because: "natural_voices" })).toContain("PARLEY_VOICE_PROCESSES");
  expect(suggestFor({ because: "settling" })).toBeNull();
  expect(suggestFor(null)).toBeNull();
});
