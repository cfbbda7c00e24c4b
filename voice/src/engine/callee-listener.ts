import { samplesIn } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import { ProviderError, reasonOf } from "../ports/provider-error.ts";
import type { Recognition, RecognitionQuestion, RecognitionStream } from "../ports/speech-recognizer.ts";
import type { UntimedTurnEvent } from "../turns/turn-events.ts";

/** The maximum length of audio per write to the recognizer. */
const PIECE_SAMPLES = samplesIn(200);

type ListenerQuestion = Omit<RecognitionQuestion, "signal"> & { readonly askId: number };

/**
 * Feeds the callee's audio to the recognizer and requests transcripts. It follows the ring only while an
 * utterance is open, up to the position that speech detection has processed.
 */
export class CalleeListener {
  readonly #reader: RingReader;
  readonly #post: (event: UntimedTurnEvent) => void;
  readonly #piece = new Int16Array(PIECE_SAMPLES);
  readonly #asked = new Map<number, AbortController>();
  #stream: RecognitionStream | null = null;
  #isOpen = false;
  #fromMs = 0;
  #judgedPosition = 0;
  #isClosed = false;

  constructor(heard: SharedArrayBuffer, post: (event: UntimedTurnEvent) => void) {
    this.#reader = new RingReader(heard);
    this.#post = post;
  }

  /** Sets the recognizer's stream. Takes ownership: it is closed with the listener. */
  use(stream: RecognitionStream): void {
    if (this.#isClosed) stream.close();
    else this.#stream = stream;
  }

  /** The callee started to speak. */
  open(fromMs: number): void {
    this.#stream?.startUtterance();
    this.#isOpen = true;
    this.#fromMs = fromMs;
    this.#reader.seek(samplesIn(fromMs));
    this.#feed();
  }

  /** Starts a new utterance; questions about the previous one are still answered. */
  cut(fromMs: number): void {
    this.#feed();
    this.open(fromMs);
  }

  closeUtterance(): void {
    this.#isOpen = false;
  }

  /** Speech detection has processed the audio up to this position. */
  follow(position: number): void {
    this.#judgedPosition = position;
    if (this.#isOpen) this.#feed();
  }

  ask({ askId, ...question }: ListenerQuestion): void {
    this.#feed();
    const controller = new AbortController();
    this.#asked.set(askId, controller);
    void this.#answer(askId, { ...question, signal: controller.signal }, this.#fromMs);
  }

  abort(askId: number): void {
    const controller = this.#asked.get(askId);
    this.#asked.delete(askId);
    controller?.abort(new Error("the words are no longer needed"));
  }

  close(): void {
    this.#isClosed = true;
    this.#isOpen = false;
    for (const askId of [...this.#asked.keys()]) this.abort(askId);
    this.#stream?.close();
    this.#stream = null;
  }

  async #answer(askId: number, question: RecognitionQuestion, fromMs: number): Promise<void> {
    try {
      if (this.#stream === null)
        throw new ProviderError("recognition", "the stream is not open yet", { retryable: false });
      const recognition = await this.#stream.recognize(question);
      if (this.#asked.delete(askId)) this.#post(heardNews(askId, recognition, fromMs));
    } catch (error) {
      const isRetryable = error instanceof ProviderError && error.retryable;
      if (this.#asked.delete(askId))
        this.#post({ type: "recognition.failed", askId, isRetryable, reason: reasonOf(error) });
    }
  }

  #feed(): void {
    if (this.#stream === null) return;
    for (;;) {
      const left = this.#judgedPosition - this.#reader.position;
      const wanted = Math.min(left, PIECE_SAMPLES);
      if (wanted <= 0) return;
      const count = this.#reader.read(wanted === PIECE_SAMPLES ? this.#piece : this.#piece.subarray(0, wanted));
      if (count === 0) return;
      this.#stream.hear(this.#piece.subarray(0, count));
    }
  }
}

/** The times of words are relative to the start of the audio. */
function heardNews(askId: number, recognition: Recognition, fromMs: number): UntimedTurnEvent {
  const { text, words, best, confidence, workMs } = recognition;
  return {
    type: "recognition.heard",
    askId,
    text,
    best,
    confidence,
    ...(workMs === undefined ? {} : { workMs }),
    words: words.map((word) => ({ ...word, startMs: fromMs + word.startMs, endMs: fromMs + word.endMs })),
  };
}
