import { throughG711 } from "@parley/audio/testing/through-g711";
import { activeSpeechLevelDbfs, SPEECH_LEVEL_DBFS } from "@parley/providers/local/finish-clip";
import { loadFliteModule, renderClause as renderFlite } from "@parley/providers/local/flite/flite-module";
import { KokoroModel } from "@parley/providers/local/kokoro/kokoro-model";
import { isWoman, type KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { LiveVoice } from "@parley/providers/local/kokoro/live/live-voice";
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
const SENTENCES = isQuick ? TEST_SENTENCES.slice(0, 1) : TEST_SENTENCES;

interface Spoken {
  words: number;
  errors: number;
  cpuSeconds: number;
  seconds: number;
}

/**
 * The live voice beside Kokoro as shipped and beside Flite, in this process and with one thread: words that our recognizer
 * misunderstands after G.711, the processor time per second of speech and to the first audio of a reply, which is spoken clause by
 * clause as in a call, and how far clauses are from the common loudness.
 */
export async function benchVoice(): Promise<Goal[]> {
  const flite = await loadFliteModule();
  const guess = createGuessWord(flite, await LetterModel.open());
  const [kokoro, live, ears] = await Promise.all([KokoroModel.open(), LiveVoice.open(), MoonshineModel.open("tiny")]);
  const spoken = { live: nothing(), kokoro: nothing(), flite: nothing() };
  const firstAudioMs: number[] = [];
  const levelErrorsDb: number[] = [];
  const byVoice = new Map<KokoroVoiceId, { words: number; errors: number }>();

  const listen = async (text: string, clip: Int16Array, total: Spoken): Promise<void> => {
    const samples = throughG711(clip);
    const heard = await recognizeUtterance(ears, { samples, expected: [], isSpeechCertain: true }, async () => false);
    total.errors += textErrors(text, heard?.text ?? "");
    total.words += plainWords(text).length;
  };
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
  for (const [index, text] of SENTENCES.entries()) {
    const voiceId = VOICES[index % VOICES.length] as KokoroVoiceId;
    const clip = await timed(spoken.live, () => speakLive(text, voiceId));
    const before = { words: spoken.live.words, errors: spoken.live.errors };
    await listen(text, clip, spoken.live);
    const own = byVoice.get(voiceId) ?? { words: 0, errors: 0 };
    own.words += spoken.live.words - before.words;
    own.errors += spoken.live.errors - before.errors;
    byVoice.set(voiceId, own);
    const fliteVoice = isWoman(voiceId) ? "slt" : "rms";
    await listen(
      text,
      await timed(spoken.flite, () => renderFlite(flite, { text, voiceId: fliteVoice, sampleRateHz: RATE_HZ })),
      spoken.flite,
    );
    const byKokoro = await timed(spoken.kokoro, () => renderClause(kokoro, guess, { text, voiceId, speed: 1 }));
    await listen(text, byKokoro, spoken.kokoro);
  }
  await Promise.all([kokoro.close(), live.close(), ears.close()]);

  for (const [name, { words, errors, cpuSeconds, seconds }] of Object.entries(spoken)) {
    console.log(
      `${name.padEnd(8)}${errors} of ${words} words misunderstood (${((100 * errors) / words).toFixed(2)} %), ` +
        `${(cpuSeconds / seconds).toFixed(3)} s of a core per second of speech`,
    );
  }
  for (const [voiceId, { words, errors }] of byVoice) {
    console.log(`${voiceId.padEnd(12)}${errors} of ${words} words misunderstood`);
  }
  const compared = spoken.live.errors / Math.max(1, spoken.kokoro.errors);
  return [
    { name: "cpu_per_second", value: spoken.live.cpuSeconds / spoken.live.seconds, max: 0.15, unit: " s" },
    { name: "first_audio_cpu_p50", value: percentile(firstAudioMs, 50), max: 180, unit: " ms" },
    { name: "first_audio_cpu_p95", value: percentile(firstAudioMs, 95), max: 180, unit: " ms" },
    { name: "level_error_p95", value: percentile(levelErrorsDb, 95), max: 1.5, unit: " dB" },
    { name: "word_errors_of_kokoro", value: compared, max: 1.15, unit: " times" },
    {
      name: "word_errors_of_flite",
      value: spoken.live.errors / Math.max(1, spoken.flite.errors),
      max: 1,
      unit: " times",
    },
  ];
}

function nothing(): Spoken {
  return { words: 0, errors: 0, cpuSeconds: 0, seconds: 0 };
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
