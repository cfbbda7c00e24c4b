/**
 * The port to an engine that turns speech into text. Recognition works by utterance: a stretch of audio cut out by
 * speech detection. Both streaming engines and engines that process a finished utterance fit: the former have their
 * text ready when it is requested, the latter start to work then.
 */
export interface SpeechRecognizer {
  readonly name: string;
  /** Rejects with a ProviderError if it is unavailable. */
  open(request: RecognitionRequest): Promise<RecognitionStream>;
  close(): Promise<void>;
}

interface RecognitionRequest {
  /** A BCP 47 tag. */
  readonly language: string;
  /** Usually 8 kHz telephone audio. */
  readonly sampleRateHz: number;
}

/** The recognition of one call. Not for concurrent use. */
export interface RecognitionStream {
  /** More of the current utterance. The samples are copied. */
  hear(samples: Int16Array): void;
  /**
   * What the utterance says so far. May be requested speculatively before its end: if the utterance then continues,
   * abort the signal and request it again later. Rejects with a ProviderError, or with the signal's reason.
   */
  recognize(question: RecognitionQuestion): Promise<Recognition>;
  /** The utterance is over: audio after this belongs to another. */
  startUtterance(): void;
  /** Aborts what is in progress. Nothing is reported afterwards. */
  close(): void;
}

export interface RecognitionQuestion {
  /** Expected answers. The recognizer reports which of them fits best, and how well. */
  readonly expected: readonly string[];
  /** Speech detection is certain: an empty text would be a mistake. */
  readonly isSpeechCertain: boolean;
  /** Requested speculatively: it yields to requests whose result is needed now. */
  readonly isGuess: boolean;
  readonly signal?: AbortSignal;
}

export interface Recognition {
  readonly text: string;
  /** Where each word lies in the utterance. Empty when the engine does not know. */
  readonly words: readonly RecognizedWord[];
  /** The best of the expected answers, null when none was given or none fits at all. */
  readonly best: ExpectedAnswerScore | null;
  /** The engine's confidence in the text, from 0 to 1; null if unknown. */
  readonly confidence: number | null;
}

export interface RecognizedWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface ExpectedAnswerScore {
  readonly answer: string;
  /** From 0 to 1, comparable between questions. */
  readonly score: number;
  /** How far ahead of the second best it is. */
  readonly margin: number;
}
