import { matchExpectedAnswer } from "../ports/expected-answer.ts";
import { ProviderError } from "../ports/provider-error.ts";
import type { Recognition, RecognitionQuestion, SpeechRecognizer } from "../ports/speech-recognizer.ts";
import type { MarkedSpeech } from "./marked-speech.ts";

export interface FakeSpeechRecognizer extends SpeechRecognizer {
  /** Every request, in order. */
  readonly questions: readonly RecognitionQuestion[];
  readonly openStreams: number;
  /** Makes the next request fail, once. */
  failNext(error?: ProviderError): void;
  /** Holds back answers from now on, until the returned function is called. */
  holdBack(): () => void;
}

const NAME = "fake";

/** Reads marked speech, without delay. Unmarked audio has no words. */
export function createFakeSpeechRecognizer(speech: MarkedSpeech): FakeSpeechRecognizer {
  const questions: RecognitionQuestion[] = [];
  const streams = new Set<AbortController>();
  let nextFailure: ProviderError | null = null;
  let held: PromiseWithResolvers<void> | null = null;
  let isClosed = false;

  async function answer(sound: Int16Array, question: RecognitionQuestion, ends: AbortSignal): Promise<Recognition> {
    ends.throwIfAborted();
    questions.push(question);
    const failure = nextFailure;
    nextFailure = null;
    if (failure !== null) throw failure;
    // Answers asynchronously: a request that is withdrawn immediately gets no answer.
    await unlessAborted(held?.promise ?? Promise.resolve(), ends);
    ends.throwIfAborted();
    const words = speech.read(sound);
    const text = words.map((word) => word.text).join(" ");
    return { text, words, best: matchExpectedAnswer(text, question.expected), confidence: text === "" ? null : 1 };
  }

  return {
    name: NAME,
    questions,
    get openStreams() {
      return streams.size;
    },
    async open() {
      if (isClosed) throw new ProviderError(NAME, "it was closed", { retryable: false });
      const ending = new AbortController();
      streams.add(ending);
      let heard: Int16Array[] = [];
      return {
        hear(samples) {
          heard.push(samples.slice());
        },
        startUtterance() {
          heard = [];
        },
        recognize(question) {
          const ends = question.signal ? AbortSignal.any([question.signal, ending.signal]) : ending.signal;
          return answer(joined(heard), question, ends);
        },
        close() {
          streams.delete(ending);
          ending.abort(new ProviderError(NAME, "the call is over", { retryable: false }));
        },
      };
    },
    failNext(error = new ProviderError(NAME, "the fake was told to fail", { retryable: true })) {
      nextFailure = error;
    },
    holdBack() {
      const hold = Promise.withResolvers<void>();
      held = hold;
      return () => {
        if (held === hold) held = null;
        hold.resolve();
      };
    },
    async close() {
      isClosed = true;
      for (const ending of streams) ending.abort(new ProviderError(NAME, "it was closed", { retryable: false }));
      streams.clear();
    },
  };
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const sound = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    sound.set(piece, at);
    at += piece.length;
  }
  return sound;
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
