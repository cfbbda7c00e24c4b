import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { throughG711 } from "@parley/audio/testing/through-g711";
import { activeSpeechLevelDbfs, SPEECH_LEVEL_DBFS } from "@parley/providers/local/finish-clip";
import { loadFliteModule, renderClause as renderFlite } from "@parley/providers/local/flite/flite-module";
import { KokoroModel } from "@parley/providers/local/kokoro/kokoro-model";
import { isWoman, type KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { LiveVoice } from "@parley/providers/local/kokoro/live/live-voice";
import { addedStep, rankSteps } from "@parley/providers/local/kokoro/live/testing/border-steps";
import { decodeWithBorders } from "@parley/providers/local/kokoro/live/testing/decode-with-borders";
import { compareSpeech } from "@parley/providers/local/kokoro/live/testing/speech-likeness";
import { LetterModel } from "@parley/providers/local/kokoro/phonemes/letter-model";
import { createGuessWord, type GuessWord } from "@parley/providers/local/kokoro/phonemes/pronounce-word";
import { phonemesOf, renderClause } from "@parley/providers/local/kokoro/render-clause";
import { ClauseSpeech } from "@parley/providers/local/kokoro/speaking/clause-speech";
import { MoonshineModel } from "@parley/providers/local/stt/moonshine-model";
import { recognizeUtterance } from "@parley/providers/local/stt/recognize-utterance";
import { splitClauses } from "@parley/voice/conversation/texts/clauses";
import { joinSamples } from "@parley/voice/engine/join-samples";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { plainWords } from "../speech/plain-words.ts";
import { textErrors } from "../speech/word-errors.ts";
import { sumVoice } from "./sum-voice.ts";
import { TEST_SENTENCES } from "./test-sentences.ts";
import {
  type BordersRow,
  describeMachine,
  EARS,
  type Ears,
  readVoiceRows,
  type Speaker,
  VoiceRows,
} from "./voice-rows.ts";

const VOICES: readonly KokoroVoiceId[] = ["af_heart", "am_michael", "bf_emma", "bm_george", "af_bella", "am_puck"];
const RATE_HZ = 8_000;

/**
 * `spoken`: the time and the level of the live voice, which wants a quiet machine and takes minutes. `borders`: how much the sound changes where
 * its chunks meet. `heard`: words that recognizers
 * misunderstand, and `likeness`: how it sounds, which take more than an hour of a core because Kokoro as shipped does.
 */
const PARTS = ["spoken", "borders", "heard", "likeness"] as const;
type Part = (typeof PARTS)[number];

/**
 * The live voice beside Kokoro as shipped and beside Flite, in this process and with one thread: words that our recognizers
 * misunderstand after G.711, the processor time per second of speech and to the first audio of each clause, spoken clause by
 * clause as in a call, how far clauses are from the common loudness, and how like Kokoro it sounds.
 *
 * `--from N --sentences M` runs some of the sentences, `--parts spoken,heard` some of the parts, `--keep FILE` keeps the raw figures, and
 * `--sum FILE...` adds such files up instead of running anything. `--clips FOLDER` keeps what Kokoro as shipped has said for later runs.
 */
export async function benchVoice(): Promise<Goal[]> {
  const files = optionValues("--sum");
  if (files.length > 0) return sumVoice(readVoiceRows(files));
  const from = Number(optionValues("--from")[0] ?? 0);
  const count = isQuick ? 1 : Number(optionValues("--sentences")[0] ?? TEST_SENTENCES.length);
  const sentences = [...TEST_SENTENCES.entries()].slice(from, from + count);
  const parts: readonly string[] = optionValues("--parts")[0]?.split(",") ?? PARTS;
  const runs = (part: Part) => parts.includes(part);
  const rows = new VoiceRows(optionValues("--keep")[0] ?? null);

  const flite = await loadFliteModule();
  const guess = createGuessWord(flite, await LetterModel.open());
  const live = await LiveVoice.open();
  await speakLive(live, guess, "The first run warms the networks up.", "af_heart");
  // Before the other models are opened: in a call the voice has a process of its own.
  if (runs("spoken"))
    for (const [index, text] of sentences) {
      const { samples: _, ...figures } = await speakLive(live, guess, text, voiceOf(index));
      rows.add({ type: "spoken", index, machine: describeMachine(), ...figures });
    }

  if (runs("borders"))
    for (const [index, text] of sentences)
      rows.add({ type: "borders", index, borders: await compareBorders(live, guess, text, voiceOf(index)) });

  if (runs("heard") || runs("likeness")) {
    const others = new OtherVoices(flite, guess, rows, optionValues("--clips")[0] ?? null);
    const listener = runs("heard") ? await Listener.open() : null;
    for (const [index, text] of sentences) {
      const clips: Record<Speaker, Int16Array> = {
        live: (await speakLive(live, guess, text, voiceOf(index))).samples,
        kokoro: await others.kokoro(index, text),
        flite: await others.flite(index, text),
      };
      if (listener !== null) {
        const errors = {
          live: await listener.errors(text, clips.live),
          kokoro: await listener.errors(text, clips.kokoro),
          flite: await listener.errors(text, clips.flite),
        };
        rows.add({ type: "heard", index, voiceId: voiceOf(index), words: plainWords(text).length, errors });
      }
      if (runs("likeness")) {
        const like = (clip: Int16Array) => compareSpeech(clip, clips.kokoro);
        rows.add({ type: "likeness", index, live: like(clips.live), flite: like(clips.flite) });
      }
    }
    await Promise.all([others.close(), listener?.close()]);
  }
  await live.close();
  return sumVoice(rows.all);
}

/** A sentence as in a call, clause by clause, with what each took. */
async function speakLive(live: LiveVoice, guess: GuessWord, text: string, voiceId: KokoroVoiceId) {
  const sentenceBefore = process.cpuUsage();
  const said: Int16Array[] = [];
  const clauses: { firstAudioCpuMs: number; firstAudioMs: number; levelErrorDb: number }[] = [];
  for (const clause of splitClauses(text)) {
    const [before, beforeMs] = [process.cpuUsage(), performance.now()];
    const speech = await ClauseSpeech.begin(live, guess, { text: clause, voiceId });
    if (speech === null) continue;
    const pieces: Int16Array[] = [];
    let [firstAudioCpuMs, firstAudioMs] = [0, 0];
    for (let isOver = false; !isOver; ) {
      const step = await speech.next();
      if (pieces.length === 0) [firstAudioCpuMs, firstAudioMs] = [cpuMsSince(before), performance.now() - beforeMs];
      pieces.push(step.samples);
      isOver = step.isOver;
    }
    const samples = joinSamples(pieces);
    said.push(samples);
    clauses.push({
      ...{ firstAudioCpuMs, firstAudioMs },
      levelErrorDb: activeSpeechLevelDbfs(samples, RATE_HZ) - SPEECH_LEVEL_DBFS,
    });
  }
  const samples = joinSamples(said);
  return { samples, clauses, cpuMs: cpuMsSince(sentenceBefore), seconds: samples.length / RATE_HZ };
}

/** The borders within a sentence that are not in silence. */
async function compareBorders(live: LiveVoice, guess: GuessWord, text: string, voiceId: KokoroVoiceId) {
  const found: BordersRow["borders"][number][] = [];
  for (const clause of splitClauses(text)) {
    const begin = () => live.begin(phonemesOf(clause, guess, voiceId), voiceId, 1);
    const speech = await begin();
    if (speech === null) continue;
    const { samples, borders, isEstimated } = await decodeWithBorders(speech);
    for (const [place, ranks] of rankSteps(samples, borders).entries()) {
      if (ranks === null) continue;
      const exact = isEstimated && place === 0 ? await begin() : null;
      await exact?.features.fill(exact.features.frames);
      const without = exact && (await decodeWithBorders(exact)).samples;
      const border = borders[place] as number;
      const ranksWithout = without && (rankSteps(without, borders)[place] ?? null);
      const estimated =
        without === null || ranksWithout === null ? null : { ranksWithout, added: addedStep(samples, without, border) };
      found.push({ ranks, estimated });
    }
  }
  return found;
}

type FliteModule = Awaited<ReturnType<typeof loadFliteModule>>;

/** Kokoro as shipped, opened when it is needed, and Flite. */
class OtherVoices {
  readonly #flite: FliteModule;
  readonly #guess: GuessWord;
  readonly #rows: VoiceRows;
  readonly #folder: string | null;
  #kokoro: Promise<KokoroModel> | null = null;

  constructor(flite: FliteModule, guess: GuessWord, rows: VoiceRows, folder: string | null) {
    this.#flite = flite;
    this.#guess = guess;
    this.#rows = rows;
    this.#folder = folder;
  }

  async kokoro(index: number, text: string): Promise<Int16Array> {
    const file = this.#folder === null ? null : join(this.#folder, `kokoro-${index}.s16`);
    if (file !== null && existsSync(file)) {
      const bytes = readFileSync(file);
      return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    }
    this.#kokoro ??= KokoroModel.open();
    const kokoro = await this.#kokoro;
    const clip = await this.#timed("kokoro", index, () =>
      renderClause(kokoro, this.#guess, { text, voiceId: voiceOf(index), speed: 1 }),
    );
    if (file !== null) writeFileSync(file, new Uint8Array(clip.buffer, clip.byteOffset, clip.byteLength));
    return clip;
  }

  flite(index: number, text: string): Promise<Int16Array> {
    const voiceId = isWoman(voiceOf(index)) ? "slt" : "rms";
    return this.#timed("flite", index, () => renderFlite(this.#flite, { text, voiceId, sampleRateHz: RATE_HZ }));
  }

  async close(): Promise<void> {
    await (await this.#kokoro)?.close();
  }

  async #timed(speaker: "kokoro" | "flite", index: number, speak: () => Promise<Int16Array> | Int16Array) {
    const before = process.cpuUsage();
    const clip = await speak();
    const figures = { cpuMs: cpuMsSince(before), seconds: clip.length / RATE_HZ };
    this.#rows.add({ type: "others", index, machine: describeMachine(), speaker, ...figures });
    return clip;
  }
}

/** The recognizers of calls. */
class Listener {
  readonly #models: Readonly<Record<Ears, MoonshineModel>>;

  private constructor(models: Readonly<Record<Ears, MoonshineModel>>) {
    this.#models = models;
  }

  static async open(): Promise<Listener> {
    return new Listener({ tiny: await MoonshineModel.open("tiny"), base: await MoonshineModel.open("base") });
  }

  /** How many words of a text each of them misunderstands. */
  async errors(text: string, clip: Int16Array): Promise<Record<Ears, number>> {
    const errors = { tiny: 0, base: 0 };
    for (const size of EARS) {
      const work = { samples: throughG711(clip), expected: [], isSpeechCertain: true };
      const heard = await recognizeUtterance(this.#models[size], work, async () => false);
      errors[size] = textErrors(text, heard?.text ?? "");
    }
    return errors;
  }

  async close(): Promise<void> {
    await Promise.all(EARS.map((size) => this.#models[size].close()));
  }
}

function voiceOf(index: number): KokoroVoiceId {
  return VOICES[index % VOICES.length] as KokoroVoiceId;
}

/** What follows an option, up to the next one. */
function optionValues(name: string): string[] {
  const place = process.argv.indexOf(name);
  if (place < 0) return [];
  const after = process.argv.slice(place + 1);
  const end = after.findIndex((value) => value.startsWith("--"));
  return end < 0 ? after : after.slice(0, end);
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
