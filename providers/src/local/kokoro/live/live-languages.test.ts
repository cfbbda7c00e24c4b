import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { activeSpeechLevelDbfs } from "../../finish-clip.ts";
import type { KokoroVoiceId } from "../kokoro-voices.ts";
import { phonemesOf } from "../render-clause.ts";
import { LiveVoice } from "./live-voice.ts";

type Sentence = readonly [voiceId: KokoroVoiceId, text: string];

/** One voice of each language; `npm run test:all` has the others too. */
const ONE_EACH: readonly Sentence[] = [
  ["ef_dora", "Buenos días, le llamo de la clínica dental."],
  ["ff_siwis", "Bonjour madame, je vous appelle de la clinique."],
  ["im_nicola", "Può confermare il suo appuntamento?"],
  ["pm_alex", "Pode confirmar a consulta de quinta-feira?"],
];
const OTHERS: readonly Sentence[] = [
  ["em_alex", "¿Puede confirmar su cita del jueves?"],
  ["if_sara", "Buongiorno signora, la chiamo dalla clinica."],
  ["pf_dora", "Bom dia, senhora, estou ligando da clínica."],
];
const SENTENCES = process.env["PARLEY_TESTS_THOROUGH"] === "1" ? [...ONE_EACH, ...OTHERS] : ONE_EACH;

describe("voices of other languages speak live", { timeout: 120_000 }, () => {
  let voice: LiveVoice;

  beforeAll(async () => {
    voice = await LiveVoice.open();
  });

  afterAll(() => voice.close());

  test.each(SENTENCES)("%s says “%s” at the pace, pitch and level of a person", async (voiceId, text) => {
    const phonemes = phonemesOf(text, () => "", voiceId);
    const speech = await voice.begin(phonemes, voiceId, 1);
    const samples: number[] = [];
    if (speech !== null) for await (const chunk of speech.decode(8_000)) samples.push(...chunk);
    expect(samples.every(Number.isFinite)).toBe(true);

    const seconds = samples.length / 8_000;
    const syllables = phonemes.match(/[aeiouyøœɛɔɑɐæəAIW]/g)?.length ?? 0;
    expect(syllables / seconds).toBeGreaterThan(3);
    expect(syllables / seconds).toBeLessThan(8);

    const voiced = [...(speech?.features.pitchHz ?? [])].filter((pitchHz) => pitchHz > 50).toSorted((a, b) => a - b);
    const median = voiced[Math.floor(voiced.length / 2)] ?? 0;
    expect(median).toBeGreaterThan(voiceId[1] === "f" ? 140 : 80);
    expect(median).toBeLessThan(voiceId[1] === "f" ? 260 : 180);

    const level = activeSpeechLevelDbfs(
      Int16Array.from(samples, (value) => value * 32_767),
      8_000,
    );
    expect(level).toBeGreaterThan(-30);
    expect(level).toBeLessThan(-15);
  });
});
