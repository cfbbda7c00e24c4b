import { durationMsOf, samplesIn } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import { ProviderError, reasonOf } from "../ports/provider-error.ts";
import type {
  Recognition,
  RecognitionEvent,
  RecognitionQuestion,
  RecognitionStream,
  RecognizedWord,
} from "../ports/speech-recognizer.ts";
import { joinTexts } from "../turns/replies/heard-text.ts";
import type { FollowedWords, UntimedTurnEvent } from "../turns/turn-events.ts";

/** The maximum length of audio per write to the recognizer. */
const PIECE_SAMPLES = samplesIn(200);

/** Words that ended so long before an utterance are not part of it. */
const BEFORE_UTTERANCE_MS = 300;

type ListenerQuestion = Omit<RecognitionQuestion, "signal"> & {
  readonly askId: number;
  readonly isSpeaking: boolean;
};

/**
 * Feeds the callee's audio to the recognizer and requests transcripts. While an utterance is open, the recognizer hears
 * up to the position that speech detection has processed. A stream that follows the whole call hears everything from
 * the answer on, as it arrives. What such a stream reports of its turns becomes what was said in our utterances: a turn
 * may go on after we have taken it, and an utterance may have several.
 */
export class CalleeListener {
  readonly #reader: RingReader;
  readonly #post: (event: UntimedTurnEvent) => void;
  readonly #piece = new Int16Array(PIECE_SAMPLES);
  readonly #asked = new Map<number, AbortController>();
  #stream: RecognitionStream | null = null;
  #isOpen = false;
  #wasWholeCall = false;
  #fromMs = 0;
  /** What was given to the stream, in samples. */
  #fed = 0;
  /** The turns of the open utterance that have ended, and the one in progress as it was reported. */
  #ended: readonly FollowedWords[] = [];
  #turnStartMs = 0;
  #turn: FollowedWords | null = null;
  /** How much of that turn belongs to utterances that are over. */
  #taken: { readonly words: number; readonly untilMs: number } | null = null;
  #judgedPosition = 0;
  #isClosed = false;

  constructor(heard: SharedArrayBuffer, post: (event: UntimedTurnEvent) => void) {
    this.#reader = new RingReader(heard);
    this.#post = post;
  }

