import { throughG711 } from "@parley/audio/testing/through-g711";
import { activeSpeechLevelDbfs, SPEECH_LEVEL_DBFS } from "@parley/providers/local/finish-clip";
import { loadFliteModule, renderClause as renderFlite } from "@parley/providers/local/flite/flite-module";
import { KokoroModel } from "@parley/providers/local/kokoro/kokoro-model";
import { isWoman, type KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { LiveVoice } from "@parley/providers/local/kokoro/live/live-voice";
import { compareSpeech, type SpeechLikeness } from "@parley/providers/local/kokoro/live/testing/speech-likeness";
import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { createGuessWord } from "@parley/providers/local/kokoro/phonemes/pronounce-word";
import { renderClause } from "@parley/providers/local/kokoro/render-clause";
import { ClauseSpeech } from "@parley/providers/local/kokoro/speaking/clause-speech";
import { MoonshineModel } from "@parley/providers/local/stt/moonshine-model";
import { recognizeUtterance } from "@parley/providers/local/stt/recognize-utterance";
import { splitClauses } from "@parley/voice/conversation/texts/clauses";
import { joinSamples } from "@parley/voice/engine/join-samples";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { plainWords } from "../speech/plain-words.ts";
import { textErrors } from "../speech/word-errors.ts";
import { percentile } from "../statistics.ts";
import { TEST_SENTENCES } from "./test-sentences.ts";

const VOICES: readonly KokoroVoiceId[] = ["af_heart", "am_michael", "bf_emma", "bm_george", "af_bella", "am_puck"];
const RATE_HZ = 8_000;
/** Alignment takes longer than speaking. */
const COMPARED_EVERY = 6;
/** `--sentences N`: fewer than all, which take hours because Kokoro as shipped does. */
const SENTENCES = TEST_SENTENCES.slice(0, isQuick ? 1 : numberAfter("--sentences", TEST_SENTENCES.length));
/** The recognizers of calls. What the large one misunderstands is rather the fault of the voice. */
const EARS = ["tiny", "base"] as const;
type Ears = (typeof EARS)[number];

interface Spoken {
  words: number;
  readonly errors: Record<Ears, number>;
  cpuSeconds: number;
  seconds: number;
}

/**
 * The live voice beside Kokoro as shipped and beside Flite, in this process and with one thread: words that our recognizers
 * misunderstand after G.711, the processor time per second of speech and to the first audio of a reply, which is spoken clause by
 * clause as in a call, how far clauses are from the common loudness, and how like Kokoro it sounds.
 */
export async function benchVoice(): Promise<Goal[]> {
  const flite = await loadFliteModule();
  const guess = createGuessWord(flite, await LetterModel.open());
  const live = await LiveVoice.open();
  const spoken = { live: nothing(), kokoro: nothing(), flite: nothing() };
  const firstAudioMs: number[] = [];
  const levelErrorsDb: number[] = [];
  const likeness: { readonly live: SpeechLikeness; readonly flite: SpeechLikeness }[] = [];
  const byVoice = new Map<KokoroVoiceId, Pick<Spoken, "words" | "errors">>();

  const timed = async (total: Spoken, speak: () => Promise<Int16Array> | Int16Array): Promise<Int16Array> => {
    const before = process.cpuUsage();
    const clip = await speak();
    total.cpuSeconds += cpuMsSince(before) / 1_000;
    total.seconds += clip.length / RATE_HZ;
    return clip;
  };
  const speakLive = async (text: string, voiceId: KokoroVoiceId): Promise<Int16Array> => {
    const before = process.cpuUsage();
    const pieces: Int16Array[] = [];
    for (const clause of splitClauses(text)) {
      const first = pieces.length;
      const speech = await ClauseSpeech.begin(live, guess, { text: clause, voiceId });
      for (let isOver = speech === null; !isOver; ) {
        const step = await (speech as ClauseSpeech).next();
        if (pieces.length === 0) firstAudioMs.push(cpuMsSince(before));
        pieces.push(step.samples);
        isOver = step.isOver;
      }
      const levelDbfs = activeSpeechLevelDbfs(joinSamples(pieces.slice(first)), RATE_HZ);
      levelErrorsDb.push(Math.abs(levelDbfs - SPEECH_LEVEL_DBFS));
    }
    return joinSamples(pieces);
  };

  await speakLive("The first run warms the networks up.", "af_heart");
  firstAudioMs.length = 0;
  levelErrorsDb.length = 0;
  // Before the other models are opened: in a call the voice has a process of its own.
  const clips: Int16Array[] = [];
  for (const [index, text] of SENTENCES.entries())
    clips.push(await timed(spoken.live, () => speakLive(text, voiceOf(index))));
  await live.close();

  const kokoro = await KokoroModel.open();
  const ears = { tiny: await MoonshineModel.open("tiny"), base: await MoonshineModel.open("base") };
  const listen = async (text: string, clip: Int16Array, total: Spoken, own?: Pick<Spoken, "words" | "errors">) => {
    const samples = throughG711(clip);
    const words = plainWords(text).length;
    for (const count of [total, own]) if (count) count.words += words;
    for (const size of EARS) {
      const work = { samples, expected: [], isSpeechCertain: true };
      const heard = await recognizeUtterance(ears[size], work, async () => false);
      const errors = textErrors(text, heard?.text ?? "");
      for (const count of [total, own]) if (count) count.errors[size] += errors;
    }
  };
  for (const [index, text] of SENTENCES.entries()) {
    const voiceId = voiceOf(index);
    const clip = clips[index] as Int16Array;
    const own = byVoice.get(voiceId) ?? nothing();
    byVoice.set(voiceId, own);
    await listen(text, clip, spoken.live, own);
    const fliteVoice = isWoman(voiceId) ? "slt" : "rms";
    const byFlite = await timed(spoken.flite, () =>
      renderFlite(flite, { text, voiceId: fliteVoice, sampleRateHz: RATE_HZ }),
    );
    await listen(text, byFlite, spoken.flite);
    const byKokoro = await timed(spoken.kokoro, () => renderClause(kokoro, guess, { text, voiceId, speed: 1 }));
    await listen(text, byKokoro, spoken.kokoro);
    if (index % COMPARED_EVERY === Math.floor(index / COMPARED_EVERY) % COMPARED_EVERY) {
      likeness.push({ live: compareSpeech(clip, byKokoro), flite: compareSpeech(byFlite, byKokoro) });
    }
  }
  await Promise.all([kokoro.close(), ears.tiny.close(), ears.base.close()]);

  console.log(`${SENTENCES.length} sentences, ${levelErrorsDb.length} clauses`);
  for (const [name, { words, errors, cpuSeconds, seconds }] of Object.entries(spoken)) {
    console.log(
      `${name.padEnd(8)}${describeErrors({ words, errors })}, ` +
        `${(cpuSeconds / seconds).toFixed(3)} s of a core per second of speech`,
    );
  }
  for (const [voiceId, heard] of byVoice) console.log(`${voiceId.padEnd(12)}${describeErrors(heard)}`);
  const cepstralDb = (of: "live" | "flite") => mean(likeness.map((pair) => pair[of].cepstralDb));
  console.log(
    `mel-cepstral distance to Kokoro, ${likeness.length} sentences: live ${cepstralDb("live").toFixed(1)} dB, ` +
      `flite ${cepstralDb("flite").toFixed(1)} dB`,
  );
  const errorsOf = (than: "kokoro" | "flite", size: Ears) =>
    spoken.live.errors[size] / Math.max(1, spoken[than].errors[size]);
  return [
    { name: "cpu_per_second", value: spoken.live.cpuSeconds / spoken.live.seconds, max: 0.15, unit: " s" },
    { name: "first_audio_cpu_p50", value: percentile(firstAudioMs, 50), max: 180, unit: " ms" },
    { name: "first_audio_cpu_p95", value: percentile(firstAudioMs, 95), max: 180, unit: " ms" },
    { name: "cepstral_distance_of_flite", value: cepstralDb("live") / cepstralDb("flite"), max: 1 / 3, unit: " times" },
    {
      name: "pitch_correlation",
      value: mean(likeness.map(({ live: { pitchCorrelation } }) => pitchCorrelation ?? 0)),
      min: 0.95,
    },
    { name: "level_error_p95", value: percentile(levelErrorsDb, 95), max: 1.5, unit: " dB" },
    ...EARS.map((size): Goal => {
      return { name: `word_errors_of_kokoro_${size}`, value: errorsOf("kokoro", size), max: 1.15, unit: " times" };
    }),
    ...EARS.map((size): Goal => {
      return { name: `word_errors_of_flite_${size}`, value: errorsOf("flite", size), max: 1, unit: " times" };
    }),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function nothing(): Spoken {
  return { words: 0, errors: { tiny: 0, base: 0 }, cpuSeconds: 0, seconds: 0 };
}

function voiceOf(index: number): KokoroVoiceId {
  return VOICES[index % VOICES.length] as KokoroVoiceId;
}

function describeErrors({ words, errors }: Pick<Spoken, "words" | "errors">): string {
  const bySize = EARS.map((size) => `${errors[size]} (${((100 * errors[size]) / words).toFixed(2)} %) by ${size}`);
  return `of ${words} words misunderstood: ${bySize.join(", ")}`;
}

function numberAfter(name: string, otherwise: number): number {
  const place = process.argv.indexOf(name);
  return place < 0 ? otherwise : Number(process.argv[place + 1]);
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
