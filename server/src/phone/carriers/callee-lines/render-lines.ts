import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { encodeMulaw } from "@parley/audio/g711";
import { loadFliteModule } from "@parley/providers/local/flite/flite-module";
import { KokoroModel } from "@parley/providers/local/kokoro/kokoro-model";
import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { createGuessWord } from "@parley/providers/local/kokoro/phonemes/pronounce-word";
import { renderClause } from "@parley/providers/local/kokoro/render-clause";
import { toSpeech } from "@parley/voice/text/to-speech/to-speech";
import { CalleeLines, type LinePlace, linesToRender, PLACES_FILE, SOUND_FILE } from "./callee-lines.ts";

/**
 * Renders the lines of simulated people that are not there yet, by hand: `npx node` with the path of this file, after a
 * line was changed. It takes some three seconds for a line. Lines that are no longer used are dropped.
 */

/** A man's voice: the agents' usual one is a woman's. */
const VOICE = "am_michael";

const kept = existsSync(PLACES_FILE) ? CalleeLines.read() : new CalleeLines(new Uint8Array(0), []);
const model = await KokoroModel.open();
const guess = createGuessWord(await loadFliteModule(), await LetterModel.open());
const clips = new Map<string, Int16Array>();
for (const text of linesToRender()) {
  const work = { text: toSpeech(text, "en-US"), voiceId: VOICE, speed: 1 } as const;
  clips.set(text, kept.find(text) ?? (await renderClause(model, guess, work)));
  await write();
}
await model.close();

async function write(): Promise<void> {
  const places: LinePlace[] = [];
  const sound: Uint8Array[] = [];
  let start = 0;
  for (const [text, samples] of clips) {
    const coded = new Uint8Array(samples.length);
    encodeMulaw(samples, coded);
    sound.push(coded);
    places.push({ text, start, length: coded.length });
    start += coded.length;
  }
  await writeFile(SOUND_FILE, Buffer.concat(sound));
  const rows = places.map(
    ({ text, start, length }) => `  { "text": ${JSON.stringify(text)}, "start": ${start}, "length": ${length} }`,
  );
  await writeFile(PLACES_FILE, `[\n${rows.join(",\n")}\n]\n`);
}