  /**
   * Sets the recognizer's stream, in place of the one in use, if any. Takes ownership: it is closed with the listener. An
   * open utterance is heard again from its beginning.
   */
  use(stream: RecognitionStream): void {
    if (this.#isClosed) return stream.close();
    const previous = this.#stream;
    this.#stream = stream;
    if (previous === null) return;
    this.#fed = 0;
    this.#ended = [];
    this.#turn = null;
    this.#taken = null;
    this.#reader.seek(this.#isOpen ? samplesIn(this.#fromMs) : this.#judgedPosition);
    if (this.#isOpen && !this.#isWholeCall) stream.startUtterance();
    previous.close();
    this.#feed();
  }

  /** The callee has answered: a stream that follows the whole call hears everything from here on. */
  start(position: number): void {
    this.#reader.seek(position);
  }

  /** The callee started to speak. */
  open(fromMs: number): void {
    this.#isOpen = true;
    this.#fromMs = fromMs;
    if (this.#isWholeCall) {
      this.#ended = this.#ended.filter(({ untilMs }) => untilMs > fromMs - BEFORE_UTTERANCE_MS);
    } else {
      this.#stream?.startUtterance();
      this.#reader.seek(samplesIn(fromMs));
    }
    this.#feed();
  }

  /** Starts a new utterance; questions about the previous one are still answered. */
  cut(fromMs: number): void {
    this.#feed();
    this.#finishUtterance();
    this.open(fromMs);
  }

  closeUtterance(): void {
    this.#isOpen = false;
    this.#finishUtterance();
  }

  /** Speech detection has processed the audio up to this position. */
  follow(position: number): void {
    this.#judgedPosition = position;
    if (this.#isWholeCall) this.listen();
    else if (this.#isOpen) this.#feed();
  }

  /** Audio may have arrived. A stream that follows the whole call gets it without waiting for speech detection. */
  listen(): void {
    const isWholeCall = this.#isWholeCall;
    // One that replaced another follows the call from where it is.
    if (isWholeCall && !this.#wasWholeCall && this.#fed > 0 && !this.#isOpen)
      this.#reader.seek(this.#reader.writtenPosition);
    this.#wasWholeCall = isWholeCall;
    if (isWholeCall) this.#feed();
  }

  ask({ askId, isSpeaking, ...question }: ListenerQuestion): void {
    this.#feed();
    const controller = new AbortController();
    this.#asked.set(askId, controller);
    // A stream that follows the call is asked to finish only when the callee has.
    const isGuess = question.isGuess || (isSpeaking && this.#isWholeCall);
    void this.#answer(askId, { ...question, isGuess, signal: controller.signal }, this.#fromMs);
  }

  /** A stream that follows the whole call has reported something. */
  hear(event: RecognitionEvent): void {
    if (this.#isClosed) return;
    switch (event.type) {
      case "turn_started":
        this.#turnStartMs = this.#heardMs(event.atMs);
        this.#turn = null;
        this.#taken = null;
        return;
      case "turn_resumed":
        return this.#post({ type: "recognition.turn_resumed" });
      case "failed":
        // Nothing replaces it.
        return this.#post({ type: "engine.failed", reason: reasonOf(event.error) });
      case "turn_updated":
        return this.#post({ type: "recognition.turn_updated", ...this.#wordsOf(event) });
      case "turn_probably_ended":
        return this.#post({ type: "recognition.turn_probably_ended", ...this.#wordsOf(event) });
      case "turn_ended": {
        this.#post({ type: "recognition.turn_ended", ...this.#wordsOf(event) });
        const rest = this.#turn === null ? null : this.#withoutTaken(this.#turn);
        if (rest !== null && rest.text !== "") this.#ended = [...this.#ended, rest];
        this.#turn = null;
        this.#taken = null;
        // What was said outside utterances is not a part of the next one.
        if (!this.#isOpen) this.#finishUtterance();
      }
    }
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
      if (!this.#asked.delete(askId)) return;
      const isProvisional = this.#isWholeCall && question.isGuess;
      const words = this.#placed(recognition.words, this.#isWholeCall ? this.#lineMs(0) : fromMs);
      this.#post(toHeardEvent(askId, recognition, words, isProvisional));
    } catch (error) {
      const isRetryable = error instanceof ProviderError && error.retryable;
      if (this.#asked.delete(askId))
        this.#post({ type: "recognition.failed", askId, isRetryable, reason: reasonOf(error) });
    }
  }

  get #isWholeCall(): boolean {
    return this.#stream?.followsWholeCall === true;
  }

  /** A position of the leg for a time of the stream, which counts what it heard. */
  #lineMs(streamMs: number): number {
    return streamMs + durationMsOf(this.#reader.position - this.#fed);
  }

  /** The same, for a time that a vendor claims: nothing was said before or after what the stream has heard. */
  #heardMs(streamMs: number): number {
    return Math.min(Math.max(this.#lineMs(streamMs), this.#lineMs(0)), durationMsOf(this.#reader.position));
  }

  /**
   * The words at positions of the leg, in order. Clocks of vendors may run ahead, or start again in the middle of a call: then a word lies where
   * the one before it does, or where the audio ends.
   */
  #placed(words: readonly RecognizedWord[], fromMs: number): readonly RecognizedWord[] {
    const untilMs = Math.max(fromMs, durationMsOf(this.#reader.position));
    const within = (ms: number) => Math.min(Math.max(fromMs + ms, fromMs), untilMs);
    return inOrder(words.map((word) => ({ ...word, startMs: within(word.startMs), endMs: within(word.endMs) })));
  }

  /** What was said so far is answered or dismissed. It is announced in the silence after it, so that no word is cut. */
  #finishUtterance(): void {
    if (!this.#isWholeCall) return;
    this.#stream?.startUtterance();
    this.#ended = [];
    if (this.#turn !== null) {
      this.#taken = { words: splitWords(this.#turn.text).length, untilMs: this.#turn.words.at(-1)?.endMs ?? 0 };
    }
  }

  /** Everything said in the open utterance, as of this report. */
  #wordsOf(event: Extract<RecognitionEvent, { type: "turn_updated" | "turn_probably_ended" | "turn_ended" }>) {
    const { text, confidence, language, atMs } = event;
    const words = this.#placed(event.words, this.#lineMs(0));
    const startMs = words[0]?.startMs ?? this.#turnStartMs;
    const untilMs = Math.max(startMs, this.#heardMs(atMs));
    this.#turn = { text, words, confidence, startMs, untilMs, ...(language && { language }) };
    const rest = this.#withoutTaken(this.#turn);
    const fromMs = this.#ended[0]?.startMs ?? rest.startMs;
    return {
      ...rest,
      text: joinTexts([...this.#ended.map((each) => each.text), rest.text]),
      words: inOrder([...this.#ended.flatMap((each) => each.words), ...rest.words]),
      startMs: fromMs,
      untilMs: Math.max(fromMs, rest.untilMs),
    } satisfies FollowedWords;
  }

  #withoutTaken(turn: FollowedWords): FollowedWords {
    if (this.#taken === null) return turn;
    const { words: count, untilMs } = this.#taken;
    if (turn.words.length === 0) {
      return { ...turn, text: splitWords(turn.text).slice(count).join(" "), startMs: this.#fromMs };
    }
    const words = turn.words.filter(({ startMs, endMs }) => (startMs + endMs) / 2 > untilMs);
    // The text has punctuation that the words may lack.
    const written = splitWords(turn.text);
    const isAligned = written.length === turn.words.length;
    const kept = isAligned ? written.slice(-words.length || written.length) : words.map((word) => word.text);
    return {
      ...turn,
      words,
      text: words.length === 0 ? "" : kept.join(" "),
      startMs: words[0]?.startMs ?? turn.untilMs,
    };
  }

  #feed(): void {
    if (this.#stream === null) return;
    const end = this.#isWholeCall ? this.#reader.writtenPosition : this.#judgedPosition;
    for (;;) {
      const left = end - this.#reader.position;
      const wanted = Math.min(left, PIECE_SAMPLES);
      if (wanted <= 0) return;
      const count = this.#reader.read(wanted === PIECE_SAMPLES ? this.#piece : this.#piece.subarray(0, wanted));
      if (count === 0) return;
      this.#stream.hear(this.#piece.subarray(0, count));
      this.#fed += count;
    }
  }
}

function toHeardEvent(
  askId: number,
  recognition: Recognition,
  words: readonly RecognizedWord[],
  isProvisional: boolean,
): UntimedTurnEvent {
  const { text, best, confidence, workMs, language } = recognition;
  return {
    type: "recognition.heard",
    askId,
    text,
    best,
    confidence,
    ...(workMs === undefined ? {} : { workMs }),
    ...(language && { language }),
    ...(isProvisional && { isProvisional }),
    words,
  };
}

/** None begins before the one in front of it, or ends before it begins. */
function inOrder(words: readonly RecognizedWord[]): readonly RecognizedWord[] {
  let earliestMs = Number.NEGATIVE_INFINITY;
  return words.map((word) => {
    earliestMs = Math.max(earliestMs, word.startMs);
    return { ...word, startMs: earliestMs, endMs: Math.max(earliestMs, word.endMs) };
  });
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
