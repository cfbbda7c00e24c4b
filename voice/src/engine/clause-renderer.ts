import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { ProviderError } from "../ports/provider-error.ts";
import type { SpeechSynthesizer } from "../ports/speech-synthesizer.ts";
import { countSamples } from "./join-samples.ts";

/** What is kept of clauses that nobody asked for yet: as many as a question has answers, and not too long. */
const KEPT_CLAUSES_MAX = 12;
const KEPT_SAMPLES_MAX = 40 * TELEPHONE_RATE_HZ;

interface Rendered {
  readonly text: string;
  readonly controller: AbortController;
  readonly sound: Promise<readonly Int16Array[] | null>;
}

/**
 * The voice of one call. What is likely to be said next is rendered while the callee still speaks, one clause after the
 * other, and lies ready when it is needed.
 */
export class ClauseRenderer {
  readonly #synthesizer: SpeechSynthesizer;
  readonly #voiceId: string;
  readonly #kept = new Map<string, readonly Int16Array[]>();
  #keptSamples = 0;
  #underWay: Rendered | null = null;
  #wanted: readonly string[] = [];
  #isClosed = false;

  constructor(synthesizer: SpeechSynthesizer, voiceId: string) {
    this.#synthesizer = synthesizer;
    this.#voiceId = voiceId;
  }

  /** Renders these when there is time, and forgets all others. */
  prepare(texts: readonly string[]): void {
    if (this.#isClosed) return;
    this.#wanted = texts.slice(0, KEPT_CLAUSES_MAX);
    for (const [text, pieces] of this.#kept) {
      if (this.#wanted.includes(text)) continue;
      this.#kept.delete(text);
      this.#keptSamples -= countSamples(pieces);
    }
    if (this.#underWay !== null && !this.#wanted.includes(this.#underWay.text)) this.#stop();
    this.#renderNext();
  }

  /**
   * The sound of a clause, piece by piece: what lies ready, else as it is made. A failure is tried again once, as long
   * as nobody has heard anything.
   */
  async *render(text: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
    const ready = await this.#takeReady(text);
    if (ready !== null) {
      yield* ready;
      return;
    }
    signal.throwIfAborted();
    for (let isRetry = false; ; isRetry = true) {
      let hasSound = false;
      try {
        for await (const piece of this.#speak(text, signal, false)) {
          hasSound = true;
          yield piece;
        }
        return;
      } catch (error) {
        const mayHelp = error instanceof ProviderError && error.retryable;
        if (isRetry || hasSound || !mayHelp || signal.aborted) throw error;
      }
    }
  }

  /** All of a clause at once, beside whatever else is rendered; null when that failed. */
  async renderWhole(text: string, signal: AbortSignal): Promise<readonly Int16Array[] | null> {
    const pieces: Int16Array[] = [];
    try {
      for await (const piece of this.#speak(text, signal, true)) pieces.push(piece);
      return pieces;
    } catch {
      return null;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#wanted = [];
    this.#stop();
    this.#kept.clear();
    this.#keptSamples = 0;
  }

  /** Somebody waits: what is not for him steps back. */
  async #takeReady(text: string): Promise<readonly Int16Array[] | null> {
    const underWay = this.#underWay;
    this.#wanted = [];
    if (underWay?.text === text) return underWay.sound;
    this.#stop();
    return this.#kept.get(text) ?? null;
  }

  #renderNext(): void {
    if (this.#underWay !== null || this.#isClosed || this.#keptSamples >= KEPT_SAMPLES_MAX) return;
    const text = this.#wanted.find((each) => !this.#kept.has(each));
    if (text === undefined) return;
    const controller = new AbortController();
    const rendered: Rendered = { text, controller, sound: this.renderWhole(text, controller.signal) };
    this.#underWay = rendered;
    void rendered.sound.then((pieces) => {
      if (this.#underWay === rendered) this.#underWay = null;
      if (controller.signal.aborted) return;
      // What could not be rendered ahead is tried again when it is needed, and its failure is told then.
      if (pieces === null) this.#wanted = this.#wanted.filter((each) => each !== text);
      else if (this.#wanted.includes(text)) {
        this.#kept.set(text, pieces);
        this.#keptSamples += countSamples(pieces);
      }
      this.#renderNext();
    });
  }

  #speak(text: string, signal: AbortSignal, isAhead: boolean): AsyncIterable<Int16Array> {
    return this.#synthesizer.speak({ text, voiceId: this.#voiceId, sampleRateHz: TELEPHONE_RATE_HZ, signal, isAhead });
  }

  #stop(): void {
    const underWay = this.#underWay;
    this.#underWay = null;
    underWay?.controller.abort(new Error("it is not needed any more"));
  }
}
