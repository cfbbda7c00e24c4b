/**
 * Writes the texts that the teacher speaks: symbols of Kokoro with a voice and a speed each, and the styles of the voices.
 *
 *   node tools/train-vocoder/corpus.ts OUT [SENTENCES]
 *
 * corpus.bin holds, for each sentence, one byte each for voice, speed x 100 and length, then the symbols. styles.bin holds,
 * as half floats, 256 numbers for each length up to STYLE_LENGTHS of each voice. The last 500 sentences are for validation.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadFliteModule } from "@parley/providers/local/flite/flite-module";
import { KokoroInput } from "@parley/providers/local/kokoro/kokoro-input";
import { KOKORO_VOICES, type KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { createGuessWord } from "@parley/providers/local/kokoro/phonemes/pronounce-word";
import { phonemesOf } from "@parley/providers/local/kokoro/render-clause";
import { dictionary } from "cmu-pronouncing-dictionary";
import { createExpander, randomFrom } from "./expand-grammar.ts";

const SEED = 20_261_116;
const STYLE_LENGTHS = 200;
const STYLE_SIZE = 256;
/** The voices most likely to be chosen speak more often than the others. */
const FREQUENT: readonly string[] = [
  "af_heart",
  "af_bella",
  "am_michael",
  "am_fenrir",
  "bf_emma",
  "bm_george",
  "af_nicole",
  "am_puck",
];

const [out = "vocoder-data", wanted = "36000"] = process.argv.slice(2);
const random = randomFrom(SEED);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

const words = Object.keys(dictionary).filter((word) => /^[a-z]{3,12}$/.test(word));
const expand = createExpander(random, words);

const guess = createGuessWord(await loadFliteModule(), await LetterModel.open());
const input = await KokoroInput.open();
// The sentences are English.
const voices = KOKORO_VOICES.filter(({ language }) => language.startsWith("en")).map(({ id }) => id as KokoroVoiceId);
const weighted = [...voices, ...voices.filter((id) => FREQUENT.includes(id)).flatMap((id) => [id, id, id])];

const bytes: number[] = [];
const seen = new Set<string>();
const examples: string[] = [];
while (seen.size < Number(wanted)) {
  const text = expand("sentence");
  const voice = pick(weighted);
  const phonemes = phonemesOf(text, guess, voice);
  const ids = input.idsOf(phonemes).slice(1, -1);
  const key = `${voice} ${phonemes}`;
  if (ids.length < 2 || ids.length >= STYLE_LENGTHS || seen.has(key)) continue;
  seen.add(key);
  if (examples.length < 200) examples.push(`${voice}\t${text}`);
  bytes.push(voices.indexOf(voice), Math.round(85 + random() * 35), ids.length, ...ids);
}

const styles = new Float16Array(voices.length * STYLE_LENGTHS * STYLE_SIZE);
for (const [index, id] of voices.entries()) {
  for (let length = 0; length < STYLE_LENGTHS; length++) {
    const style = await input.styleOf(id, new Array<number>(length + 2).fill(0));
    styles.set(style, (index * STYLE_LENGTHS + length) * STYLE_SIZE);
  }
}
await mkdir(out, { recursive: true });
await writeFile(join(out, "corpus.bin"), Uint8Array.from(bytes));
await writeFile(join(out, "styles.bin"), new Uint8Array(styles.buffer));
await writeFile(join(out, "examples.txt"), `${examples.join("\n")}\n`);
console.log(`${seen.size} sentences, ${bytes.length} bytes, ${voices.length} voices`);
