import { EMPTY_FLOW } from "@parley/contract/flow";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { expect, test } from "vitest";
import { createIdentificationVoice } from "./identification-voice.ts";
import { planOf } from "./testing/open-scripted-pool.ts";

const settings = { identification: "This is {{company}} calling." };
const plan = { ...planOf("call_1"), flow: { ...EMPTY_FLOW, settings }, variables: { company: "Harbor Hotel" } };

test("an agent says who is calling in its own words, with those of the call", async () => {
  const synthesizer = createFakeSpeechSynthesizer();
  const speak = {
    speak: (request: Parameters<typeof synthesizer.speak>[0]) => synthesizer.speak({ ...request, voiceId: "low" }),
  };
  const identify = createIdentificationVoice(speak);
  const said = await identify(plan);
  expect(said?.text).toBe("This is Harbor Hotel calling.");
  expect(said?.clip.some((sample) => sample !== 0)).toBe(true);
  expect(identify(plan)).toBe(identify(plan));
});

test("a long introduction is spoken in clauses, because a voice refuses one that is too long", async () => {
  const identification = `This is {{company}} calling. ${"We would like to ask about your stay with us. ".repeat(12)}`;
  const texts: string[] = [];
  const identify = createIdentificationVoice({
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
    speak() {
      asked += 1;
      throw new Error("no voice");
    },
  });
  expect(await identify(plan)).toBeNull();
  expect(await identify(plan)).toBeNull();
  expect(asked).toBe(2);
});
