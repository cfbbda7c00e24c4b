/** The work of the recognizers since they were started. */
export interface RecognitionWork {
  /** The speech in all requests. */
  readonly requestedMs: number;
  /** The speech that was recognized with the small model, which serves everyone on a busy machine. */
  readonly speechMs: number;
  /** How long processes worked on that. */
  readonly workMs: number;
}

/**
 * The speech that a conversation has recognized in a second: callees speak for a third of a call, and most utterances are
 * recognized twice, as a guess and when they are complete.
 */
const SPEECH_PER_CALL = 0.6;
/** Callees who happen to be silent now will speak. */
const SPEECH_PER_CALL_MIN = 0.2;
/** This much time of calls has to be measured before it counts as much as that figure. */
const PRIOR_CALL_MS = 120_000;
/** Conversations change with the agents that are used, the speed of the machine with everything else that runs on it. */
const CALLS_HALF_LIFE_MS = 300_000;
const SPEED_HALF_LIFE_MS = 15_000;
/** Less work than this says nothing about the speed. */
const WORK_MIN_MS = 20;

/** Estimates how much work the recognizers have with one call, from the speed of this moment. */
export class RecognitionDemand {
  #callMs = PRIOR_CALL_MS;
  #requestedMs = PRIOR_CALL_MS * SPEECH_PER_CALL;
  #recent: { speechMs: number; workMs: number };
  #last: RecognitionWork | null = null;

  /** The speed is what was measured when the recognizers were started. */
  constructor(secondsOfSpeechPerSecond: number) {
    const speechMs = SPEED_HALF_LIFE_MS;
    this.#recent = { speechMs, workMs: speechMs / Math.max(secondsOfSpeechPerSecond, 0.01) };
  }

  /** How many seconds one process works for a call in a second. */
  get workPerCall(): number {
    const speechPerCall = Math.max(SPEECH_PER_CALL_MIN, this.#requestedMs / this.#callMs);
    return speechPerCall * (this.#recent.workMs / this.#recent.speechMs);
  }

  /** Adds what happened since the last time, while this many callees were on the line. */
  note(work: RecognitionWork, callsTalking: number, elapsedMs: number): void {
    const last = this.#last ?? work;
    const requestedMs = Math.max(0, work.requestedMs - last.requestedMs);
    const speechMs = Math.max(0, work.speechMs - last.speechMs);
    const workMs = Math.max(0, work.workMs - last.workMs);
    this.#last = work;
    if (callsTalking > 0) {
      const kept = 0.5 ** ((callsTalking * elapsedMs) / CALLS_HALF_LIFE_MS);
      this.#callMs = this.#callMs * kept + callsTalking * elapsedMs;
      this.#requestedMs = this.#requestedMs * kept + requestedMs;
    }
    if (workMs < WORK_MIN_MS || speechMs === 0) return;
    const kept = 0.5 ** (speechMs / SPEED_HALF_LIFE_MS);
    this.#recent = { speechMs: this.#recent.speechMs * kept + speechMs, workMs: this.#recent.workMs * kept + workMs };
  }
}
