import { expect, test } from "vitest";
import { countWords } from "../phonemes/text-to-phonemes.ts";
import { wordTimesOf } from "./clause-speech.ts";

// Ten frames for each symbol, which are 125 ms, and an edge of 20 at the beginning.
const frames = (symbols: number) => [20, ...Array.from({ length: symbols }, () => 10), 5];

test("each written word lies where its sounds are", () => {
  expect(wordTimesOf("Hi you.", countWords, "hI ju.", frames(6), 250)).toEqual([
    { startMs: 0, endMs: 250 },
    { startMs: 375, endMs: 625 },
  ]);
});

test("a word that is spoken as two covers both, and a sign between words takes no time", () => {
  expect(wordTimesOf("ab-cd – e", countWords, "a b, c", frames(6), 0)).toEqual([
    { startMs: 250, endMs: 625 },
    { startMs: 875, endMs: 875 },
    { startMs: 875, endMs: 1_000 },
  ]);
});

test("no times are returned when other words are spoken than are written", () => {
  expect(wordTimesOf("one", countWords, "a b", frames(3), 0)).toBeNull();
});
