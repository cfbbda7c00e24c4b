import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "@parley/audio/testing/random";
import { throughG711 } from "@parley/audio/testing/through-g711";
import { loadFliteModule } from "@parley/providers/local/flite/flite-module";
import { kokoroKey } from "@parley/providers/local/kokoro/kokoro-clips";
import type { KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { LiveVoice } from "@parley/providers/local/kokoro/live/live-voice";
import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { createGuessWord } from "@parley/providers/local/kokoro/phonemes/pronounce-word";
import { phonemesOf, telephoneClip } from "@parley/providers/local/kokoro/render-clause";
import { MoonshineModel } from "@parley/providers/local/stt/moonshine-model";
import { MOONSHINE } from "@parley/providers/local/stt/moonshine-weights";
import { recognizeUtterance } from "@parley/providers/local/stt/recognize-utterance";
import { z } from "zod";
import type { Phrasing, PhrasingSet } from "./phrasing-set.ts";

/** The recognition of a phrasing that was spoken over the telephone. */
const Heard = z.object({
  text: z.string(),
  best: z.object({ answer: z.string(), score: z.number(), margin: z.number() }).nullable(),
});
export type Heard = z.infer<typeof Heard>;

/** Four women and four men, American and British; none is the default voice of agents. */
const VOICES: readonly KokoroVoiceId[] = [
  ...(["af_bella", "af_nova", "bf_emma", "bf_lily"] as const),
  ...(["am_michael", "am_puck", "bm_george", "bm_lewis"] as const),
];
const RATE_HZ = 8_000;
const SEED = 20_260_302;
/** The recognizer that calls use. */
const RECOGNIZER = "tiny";
/** Changes when cached results would differ for a reason that no digest shows: the codec, and what is done around the models. */
const RENDERING = ["live-2 mulaw", MOONSHINE[RECOGNIZER].encoder.sha256, MOONSHINE[RECOGNIZER].decoder.sha256];
/** Cached between runs, outside the repository, because speaking and recognizing take most of the time. */
const CACHE_FOLDER = join(tmpdir(), "parley-bench-heard");

/** A fixed choice of the phrasings of a set. */
export function samplePhrasings(set: PhrasingSet, count: number): PhrasingSet {
  const random = createRandom(SEED);
  const shuffled = set.phrasings
    .map((phrasing) => ({ phrasing, order: random.next() }))
    .toSorted((one, other) => one.order - other.order);
  return { ...set, phrasings: shuffled.slice(0, count).map(({ phrasing }) => phrasing) };
}

/**
 * Has every phrasing spoken by one of several voices at 8 kHz, sends it through G.711, and recognizes it as a call does, with the
 * answers that its question expects.
 */
export async function hearPhrasings(
  { phrasings }: PhrasingSet,
  expectedAt: (phrasing: Phrasing) => readonly string[],
): Promise<ReadonlyMap<Phrasing, Heard>> {
  mkdirSync(CACHE_FOLDER, { recursive: true });
  const [flite, live, recognizer] = await Promise.all([
    loadFliteModule(),
    LiveVoice.open(),
    MoonshineModel.open(RECOGNIZER),
  ]);
  const guess = createGuessWord(flite, await LetterModel.open());
  const speak = async (text: string, voiceId: KokoroVoiceId): Promise<Int16Array> => {
    const samples: number[] = [];
    for await (const chunk of live.speak(phonemesOf(text, guess, voiceId), voiceId, 1, RATE_HZ)) {
      for (const sample of chunk) samples.push(sample);
    }
    return telephoneClip(Float32Array.from(samples), RATE_HZ);
  };
  try {
    const heard = new Map<Phrasing, Heard>();
    for (const [index, phrasing] of phrasings.entries()) {
      const voiceId = VOICES[index % VOICES.length] ?? "am_michael";
      const expected = expectedAt(phrasing);
      const kept = keptAt(voiceId, phrasing.say, expected);
      const known = kept.read();
      if (known !== null) {
        heard.set(phrasing, known);
        continue;
      }
      const samples = throughG711(await speak(phrasing.say, voiceId));
      const work = { samples, expected, isSpeechCertain: true };
      const recognition = await recognizeUtterance(recognizer, work, async () => false);
      const found = { text: recognition?.text ?? "", best: recognition?.best ?? null };
      kept.write(found);
      heard.set(phrasing, found);
    }
    return heard;
  } finally {
    await Promise.all([live.close(), recognizer.close()]);
  }
}

function keptAt(voiceId: KokoroVoiceId, text: string, expected: readonly string[]) {
  const key = createHash("sha256")
    .update(JSON.stringify([...RENDERING, kokoroKey(text, voiceId), expected]))
    .digest("hex");
  const path = join(CACHE_FOLDER, `${key.slice(0, 32)}.json`);
  return {
    read(): Heard | null {
      try {
        return Heard.parse(JSON.parse(readFileSync(path, "utf8")));
      } catch {
        // Missing, or written by another version.
        return null;
      }
    },
    write(heard: Heard): void {
      // Written to a temporary file first, so that an interrupted run leaves no partial file.
      writeFileSync(`${path}.${process.pid}`, JSON.stringify(heard));
      renameSync(`${path}.${process.pid}`, path);
    },
  };
}
