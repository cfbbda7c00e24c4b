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
import { RecognizerSubstitute } from "./recognizer-substitute.ts";

export interface RecognizerFallbackOptions {
  readonly clock: Clock;
  /** How long each recognizer may take to open. In a call, it decides how soon a failed one is replaced. */
  readonly openWithinMs?: number;
  /** How long a request may take while there is another recognizer that can answer it. */
  readonly replaceAfterMs?: number;
  /** How long a request may take at all. A recognizer that takes longer has failed. */
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

/**
 * The first request is made in the pause after speech, about 200 ms into it: the callee is answered a second after they
 * have finished, by whichever recognizer it is. Whisper servers without a GPU may take longer, and are then replaced.
 */
const REPLACE_AFTER_MS = 800;
/** How long before that the next recognizer is asked as well. Longer costs more work for answers that are not needed. */
const SUBSTITUTE_BEFORE_MS = 300;
/** A request so soon after one that was withdrawn asks the same again. */
const SAME_REQUEST_MS = 20;

/** The longest utterance that is recognized in one piece; more cannot be replayed. */
const KEPT_SAMPLES_MAX = samplesIn(15_000);

/**
 * One recognizer composed of several. When the one in use fails during a call, the next is opened and hears the audio of
 * the open utterance again, so that no words are lost. The call stays with it. When the one in use takes long to answer, the
 * next one is asked as well before it is given up.
 */
export function withRecognizerFallback(
  recognizers: readonly SpeechRecognizer[],
  options: RecognizerFallbackOptions,
): SpeechRecognizer {
  if (recognizers.length === 0) throw new Error("there must be at least one recognizer");
  const limits: Limits = {
    openWithinMs: 1_000,
    replaceAfterMs: REPLACE_AFTER_MS,
    answerWithinMs: 2_500,
    restMs: 30_000,
    ...options,
  };
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

interface Answer {
  readonly recognition: Recognition;
  /** Whether the next recognizer gave it. */
  readonly isOther: boolean;
}

class FallbackStream implements RecognitionStream {
  readonly #waiting: SpeechRecognizer[];
  readonly #request: RecognitionRequest;
  readonly #limits: Limits;
  readonly #noteFailure: (recognizer: SpeechRecognizer, failure: ProviderError) => void;
  readonly #closing = new AbortController();
  #inUse: InUse | null = null;
  #substitute: RecognizerSubstitute | null = null;
  #replacing: Promise<void> | null = null;
  #lost: ProviderError | null = null;
  #followsWholeCall = false;
  /** The audio of the open utterance, without turns that have ended, and where it begins. */
  #kept: Int16Array[] = [];
  #keptSamples = 0;
  #heard = 0;
  #utterance = 0;
  /** When the stream in use was first asked for what it still owes; asking again at once gives it no more time. */
  #owed: { readonly sinceMs: number; withdrawnMs: number | null } | null = null;
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
    this.#substitute?.hear(copy);
  }

  startUtterance(): void {
    this.#utterance += 1;
    this.#forget(this.#keptSamples);
    this.#ended = [];
    this.#carried = [];
    this.#settleRequests();
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
        const { recognition, isOther } = await this.#ask(inUse, question);
        return this.#complete(recognition, isOther ? (this.#inUse ?? inUse) : inUse);
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
    this.#settleRequests();
    this.#inUse?.stream.close();
    this.#inUse = null;
    this.#forget(this.#keptSamples);
  }

  /** Opens the next recognizer that can be opened. Rejects when there is none. */
  async openNext(before: ProviderError | null): Promise<void> {
    let failure = before;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        const recognizer = next;
        const opened = await this.#openWithin(next, (event) => this.#hearEvent(recognizer, event));
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
  async #openWithin(
    recognizer: SpeechRecognizer,
    onEvent: (event: RecognitionEvent) => void,
  ): Promise<RecognitionStream | null> {
    const { clock, openWithinMs } = this.#limits;
    const opening = recognizer.open({ ...this.#request, onEvent });
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
    this.#settleRequests();
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

  /** The answer of the stream in use, or that of the next one if the stream in use takes too long. Then it is replaced. */
  async #ask(inUse: InUse, question: RecognitionQuestion): Promise<Answer> {
    const { clock, replaceAfterMs, answerWithinMs } = this.#limits;
    const withdrawal = new AbortController();
    const signal = AbortSignal.any([withdrawal.signal, ...(question.signal ? [question.signal] : [])]);
    const askedMs = clock.now();
    const { sinceMs } = this.#owe(question.signal);
    const until = (atMs: number) => Math.max(0, atMs - clock.now());
    const answer = inUse.stream.recognize({ ...question, signal });
    try {
      const prompt = await waitFor(clock, until(sinceMs + replaceAfterMs - SUBSTITUTE_BEFORE_MS), firstOf(answer));
      if (prompt.type === "done") return prompt.value;
      const substitute = this.#openSubstitute(inUse);
      const other = substitute?.recognize({ ...question, signal });
      other?.catch(() => undefined);
      const late = other && (await waitFor(clock, until(sinceMs + replaceAfterMs), firstOf(answer)));
      if (late?.type === "done") return late.value;
      const last = await waitFor(clock, until(askedMs + answerWithinMs), firstOf(answer, other));
      if (last.type !== "done") throw tooLate(inUse.recognizer, answerWithinMs);
      if (last.value.isOther && substitute)
        this.#takeOver(inUse, substitute, tooLate(inUse.recognizer, replaceAfterMs));
      return last.value;
    } finally {
      if (question.signal?.aborted !== true) this.#settleRequests();
      withdrawal.abort(new ProviderError(inUse.recognizer.name, "the words are no longer needed", { retryable: true }));
    }
  }

  #owe(signal: AbortSignal | undefined): { readonly sinceMs: number } {
    const nowMs = this.#limits.clock.now();
    const { withdrawnMs = null } = this.#owed ?? {};
    const isNew = this.#owed === null || (withdrawnMs !== null && nowMs - withdrawnMs > SAME_REQUEST_MS);
    const owed = { sinceMs: isNew ? nowMs : (this.#owed?.sinceMs ?? nowMs), withdrawnMs: null as number | null };
    this.#owed = owed;
    signal?.addEventListener("abort", () => (owed.withdrawnMs = this.#limits.clock.now()), { once: true });
    return owed;
  }

  /** Nothing is owed, so nothing else has to answer. */
  #settleRequests(): void {
    this.#owed = null;
    this.#substitute?.close();
    this.#substitute = null;
  }

  /** Null if there is no other recognizer, or the one in use is being replaced. */
  #openSubstitute(inUse: InUse): RecognizerSubstitute | null {
    const [next] = this.#waiting;
    if (next === undefined || this.#inUse !== inUse) return null;
    const heard = { pieces: this.#kept, startSample: this.#heard - this.#keptSamples };
    this.#substitute ??= new RecognizerSubstitute(next, heard, async (onEvent) => {
      const opened = await this.#openWithin(next, (event) => {
        if (this.#inUse?.recognizer === next) this.#hearEvent(next, event);
        else onEvent(event);
      });
      return opened ?? Promise.reject(this.#closing.signal.reason);
    });
    return this.#substitute;
  }

  #takeOver(failed: InUse, substitute: RecognizerSubstitute, failure: ProviderError): void {
    const taken = substitute.take();
    if (taken === null || this.#substitute !== substitute || this.#inUse !== failed) return;
    const { recognizer, startSample } = substitute;
    const { stream, events } = taken;
    this.#substitute = null;
    this.#waiting.shift();
    failed.stream.close();
    this.#noteFailure(failed.recognizer, failure);
    this.#carried = this.#ended;
    this.#inUse = { recognizer, stream, startSample, sinceUtterance: this.#utterance };
    this.#followsWholeCall = stream.followsWholeCall === true;
    this.#request.onReplaced?.({ recognizer: recognizer.name, reason: reasonOf(failure) });
    for (const event of events) this.#hearEvent(recognizer, event);
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

/** Which of the two answers first. A failure counts only if there is no answer at all, and then it is that of `answer`. */
async function firstOf(answer: Promise<Recognition>, other?: Promise<Recognition>): Promise<Answer> {
  const own = answer.then((recognition) => ({ recognition, isOther: false }));
  if (other === undefined) return own;
  try {
    return await Promise.any([own, other.then((recognition) => ({ recognition, isOther: true }))]);
  } catch {
    return own;
  }
}

function tooLate({ name }: SpeechRecognizer, limitMs: number): ProviderError {
  return new ProviderError(name, `${name} gave no result within ${limitMs} ms`, { retryable: true });
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
