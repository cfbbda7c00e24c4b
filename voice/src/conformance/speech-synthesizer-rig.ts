import type { SpeechSynthesizer } from "../ports/speech-synthesizer.ts";

/** What the conformance suite needs to know about the synthesizer it examines, made anew for each test. */
export interface SpeechSynthesizerRig {
  readonly synthesizer: SpeechSynthesizer;
  /** Whether the same text always gives the same samples. Engines with chance in them do not promise it. */
  readonly isDeterministic: boolean;
  /** Makes the engine fail while it works on the next request, as engines do. The request after that finds it whole. */
  breakEngineOnce(): void;
  /** Threads, processes, sockets and timers that the synthesizer holds. */
  resourcesHeld(): number;
}
