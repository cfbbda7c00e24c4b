import { throughG711 } from "@parley/audio/testing/through-g711";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadFliteModule } from "../../flite/flite-module.ts";
import { MoonshineModel } from "../../stt/moonshine-model.ts";
import { recognizeUtterance } from "../../stt/recognize-utterance.ts";
import type { KokoroVoiceId } from "../kokoro-voices.ts";
import { LetterModel } from "../phonemes/letter-model.ts";
import { createGuessWord, type GuessWord } from "../phonemes/pronounce-word.ts";
import { phonemesOf, telephoneClip } from "../render-clause.ts";
import { LiveVoice } from "./live-voice.ts";

/** The small recognizer mishears a word now and then, and another one on another processor. */
const SENTENCES = [
  "Your appointment is on Tuesday.",
  "Thank you very much for your time.",
  "We will call you again next week.",
];
/** `npm run test:all` listens to all that are recommended. */
const VOICES: readonly (readonly [voiceId: KokoroVoiceId, rateHz: 8_000 | 16_000])[] = [
  ["af_heart", 8_000],
  ["am_michael", 16_000],
  ...(process.env["PARLEY_TESTS_THOROUGH"] === "1"
    ? (["af_bella", "am_michael", "am_puck", "bf_emma", "bm_george"] as const).map(
        (voiceId) => [voiceId, 8_000] as const,
      )
    : []),
];
const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, "")
    .split(" ");

describe("the live voice", { timeout: 120_000 }, () => {
  let voice: LiveVoice;
  let recognizer: MoonshineModel;
  let guess: GuessWord;

  beforeAll(async () => {
    [voice, recognizer, guess] = [
      await LiveVoice.open(),
      await MoonshineModel.open("tiny"),
      createGuessWord(await loadFliteModule(), await LetterModel.open()),
    ];
  });

  afterAll(async () => {
    await voice.close();
    await recognizer.close();
  });

  test.each(VOICES)("%s at %i Hz is understood over a telephone", async (voiceId, rateHz) => {
    let [heardWords, allWords] = [0, 0];
    for (const sentence of SENTENCES) {
      const chunks = await speak(sentence, voiceId, rateHz);
      const clip = telephoneClip(Float32Array.from(chunks.flatMap((chunk) => [...chunk])), rateHz);
      const work = { samples: throughG711(clip), expected: [], isSpeechCertain: true };
      const heard = wordsOf((await recognizeUtterance(recognizer, work, async () => false))?.text ?? "");
      const spoken = wordsOf(sentence);
      allWords += spoken.length;
      heardWords += spoken.filter((word) => heard.includes(word)).length;
    }
    expect(heardWords / allWords).toBeGreaterThan(0.8);
  });

  test("returns the first third of a second before it has rendered the rest, without the silence before it", async () => {
    const [first, ...rest] = await speak("Your appointment is on Tuesday.", "af_heart", 8_000);
    // 24 frames, minus those that later frames still add to.
    expect(first?.length).toBe(24 * 100 - 150);
    expect(rest.length).toBeGreaterThan(0);
    const loudest = first?.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    expect(loudest).toBeGreaterThan(0.02);
  });

  test("has nothing to say for a text without symbols", async () => {
    expect(await voice.begin("", "af_heart", 1)).toBeNull();
  });

  async function speak(text: string, voiceId: KokoroVoiceId, rateHz: 8_000 | 16_000): Promise<Float32Array[]> {
    const chunks: Float32Array[] = [];
    const speech = await voice.begin(phonemesOf(text, guess, voiceId), voiceId, 1);
    if (speech !== null) for await (const chunk of speech.decode(rateHz)) chunks.push(chunk);
    return chunks;
  }
});
