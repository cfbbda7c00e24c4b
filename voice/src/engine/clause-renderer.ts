import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { ProviderError } from "../ports/provider-error.ts";
import { languageOfClause } from "../ports/speech-notation.ts";
import type { SpeechRequest, SpeechSynthesizer, VoiceChange, WordTime } from "../ports/speech-synthesizer.ts";
import { countSamples } from "./join-samples.ts";

interface CallVoice {
  readonly synthesizer: SpeechSynthesizer;
  readonly voiceId: string;
}

/** Limits on clauses rendered ahead: as many as a question has answers, and not too long. */
const KEPT_CLAUSES_MAX = 12;
const KEPT_SAMPLES_MAX = 40 * TELEPHONE_RATE_HZ;

/** A clause that is rendered before it is needed. */
interface Rendered {
  readonly text: string;
  /** It was requested in the voice that the callee had heard by then. */
  readonly keepsVoice: boolean;
  readonly controller: AbortController;
  readonly pieces: Int16Array[];
  /** Resolves when there is another piece, or at the end. Replaced each time. */
  more: PromiseWithResolvers<void>;
  /** False while it is being rendered. */
  isOver: boolean;
  error: unknown;
  wordTimes: readonly WordTime[] | null;
  /** Resolved with the remaining time when it is needed. */
  readonly needed: PromiseWithResolvers<number>;
}

interface RenderOptions {
  readonly signal: AbortSignal;
  /** How long the preceding audio still plays. */
  readonly dueInMs?: number;
  /** Called when the voice knows the times of more words; each list replaces the previous one. */
  readonly onWordTimes?: (times: readonly WordTime[]) => void;
}

/**
 * The voice of one call. Likely replies are rendered while the callee still speaks, one clause at a
 * time, and are ready when needed.
 */
export class ClauseRenderer {
  /** The voice of the call, and those for clauses in other languages. */
  readonly #voices: Map<string | null, CallVoice>;
  readonly #kept = new Map<string, Rendered>();
  readonly #onVoiceChanged: (reason: string) => void;
  /** Clauses spoken by another voice. */
  readonly #otherVoice = new Map<string, VoiceChange>();
  #keptSamples = 0;
  #underWay: Rendered | null = null;
  #wanted: readonly string[] = [];
  #isClosed = false;
  /** The voice that the callee has heard last; null before the first words. */
  #heardVoiceId: string | null = null;

  /**
   * `onVoiceChanged` is called when a clause is returned that another voice speaks. The call keeps that voice:
   * switching back would be another change.
   */
  constructor(
    synthesizer: SpeechSynthesizer,
    voiceId: string,
    onVoiceChanged: (reason: string) => void = () => undefined,
    others: ReadonlyMap<string, CallVoice> = new Map(),
  ) {
    this.#voices = new Map([[null, { synthesizer, voiceId }], ...others]);
    this.#onVoiceChanged = onVoiceChanged;
  }

  /** The voice that the callee heard last; before the first words, the one that was chosen for the call. */
  get voiceId(): string {
    return this.#heardVoiceId ?? this.#voiceOf(null).voiceId;
  }

  /** The callee hears the voice of the call from here on. */
  keepVoice(): void {
    this.#heardVoiceId ??= this.#voiceOf(null).voiceId;
  }

