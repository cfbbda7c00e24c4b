/**
 * Measures how loud our decoder speaks with each voice, and prints the table of speech-level.ts.
 *
 *   node tools/run.mjs tools/train-vocoder/measure-levels.ts [CLAUSES PER VOICE]
 */
import { activeSpeechLevelDbfs } from "@parley/providers/local/finish-clip";
import { loadFliteModule } from "@parley/providers/local/flite/flite-module";
import { KOKORO_VOICES, type KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { LiveVoice } from "@parley/providers/local/kokoro/live/live-voice";
import { energyDb, LEVEL_PER_ENERGY } from "@parley/providers/local/kokoro/live/speech-level";
import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { createGuessWord } from "@parley/providers/local/kokoro/phonemes/pronounce-word";
import { phonemesOf } from "@parley/providers/local/kokoro/render-clause";
import { createExpander, randomFrom } from "./expand-grammar.ts";

const RATE_HZ = 8_000;
const [wanted = "24"] = process.argv.slice(2);
/** Some voices reach full scale. */
const HEADROOM = 0.5;
const HEADROOM_DB = 20 * Math.log10(HEADROOM);

const expand = createExpander(randomFrom(7), ["harbor", "window", "engine", "silver", "market", "planet"]);
const guess = createGuessWord(await loadFliteModule(), await LetterModel.open());
const voice = await LiveVoice.open();
let [shared, squared] = [0, 0];
for (const { id } of KOKORO_VOICES) {
  const measured: { readonly levelDbfs: number; readonly energy: number }[] = [];
  while (measured.length < Number(wanted)) {
    for (const clause of expand("sentence").split(/(?<=[,;:.!?])\s+/)) {
      const found = await measure(clause, id as KokoroVoiceId);
      if (found !== null) measured.push(found);
    }
  }
  const offsets = measured.map(({ levelDbfs, energy }) => levelDbfs - LEVEL_PER_ENERGY * energy);
  const mean = offsets.reduce((sum, value) => sum + value, 0) / offsets.length;
  const meanEnergy = measured.reduce((sum, { energy }) => sum + energy, 0) / measured.length;
  for (const [index, { energy }] of measured.entries()) {
    shared += (energy - meanEnergy) * ((offsets[index] as number) - mean + LEVEL_PER_ENERGY * (energy - meanEnergy));
    squared += (energy - meanEnergy) ** 2;
  }
  const errors = offsets.map((value) => Math.abs(value - mean)).toSorted((one, other) => one - other);
  console.log(`  ${id}: ${mean.toFixed(1)}, // ${errors[Math.floor(0.95 * errors.length)]?.toFixed(2)} dB p95`);
}
console.log(`LEVEL_PER_ENERGY fits best at ${(shared / squared).toFixed(3)}`);
await voice.close();

async function measure(clause: string, voiceId: KokoroVoiceId) {
  const speech = await voice.begin(phonemesOf(clause, guess, voiceId), voiceId, 1);
  if (speech === null) return null;
  const samples: number[] = [];
  for await (const piece of speech.decode(RATE_HZ)) {
    for (const value of piece) samples.push(Math.max(-32_768, Math.min(32_767, HEADROOM * value * 32_767)));
  }
  const levelDbfs = activeSpeechLevelDbfs(Int16Array.from(samples), RATE_HZ) - HEADROOM_DB;
  return { levelDbfs, energy: energyDb(speech.features.energy, speech.range) };
}
