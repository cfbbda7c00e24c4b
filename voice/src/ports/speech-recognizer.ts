/**
 * The port to whatever turns speech into text. Recognition goes by utterance: a stretch of sound that speech detection
 * has cut out. Engines that listen all the time and engines that look at a finished utterance both fit: the one has its
 * text ready when it is asked, the other begins to work then.
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
  /** 8 kHz sound of a telephone is the usual. */
  readonly sampleRateHz: number;
}

/** The recognition of one call. Not for concurrent use. */
export interface RecognitionStream {
  /** More of the utterance that is being spoken. The samples are copied. */
  hear(samples: Int16Array): void;
  /**
   * What the utterance says so far. May be asked before its end, on a guess that it is over: when it then goes on, abort
   * the signal and ask again later. Rejects with a ProviderError, or with the signal's reason.
   */
  recognize(question: RecognitionQuestion): Promise<Recognition>;
  /** The utterance is over: what is heard next belongs to another. */
  startUtterance(): void;
  /** Ends what is under way. Nothing is reported afterwards. */
  close(): void;
}

export interface RecognitionQuestion {
  /** Answers that would be no surprise. The recognizer says which of them fits best, and how well. */
  readonly expected: readonly string[];
  /** Speech detection is sure: an empty text would be a mistake. */
  readonly isSpeechCertain: boolean;
  /** Asked on a guess that the utterance is over: it yields to requests whose result is needed now. */
  readonly isGuess: boolean;
  readonly signal?: AbortSignal;
}

export interface Recognition {
  readonly text: string;
  /** Where each word lies in the utterance. Empty when the engine does not know. */
  readonly words: readonly RecognizedWord[];
  /** The best of the expected answers, null when none was given or none fits at all. */
  readonly best: ExpectedAnswerScore | null;
  /** How sure the engine is of the text, from 0 to 1; null when it does not say. */
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
