import { durationMsOf, samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { plainText, readClause } from "@parley/voice/ports/speech-notation";
import type { WordTime } from "@parley/voice/ports/speech-synthesizer";
import type { LiveSpeech, LiveVoice } from "../live/live-voice.ts";
import { SpeechFinisher } from "../live/speech-finisher.ts";
import { forecastLevelDbfs } from "../live/speech-level.ts";
import type { GuessWord } from "../phonemes/pronounce-word.ts";
import { phonemesOf, wordsSaid } from "../render-clause.ts";
import type { Clause, VoiceStep } from "./voice-process.ts";

/** Kokoro was taught at about these paces; beyond them it swallows sounds. */
const SPEED_MIN = 0.5;
const SPEED_MAX = 1.6;
const MS_PER_FRAME = 12.5;

/** A clause while it is spoken: its whole melody is known, its audio is rendered piece by piece. */
export class ClauseSpeech {
  readonly #speech: LiveSpeech;
  readonly #audio: AsyncGenerator<Float32Array>;
  readonly #finisher: SpeechFinisher;
  readonly #clause: Clause;
  readonly #phonemes: string;
  #hasTimes = false;

  private constructor(speech: LiveSpeech, clause: Clause, phonemes: string) {
    this.#speech = speech;
    this.#audio = speech.decode(TELEPHONE_RATE_HZ);
    this.#finisher = new SpeechFinisher(
      forecastLevelDbfs(clause.voiceId, speech.features, speech.range),
      TELEPHONE_RATE_HZ,
    );
    this.#clause = clause;
    this.#phonemes = phonemes;
  }

  /** Null if nothing in it can be spoken. */
  static async begin(voice: LiveVoice, guess: GuessWord, clause: Clause): Promise<ClauseSpeech | null> {
    const { text, voiceId } = clause;
    const phonemes = phonemesOf(text, guess, voiceId);
    const speed = Math.min(SPEED_MAX, Math.max(SPEED_MIN, readClause(text).pace));
    const speech = await voice.begin(phonemes, voiceId, speed);
    return speech === null ? null : new ClauseSpeech(speech, clause, phonemes);
  }

  /** The next audio, and with the first of it the times of the words. */
  async next(): Promise<VoiceStep> {
    for (;;) {
      const { value, done } = await this.#audio.next();
      const samples = done ? this.#end() : this.#finisher.add(value);
      if (samples.length === 0 && !done) continue;
      const wordTimes = this.#hasTimes ? null : this.#wordTimes();
      this.#hasTimes = true;
      return { samples, isOver: done === true, wordTimes };
    }
  }

  /** The last samples, and the pause that the clause ends with. */
  #end(): Int16Array {
    const last = this.#finisher.end();
    const { pauseMs } = readClause(this.#clause.text);
    if (pauseMs === 0) return last;
    const whole = new Int16Array(last.length + samplesIn(pauseMs));
    whole.set(last);
    return whole;
  }

  #wordTimes(): readonly WordTime[] | null {
    const { features, range } = this.#speech;
    const skippedMs = durationMsOf(this.#finisher.skippedSamples) + MS_PER_FRAME * range.from;
    const { text, voiceId } = this.#clause;
    const wordsOf = (written: string) => wordsSaid(written, voiceId);
    return wordTimesOf(plainText(text), wordsOf, this.#phonemes, features.symbolFrames, skippedMs);
  }
}

/**
 * Where the words of a text lie. A written word may be several spoken ones ("twenty-seven"), and a sign between spaces
 * none. Null when other words were spoken than are written.
 */
export function wordTimesOf(
  text: string,
  wordsOf: (written: string) => number,
  phonemes: string,
  symbolFrames: readonly number[],
  skippedMs: number,
): readonly WordTime[] | null {
  const spoken = spokenTimes(phonemes, symbolFrames, skippedMs);
  const written = text.split(/\s+/).filter((word) => word !== "");
  const counts = written.map(wordsOf);
  if (counts.reduce((sum, count) => sum + count, 0) !== spoken.length) return null;
  let at = 0;
  return counts.map((count) => {
    const first = spoken[Math.min(at, spoken.length - 1)] as WordTime;
    const last = spoken[Math.max(at, at + count - 1)] ?? first;
    at += count;
    return count === 0
      ? { startMs: first.startMs, endMs: first.startMs }
      : { startMs: first.startMs, endMs: last.endMs };
  });
}

/** One symbol per character, between an edge at the beginning and one at the end. Marks belong to no word. */
function spokenTimes(phonemes: string, symbolFrames: readonly number[], skippedMs: number): WordTime[] {
  const times: WordTime[] = [];
  const symbols = [...phonemes];
  if (symbols.length + 2 !== symbolFrames.length) return [];
  let atMs = MS_PER_FRAME * (symbolFrames[0] ?? 0) - skippedMs;
  let startMs: number | null = null;
  for (const [index, symbol] of symbols.entries()) {
    const isWord = !/[\s,;:.!?…—]/.test(symbol);
    if (isWord) startMs ??= atMs;
    else if (startMs !== null) {
      times.push({ startMs, endMs: atMs });
      startMs = null;
    }
    atMs += MS_PER_FRAME * (symbolFrames[index + 1] ?? 0);
  }
  if (startMs !== null) times.push({ startMs, endMs: atMs });
  return times.map((time) => ({ startMs: Math.max(0, time.startMs), endMs: Math.max(0, time.endMs) }));
}