  /** Renders these when there is time, and discards all others. */
  prepare(texts: readonly string[]): void {
    if (this.#isClosed) return;
    this.#wanted = texts.slice(0, KEPT_CLAUSES_MAX);
    for (const [text, { pieces }] of this.#kept) {
      if (this.#wanted.includes(text)) continue;
      this.#kept.delete(text);
      this.#keptSamples -= countSamples(pieces);
    }
    if (this.#underWay !== null && !this.#wanted.includes(this.#underWay.text)) this.#stop();
    this.#renderNext(true);
  }

  /**
   * Renders the opening of a call while it rings. Its first clause precedes speculative ones. Resolves when
   * that clause has its first audio, immediately if there is none; rejects if it cannot be rendered.
   */
  async prepareOpening(texts: readonly string[]): Promise<void> {
    const [first] = texts;
    if (first === undefined || this.#isClosed) return;
    for (let isRetry = false; ; isRetry = true) {
      this.#wanted = texts.slice(0, KEPT_CLAUSES_MAX);
      if (isRetry) this.#stop();
      this.#renderNext(false);
      const rendered = this.#aheadOf(first);
      if (rendered === null) return;
      while (!rendered.isOver && rendered.pieces.length === 0) await rendered.more.promise;
      const { error } = rendered;
      if (error === null || rendered.controller.signal.aborted) return;
      if (isRetry || !(error instanceof ProviderError && error.retryable)) throw error;
    }
  }

  /**
   * The audio of a clause, piece by piece: from the cache, otherwise as it is rendered. A failure is retried once, as long
   * as nothing has been played.
   */
  async *render(text: string, options: RenderOptions): AsyncGenerator<Int16Array> {
    const { signal, dueInMs = 0, onWordTimes } = options;
    const ahead = this.#takeAhead(text);
    if (ahead !== null) {
      ahead.needed.resolve(dueInMs);
      let given = 0;
      let reported: readonly WordTime[] | null = null;
      const reportTimes = () => {
        if (ahead.wordTimes !== null && ahead.wordTimes !== reported) onWordTimes?.(ahead.wordTimes);
        reported = ahead.wordTimes;
      };
      for await (const piece of follow(ahead, signal)) {
        // It was rendered before the callee heard the voice of the call, and is rendered again in that.
        if (given === 0 && !ahead.keepsVoice && this.#heardVoiceId !== null && this.#isInOtherVoice(text)) break;
        if (given === 0) this.#noteVoice(text);
        reportTimes();
        given += 1;
        yield piece;
      }
      // Another voice may have spoken the rest.
      if (given > 0) this.#noteVoice(text);
      if (ahead.error === null && (given > 0 || ahead.pieces.length === 0)) return reportTimes();
      if (given > 0) throw ahead.error;
    }
    signal.throwIfAborted();
    for (let isRetry = false; ; isRetry = true) {
      let hasSound = false;
      try {
        for await (const piece of this.#speak(text, { signal, dueInMs, ...(onWordTimes && { onWordTimes }) })) {
          if (!hasSound) this.#noteVoice(text);
          hasSound = true;
          yield piece;
        }
        if (hasSound) this.#noteVoice(text);
        return;
      } catch (error) {
        const mayHelp = error instanceof ProviderError && error.retryable;
        if (isRetry || hasSound || !mayHelp || signal.aborted) throw error;
        // The times of the failed attempt are not those of the next.
        onWordTimes?.([]);
      }
    }
  }

  /** A whole clause in the voice of the call, rendered in parallel to everything else; null if that failed. */
  async renderWhole(text: string, signal: AbortSignal): Promise<readonly Int16Array[] | null> {
    const pieces: Int16Array[] = [];
    try {
      for await (const piece of this.#speak(text, { signal, isAhead: true, keepsVoice: true })) pieces.push(piece);
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

  #aheadOf(text: string): Rendered | null {
    return this.#underWay?.text === text ? this.#underWay : (this.#kept.get(text) ?? null);
  }

  /** A clause is needed now: other rendering is cancelled, unless the clause is ready. */
  #takeAhead(text: string): Rendered | null {
    const ahead = this.#aheadOf(text);
    if (ahead?.isOver) return ahead;
    this.#wanted = [];
    if (ahead === null) this.#stop();
    return ahead;
  }

  #renderNext(isAhead: boolean): void {
    if (this.#underWay !== null || this.#isClosed || this.#keptSamples >= KEPT_SAMPLES_MAX) return;
    const text = this.#wanted.find((each) => !this.#kept.has(each));
    if (text === undefined) return;
    const rendered: Rendered = {
      text,
      keepsVoice: this.#heardVoiceId !== null,
      controller: new AbortController(),
      pieces: [],
      isOver: false,
      error: null,
      wordTimes: null,
      more: Promise.withResolvers<void>(),
      needed: Promise.withResolvers<number>(),
    };
    this.#underWay = rendered;
    void this.#make(rendered, isAhead);
  }

  /** Never rejects. */
  async #make(rendered: Rendered, isAhead: boolean): Promise<void> {
    const options = {
      signal: rendered.controller.signal,
      isAhead,
      whenNeeded: rendered.needed.promise,
      onWordTimes: (times: readonly WordTime[]) => {
        rendered.wordTimes = times;
      },
    };
    try {
      for await (const piece of this.#speak(rendered.text, options)) {
        rendered.pieces.push(piece);
        announce(rendered);
      }
    } catch (error) {
      rendered.error = error;
    }
    rendered.isOver = true;
    if (this.#underWay === rendered) this.#underWay = null;
    if (!rendered.controller.signal.aborted) {
      this.#keep(rendered);
      this.#renderNext(true);
    }
    announce(rendered);
  }

  #keep(rendered: Rendered): void {
    const { text, pieces, error } = rendered;
    if (!this.#wanted.includes(text)) return;
    // A failure ahead of time is ignored: it is retried, and reported, when the clause is needed.
    if (error !== null) this.#wanted = this.#wanted.filter((each) => each !== text);
    else {
      this.#kept.set(text, rendered);
      this.#keptSamples += countSamples(pieces);
    }
  }

  #speak(
    text: string,
    options: Pick<SpeechRequest, "signal" | "isAhead" | "whenNeeded" | "dueInMs" | "onWordTimes" | "keepsVoice">,
  ): AsyncIterable<Int16Array> {
    this.#otherVoice.delete(text);
    const { language, clause } = languageOfClause(text);
    const { synthesizer, voiceId } = this.#voiceOf(language);
    return synthesizer.speak({
      keepsVoice: this.#heardVoiceId !== null,
      ...options,
      text: clause,
      voiceId,
      sampleRateHz: TELEPHONE_RATE_HZ,
      onVoiceChanged: (change) => this.#otherVoice.set(text, change),
    });
  }

  /** A clause in another voice will be played next. */
  #noteVoice(text: string): void {
    const change = this.#otherVoice.get(text);
    this.#otherVoice.delete(text);
    const { language } = languageOfClause(text);
    const voice = this.#voiceOf(language);
    this.#heardVoiceId = change?.voiceId ?? voice.voiceId;
    if (change === undefined || change.voiceId === voice.voiceId) return;
    if (this.#underWay?.text !== text) this.#stop();
    this.#voices.set(language, { ...voice, voiceId: change.voiceId });
    // What was rendered ahead in the previous voice must not be heard after this one.
    for (const [kept, { pieces }] of this.#kept) {
      this.#kept.delete(kept);
      this.#keptSamples -= countSamples(pieces);
    }
    this.#onVoiceChanged(change.reason);
  }

  #isInOtherVoice(text: string): boolean {
    const change = this.#otherVoice.get(text);
    return change !== undefined && change.voiceId !== this.#voiceOf(languageOfClause(text).language).voiceId;
  }

  #voiceOf(language: string | null): CallVoice {
    const voice = this.#voices.get(language) ?? this.#voices.get(null);
    if (voice === undefined) throw new Error("a call has a voice");
    return voice;
  }

  #stop(): void {
    const underWay = this.#underWay;
    this.#underWay = null;
    underWay?.controller.abort(new Error("the clause is no longer needed"));
  }
}

function announce(rendered: Rendered): void {
  const { more } = rendered;
  rendered.more = Promise.withResolvers<void>();
  more.resolve();
}

/** What has been rendered so far, followed by the rest. Ends where rendering failed or was cancelled. */
async function* follow(rendered: Rendered, signal: AbortSignal): AsyncGenerator<Int16Array> {
  for (let given = 0; ; given += 1) {
    while (given >= rendered.pieces.length && !rendered.isOver) await rendered.more.promise;
    signal.throwIfAborted();
    const piece = rendered.pieces[given];
    if (piece === undefined) return;
    yield piece;
  }
}
