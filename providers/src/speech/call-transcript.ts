import { matchExpectedAnswer } from "@parley/voice/ports/expected-answer";
import type {
  Recognition,
  RecognitionEvent,
  RecognitionQuestion,
  RecognizedWord,
} from "@parley/voice/ports/speech-recognizer";

export interface HeardWord extends RecognizedWord {
  /** From 0 to 1. */
  readonly confidence: number;
}

/** Part of a call, between two announcements of an utterance. */
export interface Utterance {
  readonly fromMs: number;
  /** Null while it goes on. */
  toMs: number | null;
}

/** Enough for any question about an utterance, and bounded in a call of hours. */
const FINAL_WORDS_MAX = 2_000;

/** What was understood in a call: final words, and provisional ones that the next message replaces. */
export class CallTranscript {
  #final: HeardWord[] = [];
  #provisional: readonly HeardWord[] = [];
  #language: string | undefined;
  #utterance: Utterance = { fromMs: 0, toMs: null };

  get utterance(): Utterance {
    return this.#utterance;
  }

  startUtterance(atMs: number): void {
    this.#utterance.toMs = atMs;
    this.#utterance = { fromMs: atMs, toMs: null };
  }

  /** Replaces what is provisional. Final words cannot be changed by a message that comes twice or late. */
  add(words: readonly HeardWord[], isFinal: boolean, language?: string): void {
    this.#language = language ?? this.#language;
    const lastMs = this.#final.at(-1)?.startMs ?? -1;
    const fresh = words.filter(({ startMs }) => startMs > lastMs);
    this.#provisional = isFinal ? [] : fresh;
    if (isFinal) this.#final = [...this.#final, ...fresh].slice(-FINAL_WORDS_MAX);
  }

  wordsOf(utterance: Utterance): readonly HeardWord[] {
    const { fromMs, toMs } = utterance;
    return [...this.#final, ...this.#provisional].filter((word) => {
      const middleMs = (word.startMs + word.endMs) / 2;
      return middleMs >= fromMs && (toMs === null || middleMs < toMs);
    });
  }

  recognitionOf(utterance: Utterance, { expected }: RecognitionQuestion): Recognition {
    const words = this.wordsOf(utterance);
    const text = textOf(words);
    return {
      text,
      words: words.map(plainWord),
      best: matchExpectedAnswer(text, expected),
      confidence: confidenceOf(words),
      ...(this.#language === undefined ? {} : { language: this.#language }),
    };
  }
}

/**
 * Reports turns in the order that the port promises, whatever the vendor sends: updates without a start begin a turn, and
 * a probable end is taken back before more text.
 */
export class TurnReporter {
  readonly #report: (event: RecognitionEvent) => void;
  #state: "none" | "open" | "probably_ended" = "none";
  #text = "";
  #lastMs = 0;

  constructor(report: (event: RecognitionEvent) => void) {
    this.#report = report;
  }

  get state(): "none" | "open" | "probably_ended" {
    return this.#state;
  }

  /** The words of the whole turn so far. */
  update(words: readonly HeardWord[], language?: string): void {
    const text = textOf(words);
    if (text === "" && this.#state === "none") return;
    if (this.#state === "none") {
      this.#state = "open";
      this.#report({ type: "turn_started", atMs: this.#notBefore(words[0]?.startMs ?? 0) });
    } else if (text === this.#text) return;
    if (this.#state === "probably_ended") this.resume();
    this.#text = text;
    this.#report({ type: "turn_updated", ...this.#turnText(words, language) });
  }

  probableEnd(words: readonly HeardWord[], language?: string): void {
    this.update(words, language);
    if (this.#state !== "open") return;
    this.#state = "probably_ended";
    this.#report({ type: "turn_probably_ended", ...this.#turnText(words, language) });
  }

  resume(): void {
    if (this.#state !== "probably_ended") return;
    this.#state = "open";
    this.#report({ type: "turn_resumed", atMs: this.#lastMs });
  }

  /** The last words may differ from those of a probable end, which are not taken back then. */
  end(words: readonly HeardWord[], language?: string): void {
    if (this.#state !== "probably_ended") this.update(words, language);
    if (this.#state === "none") return;
    this.#state = "none";
    this.#text = "";
    this.#report({ type: "turn_ended", ...this.#turnText(words, language) });
  }

  #turnText(words: readonly HeardWord[], language: string | undefined) {
    return {
      text: textOf(words),
      words: words.map(plainWord),
      confidence: confidenceOf(words),
      ...(language === undefined ? {} : { language }),
      atMs: this.#notBefore(words.at(-1)?.endMs ?? 0),
    };
  }

  /** Vendors correct the times of words; the times of events do not go back. */
  #notBefore(atMs: number): number {
    this.#lastMs = Math.max(this.#lastMs, atMs);
    return this.#lastMs;
  }
}

function textOf(words: readonly HeardWord[]): string {
  return words.map(({ text }) => text).join(" ");
}

function plainWord({ text, startMs, endMs }: HeardWord): RecognizedWord {
  return { text, startMs, endMs };
}

function confidenceOf(words: readonly HeardWord[]): number | null {
  if (words.length === 0) return null;
  const mean = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
  return Math.min(1, Math.max(0, mean));
}
