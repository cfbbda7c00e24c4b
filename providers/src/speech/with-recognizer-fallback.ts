import { durationMsOf, samplesIn } from "@parley/audio/frame";
import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
import { ProviderError, reasonOf } from "@parley/voice/ports/provider-error";
import type {
  Recognition,
  RecognitionEvent,
  RecognitionQuestion,
  RecognitionRequest,
  RecognitionStream,
  RecognizedWord,
  SpeechRecognizer,
} from "@parley/voice/ports/speech-recognizer";

export interface RecognizerFallbackOptions {
  readonly clock: Clock;
  /** How long each recognizer may take to open. In a call, it decides how soon a failed one is replaced. */
  readonly openWithinMs?: number;
  /** How long a request may take. A recognizer that takes longer has failed. */
  readonly answerWithinMs?: number;
  /** How long one that failed is tried after the others, so that not every call waits for it. */
  readonly restMs?: number;
  /** Until when those that failed rest. Shared by compositions of the same recognizers, such as those of each call. */
  readonly rests?: RecognizerRests;
  /** Called on every failure, including those that the callee never notices. */
  readonly onFailure?: (failure: ProviderError) => void;
}

interface RecognizerRests {
  readonly untilMs: Map<unknown, number>;
  /** What is the same for a recognizer in every composition. */
  keyOf(recognizer: SpeechRecognizer): unknown;
}

type Limits = Required<Omit<RecognizerFallbackOptions, "onFailure" | "rests">> &
  Pick<RecognizerFallbackOptions, "onFailure">;

/** The longest utterance that is recognized in one piece; more cannot be replayed. */
const KEPT_SAMPLES_MAX = samplesIn(15_000);

/**
 * One recognizer composed of several. When the one in use fails during a call, the next is opened and hears the audio of
 * the open utterance again, so that no words are lost. The call stays with it.
 */
export function withRecognizerFallback(
  recognizers: readonly SpeechRecognizer[],
  options: RecognizerFallbackOptions,
): SpeechRecognizer {
  if (recognizers.length === 0) throw new Error("there must be at least one recognizer");
  const limits: Limits = { openWithinMs: 1_000, answerWithinMs: 2_500, restMs: 30_000, ...options };
  const rests: RecognizerRests = options.rests ?? { untilMs: new Map(), keyOf: (recognizer) => recognizer };

  function noteFailure(recognizer: SpeechRecognizer, failure: ProviderError): void {
    rests.untilMs.set(rests.keyOf(recognizer), limits.clock.now() + Math.max(limits.restMs, failure.retryAfterMs ?? 0));
    limits.onFailure?.(failure);
  }

  return {
    name: recognizers.map(({ name }) => name).join(", else "),
    async open(request) {
      const restOf = (each: SpeechRecognizer) =>
        Math.max(0, (rests.untilMs.get(rests.keyOf(each)) ?? 0) - limits.clock.now());
      const inOrder = recognizers.toSorted((one, other) => restOf(one) - restOf(other));
      const stream = new FallbackStream(inOrder, request, limits, noteFailure);
      await stream.openNext(null);
      return stream;
    },
    async close() {
      await Promise.all(recognizers.map((recognizer) => recognizer.close()));
    },
  };
}

type TurnText = Extract<RecognitionEvent, { type: "turn_ended" }>;

/** The stream in use, and where the audio that it heard begins in the call. */
interface InUse {
  readonly recognizer: SpeechRecognizer;
  readonly stream: RecognitionStream;
  readonly startSample: number;
  /** It took over within the utterance with this number. */
  readonly sinceUtterance: number;
}

class FallbackStream implements RecognitionStream {
  readonly #waiting: SpeechRecognizer[];
  readonly #request: RecognitionRequest;
  readonly #limits: Limits;
  readonly #noteFailure: (recognizer: SpeechRecognizer, failure: ProviderError) => void;
  readonly #closing = new AbortController();
  #inUse: InUse | null = null;
  #replacing: Promise<void> | null = null;
  #lost: ProviderError | null = null;
  #followsWholeCall = false;
  /** The audio of the open utterance, without turns that have ended, and where it begins. */
  #kept: Int16Array[] = [];
  #keptSamples = 0;
  #heard = 0;
  #utterance = 0;
  #isInTurn = false;
  /** The turns of the open utterance that have ended, and those of them that the stream in use did not hear. */
  #ended: readonly TurnText[] = [];
  #carried: readonly TurnText[] = [];

