import { EMPTY_FLOW } from "@parley/contract/flow";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { expect, test } from "vitest";
import { createIdentificationVoice } from "./identification-voice.ts";
import { planOf } from "./testing/open-scripted-pool.ts";

const voices = [
  { id: "slt", language: "en-US", description: "" },
  { id: "ef_dora", language: "es-ES", description: "" },
];
const settings = { identification: "This is {{company}} calling." };
const plan = { ...planOf("call_1"), flow: { ...EMPTY_FLOW, settings }, variables: { company: "Harbor Hotel" } };

test("an agent says who is calling in its own words, with those of the call", async () => {
  const synthesizer = createFakeSpeechSynthesizer();
  const identify = createIdentificationVoice({
    voices,
    speak: (request) => synthesizer.speak({ ...request, voiceId: "low" }),
  });
  const said = await identify(plan);
  expect(said?.text).toBe("This is Harbor Hotel calling.");
  expect(said?.clip.some((sample) => sample !== 0)).toBe(true);
  expect(identify(plan)).toBe(identify(plan));
});

test("a long introduction is spoken in clauses, because a voice refuses one that is too long", async () => {
  const identification = `This is {{company}} calling. ${"We would like to ask about your stay with us. ".repeat(12)}`;
  const texts: string[] = [];
  const identify = createIdentificationVoice({
    voices,
    async *speak({ text }) {
      texts.push(text);
      yield Int16Array.of(texts.length);
    },
  });
  const said = await identify({ ...plan, flow: { ...EMPTY_FLOW, settings: { identification } } });
  expect(texts).toHaveLength(13);
  expect(texts.join(" ")).toBe(said?.text.trim());
  expect(said?.clip).toEqual(Int16Array.from(texts.keys(), (index) => index + 1));
});

test("a voice that fails is asked again for the next call", async () => {
  let asked = 0;
  const identify = createIdentificationVoice({
    voices,
    speak() {
      asked += 1;
      throw new Error("no voice");
    },
  });
  expect(await identify(plan)).toBeNull();
  expect(await identify(plan)).toBeNull();
  expect(asked).toBe(2);
});

test("who is calling is said in the language of the call, or not at all", async () => {
  const asked: string[] = [];
  const identify = createIdentificationVoice({
    voices,
    async *speak({ voiceId }) {
      asked.push(voiceId);
      yield Int16Array.of(1);
    },
  });
  const unworded = { ...plan, flow: EMPTY_FLOW };
  expect(await identify({ ...unworded, language: "es-MX", voiceId: "ef_dora" })).toMatchObject({
    text: "Un momento, por favor.",
  });
  expect(await identify({ ...unworded, language: "de-DE", voiceId: "slt" })).toBeNull();
  expect(new Set(asked)).toEqual(new Set(["ef_dora"]));
});

test("a light voice that speaks for a Spanish one is not heard, because it would read it as English", async () => {
  const identify = createIdentificationVoice({
    voices,
    async *speak({ onVoiceChanged }) {
      onVoiceChanged?.({ voiceId: "slt", reason: "the natural voice is gone" });
      yield Int16Array.of(1);
    },
  });
  expect(await identify({ ...plan, language: "es-ES", voiceId: "ef_dora" })).toBeNull();
  expect(await identify(plan)).not.toBeNull();
});
