import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { throughG711 } from "@parley/audio/testing/through-g711";
import { loadFliteModule, renderClause as renderFlite } from "@parley/providers/local/flite/flite-module";
import { KokoroModel } from "@parley/providers/local/kokoro/kokoro-model";
import { isWoman, type KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { FourierPlan } from "@parley/providers/local/kokoro/live/fourier-plan";
import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { createGuessWord } from "@parley/providers/local/kokoro/phonemes/pronounce-word";
import { renderClause } from "@parley/providers/local/kokoro/render-clause";
import { speakKnownVoices } from "./known-voices.ts";
import { encodePng } from "./png.ts";

/**
 * Draws ten sentences as a callee hears them, after G.711, by the live voice, by Kokoro as shipped and by Flite, one below the other:
 * `node tools/run.mjs bench/src/voice/draw-spectrograms.ts docs/operations/images`. From left to right 5 ms a pixel, from bottom to top 0 to 4 kHz, dark is loud.
 */
const SENTENCES: readonly (readonly [KokoroVoiceId, string])[] = [
  ["af_heart", "Is Thursday the fourteenth at half past two all right?"],
  ["am_michael", "Sure, she sells sixty seashells this season."],
  ["bf_emma", "Could you spell your last name for me, please?"],
  ["bm_george", "Your balance is four hundred and eighteen dollars."],
  ["af_bella", "Maple Street, number nine, apartment three."],
  ["am_puck", "Thanks a lot, and have a great evening!"],
  ["af_heart", "I am afraid that nobody has answered your letter yet."],
  ["am_michael", "Peter Piper picked up a big paper bag of cookies."],
  ["bf_emma", "We will warn you whenever the water is running low."],
  ["bm_george", "Hello, this is Green Street Dental."],
];

const WINDOW = 256;
const HOP = 40;
const WIDTH = 620;
const ROWS = WINDOW / 2;
const GAP = 6;
/** Below the loudest of a clip it is white. */
const RANGE_DB = 60;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: draw-spectrograms.ts FOLDER");
mkdirSync(folder, { recursive: true });
const flite = await loadFliteModule();
const guess = createGuessWord(flite, await LetterModel.open());
const kokoro = await KokoroModel.open();
for (const [index, [voiceId, text]] of SENTENCES.entries()) {
  const [live = new Int16Array()] = (await speakKnownVoices([text], [voiceId], []))[voiceId] ?? [];
  const byKokoro = throughG711(await renderClause(kokoro, guess, { text, voiceId, speed: 1 }));
  const light = isWoman(voiceId) ? "slt" : "rms";
  const byFlite = throughG711(renderFlite(flite, { text, voiceId: light, sampleRateHz: 8_000 }));
  const file = join(folder, `spectrogram-${String(index + 1).padStart(2, "0")}-${voiceId.replace("_", "-")}.png`);
  const drawn = draw([live, byKokoro, byFlite]);
  writeFileSync(file, encodePng(drawn, WIDTH, 3 * ROWS + 2 * GAP));
  console.log(file, text);
}
await kokoro.close();

function draw(clips: readonly Int16Array[]): Uint8Array {
  const pixels = new Uint8Array(WIDTH * (3 * ROWS + 2 * GAP)).fill(255);
  for (const [place, clip] of clips.entries()) {
    const columns = spectraDb(clip).slice(0, WIDTH);
    const loudestDb = Math.max(...columns.map((column) => Math.max(...column)));
    for (const [x, column] of columns.entries())
      for (const [bin, db] of column.entries()) {
        const dark = Math.max(0, Math.min(1, 1 + (db - loudestDb) / RANGE_DB));
        // Sixteen grays are enough to see it and make the file small.
        pixels[(place * (ROWS + GAP) + ROWS - 1 - bin) * WIDTH + x] = 255 - 17 * Math.round(15 * dark);
      }
  }
  return pixels;
}

function spectraDb(samples: Int16Array): number[][] {
  const plan = new FourierPlan(WINDOW);
  const columns: number[][] = [];
  const [re, im, outRe, outIm] = Array.from({ length: 4 }, () => new Float64Array(WINDOW)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let from = 0; from + WINDOW <= samples.length; from += HOP) {
    for (let at = 0; at < WINDOW; at++) {
      const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / WINDOW);
      // Voices fall by 6 dB an octave; what is left shows their formants.
      re[at] = hann * ((samples[from + at] as number) - 0.9 * (samples[from + at - 1] ?? 0));
    }
    plan.forward(re, im, outRe, outIm);
    columns.push(
      Array.from({ length: ROWS }, (_, bin) => {
        return 10 * Math.log10(1 + (outRe[bin] as number) ** 2 + (outIm[bin] as number) ** 2);
      }),
    );
  }
  return columns;
}
