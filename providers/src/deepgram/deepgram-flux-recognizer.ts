import { ProviderError } from "@parley/voice/ports/provider-error";
import type { RecognitionQuestion, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import {
  createStreamingRecognizer,
  numberIn,
  type StreamingCall,
  type StreamingConversation,
  type VendorMessage,
} from "../speech/streaming-recognizer.ts";
import {
  DEEPGRAM,
  type DeepgramAccess,
  deepgramAddress,
  deepgramIdentity,
  fluxModel,
  languageIn,
  withTerms,
  wordsIn,
} from "./deepgram-access.ts";

/** Lower values start replies earlier, and more of them in vain. */
const EAGER_END_THRESHOLD = 0.4;
/** Flux reports every 250 ms of audio: after this, a report about the last audio is overdue. */
const CATCH_UP_WITHIN_MS = 400;
const END_TURN_WITHIN_MS = 1_000;
/** Reports end with a piece of audio, not with the last sample. */
const COVERED_TOLERANCE_MS = 100;
/** Further behind than this, Flux is not just working on the last words. */
const BEHIND_MAX_MS = 1_000;

export interface DeepgramFluxOptions extends DeepgramAccess {
  /** By default English has a model of its own, and nine other languages share one. */
  readonly model?: string;
  /** From 0.3 to 0.9. */
  readonly eagerEndThreshold?: number;
  /** From 0.5 to 1. By default Deepgram's own. */
  readonly endThreshold?: number;
}

/**
 * Deepgram's transcription for conversations, which finds turns by itself (`/v2/listen`). Needs
 * `PARLEY_DEEPGRAM_API_KEY`.
 */
export function createDeepgramFluxRecognizer(options: DeepgramFluxOptions): SpeechRecognizer {
  return createStreamingRecognizer({
    ...deepgramIdentity(options),
    clock: options.clock,
    // What Deepgram recommends for Flux.
    chunkMs: 80,
    address({ language, sampleRateHz, terms }) {
      const { model, hint } = fluxModel(options.model, language);
      const query = new URLSearchParams({
        model,
        encoding: "linear16",
        sample_rate: String(sampleRateHz),
        eager_eot_threshold: String(options.eagerEndThreshold ?? EAGER_END_THRESHOLD),
      });
      if (options.endThreshold !== undefined) query.set("eot_threshold", String(options.endThreshold));
      if (hint !== null) query.set("language_hint", hint);
      withTerms(query, "keyterm", terms);
      return deepgramAddress(options, "/v2/listen", query);
    },
    start: (call) => new FluxConversation(call),
  });
}

interface PendingRequest {
  /** The turn that was to end for this request; null if that was not requested yet. */
  forcedTurn: number | null;
}

class FluxConversation implements StreamingConversation {
  readonly #call: StreamingCall;
  #lastSequence = -1;
  /** Turns before this one have ended. */
  #turnIndex = 0;
  /** Audio up to here is transcribed. */
  #coveredMs = 0;
  readonly #pending = new Set<PendingRequest>();

  constructor(call: StreamingCall) {
    this.#call = call;
  }

  receive(message: VendorMessage): void {
    if (message.type === "Error") throw explainError(message);
    const sequence = numberIn(message, "sequence_id");
    // A message that comes twice or late.
    if (sequence <= this.#lastSequence) return;
    this.#lastSequence = sequence;
    if (message.type === "TurnInfo") this.#takeTurnInfo(message);
  }

  async complete(sentMs: number, question: RecognitionQuestion): Promise<void> {
    const { turns } = this.#call;
    const request: PendingRequest = { forcedTurn: null };
    const isReady = () =>
      request.forcedTurn !== null ||
      turns.state === "probably_ended" ||
      this.#coveredMs >= sentMs - COVERED_TOLERANCE_MS;
    this.#pending.add(request);
    try {
      const isInTime = await this.#call.until(isReady, CATCH_UP_WITHIN_MS, question.signal);
      if (!isInTime && this.#coveredMs < sentMs - BEHIND_MAX_MS) this.#call.throwIfMissed(question);
      if (request.forcedTurn === null) {
        if (turns.state === "none") return;
        this.#forceEnd(request);
      }
      const hasEnded = () => this.#turnIndex > (request.forcedTurn ?? 0);
      // Servers of the operator do not know `ForceEndTurn`; then the text so far is the answer.
      const isEnded = await this.#call.until(hasEnded, END_TURN_WITHIN_MS, question.signal);
      if (isEnded) this.#coveredMs = Math.max(this.#coveredMs, sentMs);
    } finally {
      this.#pending.delete(request);
    }
  }

  startUtterance(): void {
    for (const request of this.#pending) if (request.forcedTurn === null) this.#forceEnd(request);
  }

  #forceEnd(request: PendingRequest): void {
    request.forcedTurn = this.#turnIndex;
    this.#call.send({ type: "ForceEndTurn" });
  }

  #takeTurnInfo(message: VendorMessage): void {
    const turnIndex = numberIn(message, "turn_index");
    if (turnIndex < this.#turnIndex) return;
    const fromMs = numberIn(message, "audio_window_start") * 1000;
    const toMs = numberIn(message, "audio_window_end") * 1000;
    const words = wordsIn(message, fromMs, toMs);
    const language = languageIn(message);
    const { transcript, turns } = this.#call;
    const isEnd = message.event === "EndOfTurn";
    this.#coveredMs = Math.max(this.#coveredMs, toMs);
    transcript.add(words, isEnd, language);
    if (isEnd) {
      this.#turnIndex = turnIndex + 1;
      turns.end(words, language);
    } else if (message.event === "EagerEndOfTurn") turns.probableEnd(words, language);
    else {
      if (message.event === "TurnResumed") turns.resume();
      turns.update(words, language);
    }
  }
}

function explainError({ code, description }: VendorMessage): ProviderError {
  const name = typeof code === "string" ? code.slice(0, 60) : "no code";
  const detail = typeof description === "string" ? `: ${description.slice(0, 200)}` : "";
  return new ProviderError(DEEPGRAM, `Deepgram reports ${name}${detail}`, {
    retryable: !/UNPARSABLE|INVALID|UNAUTHORIZED|FORBIDDEN|PAYMENT/.test(name),
  });
}
