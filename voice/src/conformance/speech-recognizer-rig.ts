import type { SpeechRecognizer } from "../ports/speech-recognizer.ts";

/** What the conformance suite needs to know about the recognizer it examines, made anew for each test. */
export interface SpeechRecognizerRig {
  readonly recognizer: SpeechRecognizer;
  /** A text as 8 kHz sound that the recognizer understands. */
  speak(text: string): Promise<Int16Array>;
  /** Makes the engine fail while it works on the next question, as engines do. The one after that finds it whole. */
  breakEngineOnce(): void;
  /** Streams that are open, and threads, processes and sockets that nobody asked to keep. */
  resourcesHeld(): number;
}
