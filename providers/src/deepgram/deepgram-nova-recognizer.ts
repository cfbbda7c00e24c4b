import type { RecognitionQuestion, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { HeardWord } from "../speech/call-transcript.ts";
import {
  createStreamingRecognizer,
  numberIn,
  type StreamingCall,
  type StreamingConversation,
  type VendorMessage,
} from "../speech/streaming-recognizer.ts";
import {
  type DeepgramAccess,
  deepgramAddress,
  deepgramIdentity,
  languageIn,
  novaLanguage,
  withTerms,
  wordsIn,
} from "./deepgram-access.ts";

/** Silence after which the speaker has probably ended: Deepgram's advice for conversations. */
const ENDPOINTING_MS = 300;
/** Silence after which the turn is over: the shortest that Deepgram takes. */
const UTTERANCE_END_MS = 1_000;
/** Deepgram does not promise an answer to `Finalize`; most come within 200 ms. */
const FINALIZE_WITHIN_MS = 1_000;
/** Deepgram closes streams that receive nothing for ten seconds. */
const KEEP_ALIVE_EVERY_MS = 4_000;
/** Results may end a little before the audio does. */
const COVERED_TOLERANCE_MS = 20;

export interface DeepgramNovaOptions extends DeepgramAccess {
  readonly model?: string;
}

/**
 * Deepgram's transcription in many languages (`/v1/listen`). It reports a probable end of the turn after a short
 * silence and an end after a second of it. Needs `PARLEY_DEEPGRAM_API_KEY`.
 */
export function createDeepgramNovaRecognizer(options: DeepgramNovaOptions): SpeechRecognizer {
  const { model = "nova-3" } = options;
  return createStreamingRecognizer({
    ...deepgramIdentity(options),
    clock: options.clock,
    chunkMs: 40,
    keepAlive: { everyMs: KEEP_ALIVE_EVERY_MS, message: { type: "KeepAlive" } },
    address({ language, sampleRateHz, terms }) {
      const query = new URLSearchParams({
        model,
        language: novaLanguage(model, language),
        encoding: "linear16",
        sample_rate: String(sampleRateHz),
        channels: "1",
        interim_results: "true",
        smart_format: "true",
        endpointing: String(ENDPOINTING_MS),
        utterance_end_ms: String(UTTERANCE_END_MS),
      });
      withTerms(query, model.startsWith("nova-3") ? "keyterm" : "keywords", terms);
      return deepgramAddress(options, "/v1/listen", query);
    },
    start: (call) => new NovaConversation(call),
  });
}

class NovaConversation implements StreamingConversation {
  readonly #call: StreamingCall;
  /** The final words of the current turn. */
  #turnWords: HeardWord[] = [];
  /** Audio up to here has its final words. */
  #coveredMs = 0;
  #finalizesSent = 0;
  #finalizesAnswered = 0;

  constructor(call: StreamingCall) {
    this.#call = call;
  }

  receive(message: VendorMessage): void {
    if (message.type === "Results") this.#takeResults(message);
    else if (message.type === "UtteranceEnd") this.#endUtterance(numberIn(message, "last_word_end") * 1000);
  }

  async complete(sentMs: number, question: RecognitionQuestion): Promise<void> {
    const isCovered = () => this.#coveredMs >= sentMs - COVERED_TOLERANCE_MS;
    if (isCovered()) return;
    this.#call.send({ type: "Finalize" });
    this.#finalizesSent += 1;
    const request = this.#finalizesSent;
    const isDone = () => isCovered() || this.#finalizesAnswered >= request;
    if (!(await this.#call.until(isDone, FINALIZE_WITHIN_MS, question.signal))) this.#call.throwIfMissed(question);
  }

  #takeResults(message: VendorMessage): void {
    const startMs = numberIn(message, "start") * 1000;
    const endMs = startMs + numberIn(message, "duration") * 1000;
    const isFinal = message.is_final === true;
    const isAnswer = message.from_finalize === true;
    if (isAnswer) this.#finalizesAnswered += 1;
    // A message that comes twice or late: its audio is settled.
    if (startMs < this.#coveredMs - COVERED_TOLERANCE_MS) return;
    const alternative = firstAlternative(message);
    const words = wordsIn(alternative, startMs, endMs);
    const language = languageIn(alternative);
    const { transcript, turns } = this.#call;
    transcript.add(words, isFinal, language);
    const all = [...this.#turnWords, ...words];
    if (isFinal) {
      this.#coveredMs = Math.max(this.#coveredMs, endMs);
      this.#turnWords = all;
    }
    if (isFinal && isAnswer) this.#endTurn(language);
    else if (isFinal && message.speech_final === true) turns.probableEnd(all, language);
    else turns.update(all, language);
  }

  #endUtterance(lastWordEndMs: number): void {
    const last = this.#turnWords.at(-1);
    // It is about an earlier turn if the speaker has gone on.
    if (last && last.endMs <= lastWordEndMs + COVERED_TOLERANCE_MS) this.#endTurn();
  }

  #endTurn(language?: string): void {
    this.#call.turns.end(this.#turnWords, language);
    this.#turnWords = [];
  }
}

function firstAlternative(message: VendorMessage): VendorMessage {
  const { channel } = message;
  const alternatives = channel instanceof Object && "alternatives" in channel ? channel.alternatives : null;
  const first: unknown = Array.isArray(alternatives) ? alternatives[0] : null;
  if (!(first instanceof Object)) throw new TypeError("the results have no alternatives");
  return first as VendorMessage;
}
