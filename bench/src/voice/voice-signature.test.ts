import { beforeAll, expect, test } from "vitest";
import { signaturesOf, speakKnownVoices } from "./known-voices.ts";
import { TEST_SENTENCES } from "./test-sentences.ts";
import { type KnownVoices, nameVoices } from "./voice-signature.ts";

const isLong = (text: string) => text.length > 45 && text.length < 80;
/** Speaking them takes nearly all of the time; three tell the voices apart as six do. */
const [REFERENCE_COUNT, OTHER_COUNT] = process.env["PARLEY_TESTS_THOROUGH"] === "1" ? [6, 4] : [3, 3];
const REFERENCES = TEST_SENTENCES.filter(isLong).slice(0, REFERENCE_COUNT);
const OTHERS = TEST_SENTENCES.filter(isLong).slice(20, 20 + OTHER_COUNT);
const VOICES = ["af_heart", "bm_george", "slt", "rms"];

let known: KnownVoices;
let clips: Readonly<Record<string, readonly Int16Array[]>>;

beforeAll(async () => {
  known = signaturesOf(await speakKnownVoices(REFERENCES, ["af_heart", "bm_george"], ["slt", "rms"]));
  clips = await speakKnownVoices(OTHERS, ["af_heart", "bm_george"], ["slt", "rms"]);
}, 240_000);

/** A recording in which these clips follow each other, with a second between them. */
function record(parts: readonly Int16Array[]) {
  const agent = new Int16Array(parts.reduce((sum, { length }) => sum + length + 8_000, 0));
  const speech: { text: string; startMs: number; endMs: number }[] = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    agent.set(part, at);
    speech.push({ text: String(index), startMs: at / 8, endMs: Math.round((at + part.length) / 8) });
    at += part.length + 8_000;
  }
  return { agent, speech };
}

test.each(VOICES)("%s is recognized by its sound, whatever it says", (voiceId) => {
  const { agent, speech } = record(clips[voiceId] ?? []);
  const heard = nameVoices(agent, speech, voiceId, known);
  expect(heard).toHaveLength(OTHERS.length);
  expect(heard.map(({ nearest }) => nearest)).toEqual(OTHERS.map(() => voiceId));
  for (const { margin } of heard) expect(margin).toBeGreaterThan(1);
});

test.each([
  ["af_heart", "slt"],
  ["bm_george", "rms"],
  ["af_heart", "bm_george"],
])("a call of %s in which one reply is by %s is found", (voiceId, intruder) => {
  const parts = clips[voiceId]?.map((clip, index) => (index === 2 ? (clips[intruder]?.[index] as Int16Array) : clip));
  const { agent, speech } = record(parts ?? []);
  const others = nameVoices(agent, speech, voiceId, known).filter(({ nearest }) => nearest !== voiceId);
  expect(others).toMatchObject([{ text: "2", nearest: intruder }]);
  expect(others[0]?.margin).toBeLessThan(1);
});

test("what is too short to tell is left out", () => {
  const { agent, speech } = record([clips["af_heart"]?.[0]?.subarray(0, 2_000) ?? new Int16Array(0)]);
  expect(nameVoices(agent, speech, "af_heart", known)).toEqual([]);
});
