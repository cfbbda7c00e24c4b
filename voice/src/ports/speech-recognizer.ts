import type { ProviderError } from "./provider-error.ts";

/**
 * The port to an engine that turns speech into text. Recognition works by utterance: a stretch of audio cut out by
 * speech detection. Both streaming engines and engines that process a finished utterance fit: the former have their
 * text ready when it is requested, the latter start to work then. An engine that follows the whole call may also
 * report turns by itself (`RecognitionEvent`).
 */
export interface SpeechRecognizer {
  readonly name: string;
  /** Rejects with a ProviderError if it is unavailable. */
  open(request: RecognitionRequest): Promise<RecognitionStream>;
  close(): Promise<void>;
}

export interface RecognitionRequest {
  /** A BCP 47 tag. */
  readonly language: string;
  /** Usually 8 kHz telephone audio. */
  readonly sampleRateHz: number;
  /** Names, products and places that are likely to occur. Engines that can favor them do. */
  readonly terms?: readonly string[];
  /** Called by a stream that follows the whole call, never after it was closed. */
  readonly onEvent?: (event: RecognitionEvent) => void;
  /** Called when the recognizer failed and another one continues in its place. */
  readonly onReplaced?: (change: RecognizerChange) => void;
}

export interface RecognizerChange {
  /** The recognizer that works now. */
  readonly recognizer: string;
  readonly reason: string;
}

/** The recognition of one call. Not for concurrent use. */
export interface RecognitionStream {
  /**
   * The stream needs all audio of the call, in order and with its silences, because it finds turns itself. Utterances
   * are still announced, in the silence between them, and what is said in one can still be requested: a guess is
   * answered at once with what is known so far, anything else when all audio was processed. Omitted: only utterances
   * are sent.
   */
  readonly followsWholeCall?: boolean;
  /** More of the current utterance, or of the call. The samples are copied. */
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
  /**
   * Where each word lies in the utterance, or, if the stream follows the whole call, in all audio that it heard. Empty
   * when the engine does not know.
   */
  readonly words: readonly RecognizedWord[];
  /** The best of the expected answers, null when none was given or none fits at all. */
  readonly best: ExpectedAnswerScore | null;
  /** The engine's confidence in the text, from 0 to 1; null if unknown. */
  readonly confidence: number | null;
  /** The language that was spoken, as a BCP 47 tag, if the engine identifies languages. */
  readonly language?: string;
  /** How long it was worked on. The rest of the time, the request waited for its turn. Left out if unknown. */
  readonly workMs?: number;
}

/**
 * What an engine that follows the whole call reports by itself. Times count from the first sample that it heard. A turn
 * begins with `turn_started` and ends with `turn_ended`; in between come any number of updates, and of probable ends,
 * each of which `turn_resumed` takes back before another update. A turn has only its own words: turns do not depend on
 * `startUtterance`. A request may end the current turn; what follows is another.
 */
export type RecognitionEvent =
  | { readonly type: "turn_started"; readonly atMs: number }
  /** The whole text of the turn so far, which replaces what was reported before. */
  | (TurnText & { readonly type: "turn_updated" })
  /** The turn is probably over: a reply may be prepared. */
  | (TurnText & { readonly type: "turn_probably_ended" })
  /** The callee goes on after all. */
  | { readonly type: "turn_resumed"; readonly atMs: number }
  | (TurnText & { readonly type: "turn_ended" })
  /** The connection is lost for good: the stream reports nothing more, and requests reject. */
  | { readonly type: "failed"; readonly error: ProviderError };

interface TurnText {
  readonly text: string;
  readonly words: readonly RecognizedWord[];
  readonly confidence: number | null;
  readonly language?: string;
  /** The end of the last word, or of the audio that was processed. */
  readonly atMs: number;
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
