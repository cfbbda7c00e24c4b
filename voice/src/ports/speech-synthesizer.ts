/**
 * The port to an engine that turns text into speech. One clause at a time, so that audio starts early; a voice sounds
 * the same from clause to clause.
 */
export interface SpeechSynthesizer {
  readonly name: string;
  readonly voices: readonly SpeechVoice[];
  /**
   * Speaks one clause. Samples come in order and in pieces of any length, at the requested rate. The iteration ends
   * after the last one, throws a ProviderError when the engine failed, and throws the signal's reason soon after it was
   * aborted. What was given before stays valid: pieces are copies.
   */
  speak(request: SpeechRequest): AsyncIterable<Int16Array>;
  /** Aborts what is in progress and releases threads and processes. Takes a bounded time. */
  close(): Promise<void>;
}

export interface SpeechVoice {
  readonly id: string;
  /** A BCP 47 tag. */
  readonly language: string;
  /** What it sounds like, in a few words for people. */
  readonly description: string;
}

export interface SpeechRequest {
  readonly text: string;
  readonly voiceId: string;
  readonly sampleRateHz: 8_000 | 16_000 | 24_000 | 48_000;
  /** The language of the text, as a BCP 47 tag, for voices that speak several. Omitted: such a voice tells it from the text. */
  readonly language?: string;
  readonly signal?: AbortSignal;
  /** It is not needed yet: requests that are needed now go first. */
  readonly isAhead?: boolean;
  /** For a request that is ahead: resolves when it is needed after all, with `dueInMs` as of that moment. */
  readonly whenNeeded?: Promise<number>;
  /** How long the preceding audio still plays; until then, other calls may go first. By default nothing plays. */
  readonly dueInMs?: number;
  /**
   * Called by voices that know where the written words of the text lie in the audio, in order. A voice that learns it
   * while it speaks calls this again: each list replaces the previous one and begins with the same words. A word is in
   * the list before the end of its audio is returned.
   */
  readonly onWordTimes?: (times: readonly WordTime[]) => void;
  /**
   * The callee has heard this voice. A voice of this machine then fails rather than be replaced by one of another kind; only
   * the voice of another vendor that was configured to follow may take over.
   */
  readonly keepsVoice?: boolean;
  /** Called when another voice than the requested one speaks the clause, or from here on the rest of it. */
  readonly onVoiceChanged?: (change: VoiceChange) => void;
}

/** The position of a word, counted from the beginning of its clause. */
export interface WordTime {
  readonly startMs: number;
  readonly endMs: number;
}

export interface VoiceChange {
  /** The voice that speaks now. */
  readonly voiceId: string;
  readonly reason: string;
}