  constructor(
    recognizers: readonly SpeechRecognizer[],
    request: RecognitionRequest,
    limits: Limits,
    noteFailure: (recognizer: SpeechRecognizer, failure: ProviderError) => void,
  ) {
    this.#waiting = [...recognizers];
    this.#request = request;
    this.#limits = limits;
    this.#noteFailure = noteFailure;
  }

  get followsWholeCall(): boolean {
    return this.#followsWholeCall;
  }

  hear(samples: Int16Array): void {
    if (this.#closing.signal.aborted) return;
    const copy = samples.slice();
    this.#kept.push(copy);
    this.#keptSamples += copy.length;
    this.#heard += copy.length;
    if (this.#keptSamples > KEPT_SAMPLES_MAX) this.#forget(this.#keptSamples - KEPT_SAMPLES_MAX);
    this.#inUse?.stream.hear(copy);
  }

  startUtterance(): void {
    this.#utterance += 1;
    this.#forget(this.#keptSamples);
    this.#ended = [];
    this.#carried = [];
    this.#inUse?.stream.startUtterance();
  }

  async recognize(question: RecognitionQuestion): Promise<Recognition> {
    const utterance = this.#utterance;
    for (;;) {
      question.signal?.throwIfAborted();
      if (this.#replacing !== null) await this.#unlessWithdrawn(this.#replacing, question.signal);
      if (this.#lost !== null) throw this.#lost;
      this.#closing.signal.throwIfAborted();
      const inUse = this.#inUse;
      if (inUse === null) throw new ProviderError("recognition", "no recognizer is open", { retryable: false });
      try {
        return this.#complete(await this.#ask(inUse, question), inUse);
      } catch (error) {
        question.signal?.throwIfAborted();
        // The audio of an utterance that is over cannot be replayed.
        if (!(error instanceof ProviderError) || this.#closing.signal.aborted || utterance !== this.#utterance)
          throw error;
        this.#replace(inUse, error);
      }
    }
  }

  close(): void {
    this.#closing.abort(new ProviderError("recognition", "the call is over", { retryable: false }));
    this.#inUse?.stream.close();
    this.#inUse = null;
    this.#forget(this.#keptSamples);
  }

  /** Opens the next recognizer that can be opened. Rejects when there is none. */
  async openNext(before: ProviderError | null): Promise<void> {
    let failure = before;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        const opened = await this.#openWithin(next);
        if (opened === null) return;
        const reason = failure === null ? null : reasonOf(failure);
        this.#take(next, opened);
        if (reason !== null) this.#request.onReplaced?.({ recognizer: next.name, reason });
        return;
      } catch (error) {
        failure = asFailure(next, error);
        this.#noteFailure(next, failure);
      }
    }
    throw failure;
  }

  /** Null if the call is over. */
  async #openWithin(recognizer: SpeechRecognizer): Promise<RecognitionStream | null> {
    const { clock, openWithinMs } = this.#limits;
    const opening = recognizer.open({
      ...this.#request,
      onEvent: (event) => this.#hearEvent(recognizer, event),
    });
    const waited = await waitFor(clock, openWithinMs, opening, this.#closing.signal);
    if (waited.type === "done" && !this.#closing.signal.aborted) return waited.value;
    opening.then(
      (stream) => stream.close(),
      () => undefined,
    );
    if (waited.type === "late") {
      throw new ProviderError(recognizer.name, `${recognizer.name} did not open within ${openWithinMs} ms`, {
        retryable: true,
      });
    }
    return null;
  }

  /** The stream hears what is kept of the open utterance, and everything from now on. */
  #take(recognizer: SpeechRecognizer, stream: RecognitionStream): void {
    const startSample = this.#heard - this.#keptSamples;
    this.#carried = this.#ended;
    this.#inUse = { recognizer, stream, startSample, sinceUtterance: this.#utterance };
    this.#followsWholeCall = stream.followsWholeCall === true;
    for (const samples of [...this.#kept]) stream.hear(samples);
  }

  #replace(failed: InUse, failure: ProviderError): void {
    if (this.#inUse !== failed) return;
    this.#inUse = null;
    failed.stream.close();
    this.#noteFailure(failed.recognizer, failure);
    this.#replacing = this.openNext(failure).then(
      () => {
        this.#replacing = null;
      },
      (error: unknown) => {
        this.#replacing = null;
        this.#lost = asFailure(failed.recognizer, error);
        if (!this.#closing.signal.aborted) this.#request.onEvent?.({ type: "failed", error: this.#lost });
      },
    );
  }

  #hearEvent(recognizer: SpeechRecognizer, event: RecognitionEvent): void {
    const { onEvent } = this.#request;
    const inUse = this.#inUse;
    if (this.#closing.signal.aborted || inUse?.recognizer !== recognizer) return;
    const fromMs = durationMsOf(inUse.startSample);
    switch (event.type) {
      case "failed":
        return this.#replace(inUse, event.error);
      case "turn_started": {
        // A turn that was in progress when the recognizer was replaced goes on.
        const goesOn = this.#isInTurn;
        this.#isInTurn = true;
        if (!goesOn) onEvent?.({ ...event, atMs: event.atMs + fromMs });
        return;
      }
      case "turn_resumed":
        return onEvent?.({ ...event, atMs: event.atMs + fromMs });
      default: {
        const placed = { ...event, words: shift(event.words, fromMs), atMs: event.atMs + fromMs };
        if (placed.type === "turn_ended") {
          this.#isInTurn = false;
          this.#ended = [...this.#ended, placed];
          this.#forget(samplesIn(placed.atMs) - (this.#heard - this.#keptSamples));
        }
        onEvent?.(placed);
      }
    }
  }

  async #ask({ recognizer, stream }: InUse, question: RecognitionQuestion): Promise<Recognition> {
    const { clock, answerWithinMs } = this.#limits;
    const controller = new AbortController();
    const ends = AbortSignal.any([controller.signal, ...(question.signal ? [question.signal] : [])]);
    const waited = await waitFor(clock, answerWithinMs, stream.recognize({ ...question, signal: ends }));
    if (waited.type === "done") return waited.value;
    const late = new ProviderError(recognizer.name, `${recognizer.name} gave no result within ${answerWithinMs} ms`, {
      retryable: true,
    });
    controller.abort(late);
    throw late;
  }

  /** With what was said in the utterance before the stream took over. */
  #complete(recognition: Recognition, { startSample, sinceUtterance, stream }: InUse): Recognition {
    const isFirst = startSample === 0;
    if (stream.followsWholeCall === true) {
      const words = [
        ...this.#carried.flatMap((turn) => turn.words),
        ...shift(recognition.words, durationMsOf(startSample)),
      ];
      return { ...recognition, words, text: joined([...this.#carried.map(({ text }) => text), recognition.text]) };
    }
    // Where the audio of this utterance began is known only if the stream heard its beginning announced.
    if (isFirst || sinceUtterance !== this.#utterance) return recognition;
    return { ...recognition, words: [], text: joined([...this.#carried.map(({ text }) => text), recognition.text]) };
  }

  async #unlessWithdrawn(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    await waitFor(this.#limits.clock, null, work, signal);
    signal?.throwIfAborted();
  }

  #forget(samples: number): void {
    for (let left = samples; left > 0; ) {
      const first = this.#kept[0];
      if (first === undefined) return;
      if (first.length <= left) this.#kept.shift();
      else this.#kept[0] = first.subarray(left);
      const gone = Math.min(left, first.length);
      this.#keptSamples -= gone;
      left -= gone;
    }
  }
}

function shift(words: readonly RecognizedWord[], byMs: number): readonly RecognizedWord[] {
  return words.map((word) => ({ ...word, startMs: word.startMs + byMs, endMs: word.endMs + byMs }));
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(" ");
}

function asFailure(recognizer: SpeechRecognizer, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError(recognizer.name, `${recognizer.name} failed in an unexpected way.`, {
    retryable: true,
    cause: error,
  });
}
