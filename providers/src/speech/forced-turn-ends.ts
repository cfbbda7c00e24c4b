import type { RecognitionQuestion } from "@parley/voice/ports/speech-recognizer";
import type { StreamingCall, StreamingConversation } from "./streaming-recognizer.ts";

/** Most ends of turns that are forced come within 300 ms. */
const END_TURN_WITHIN_MS = 1_000;
/** Speech that is new would be reported within this. */
const CATCH_UP_WITHIN_MS = 300;

interface PendingRequest {
  /** How many turns had ended when the end of one was requested; null if that was not requested yet. */
  endedBefore: number | null;
}

/**
 * Answers requests for a final text with vendors that do not say how much audio they have processed: the end of the turn
 * is requested and waited for, unless it has come by itself.
 */
export class ForcedTurnEnds implements Pick<StreamingConversation, "complete" | "startUtterance"> {
  readonly #call: StreamingCall;
  readonly #force: () => void;
  readonly #pending = new Set<PendingRequest>();
  #endedTurns = 0;
  /** Audio up to here was requested and transcribed. */
  #completeMs = -1;

  /** `force` sends the vendor's request to end the turn. */
  constructor(call: StreamingCall, force: () => void) {
    this.#call = call;
    this.#force = force;
  }

  /** A turn has ended, or the vendor has answered that there is none. */
  noteEnd(): void {
    this.#endedTurns += 1;
  }

  async complete(sentMs: number, question: RecognitionQuestion): Promise<void> {
    if (sentMs === this.#completeMs) return;
    const { turns, transcript } = this.#call;
    const request: PendingRequest = { endedBefore: null };
    this.#pending.add(request);
    try {
      // The turn has ended by itself, and there may be more.
      if (turns.state === "none" && transcript.wordsOf(transcript.utterance).length > 0) {
        const isMore = () => turns.state !== "none" || request.endedBefore !== null;
        if (!(await this.#call.until(isMore, CATCH_UP_WITHIN_MS, question.signal))) return;
      }
      if (request.endedBefore === null) this.#forceEnd(request);
      const hasEnded = () => this.#endedTurns > (request.endedBefore ?? 0);
      const isInTime = await this.#call.until(hasEnded, END_TURN_WITHIN_MS, question.signal);
      if (isInTime) this.#completeMs = Math.max(this.#completeMs, sentMs);
      else this.#call.throwIfMissed(question);
    } finally {
      this.#pending.delete(request);
    }
  }

  startUtterance(): void {
    for (const request of this.#pending) if (request.endedBefore === null) this.#forceEnd(request);
  }

  #forceEnd(request: PendingRequest): void {
    request.endedBefore = this.#endedTurns;
    this.#force();
  }
}
