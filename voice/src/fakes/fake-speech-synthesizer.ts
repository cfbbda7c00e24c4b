import { samplesIn } from "@parley/audio/frame";
import { ToneGenerator } from "@parley/audio/tone";
import { ProviderError } from "../ports/provider-error.ts";
import type { SpeechRequest, SpeechSynthesizer, SpeechVoice } from "../ports/speech-synthesizer.ts";

export interface FakeSpeechSynthesizer extends SpeechSynthesizer {
  /** Every request that was started, in order. */
  readonly requests: readonly SpeechRequest[];
  /** Makes the next request fail, once. */
  failNext(error?: ProviderError): void;
  /** Holds back first audio from now on, until the returned function is called. */
  holdBack(): () => void;
}

const NAME = "fake";
const VOICES: readonly SpeechVoice[] = [
  { id: "low", language: "en-US", description: "Tones below 500 Hz" },
  { id: "high", language: "en-US", description: "Tones above 600 Hz" },
];
const LOWEST_HZ: Readonly<Record<string, number>> = { low: 300, high: 600 };
const LEVEL_DBFS = -22;
/** Fixed, so that a test can compute where in the audio a word is. */
export const FAKE_WORD_MS = 200;
export const FAKE_GAP_MS = 100;
const PIECE_MS = 120;

/**
 * A voice for tests: each word is a tone of fixed length whose pitch comes from its letters, followed by a short
 * silence. It takes no time, and returns its audio in several pieces as a network does.
 */
export function createFakeSpeechSynthesizer(): FakeSpeechSynthesizer {
  const requests: SpeechRequest[] = [];
  const closing = new AbortController();
  let nextFailure: ProviderError | null = null;
  let held: PromiseWithResolvers<void> | null = null;

  async function* speak(request: SpeechRequest): AsyncGenerator<Int16Array> {
    request.signal?.throwIfAborted();
    if (!VOICES.some(({ id }) => id === request.voiceId)) throw refuse(`no voice ${JSON.stringify(request.voiceId)}`);
    closing.signal.throwIfAborted();
    requests.push(request);
    const failure = nextFailure;
    nextFailure = null;
    if (failure !== null) throw failure;
    const ends = AbortSignal.any([closing.signal, ...(request.signal ? [request.signal] : [])]);
    await unlessAborted(held?.promise ?? Promise.resolve(), ends);
    const clip = toneClip(request);
    const pieceSamples = samplesIn(PIECE_MS, request.sampleRateHz);
    for (let start = 0; start < clip.length; start += pieceSamples) {
      yield clip.slice(start, start + pieceSamples);
      await unlessAborted(Promise.resolve(), ends);
    }
  }

  return {
    name: NAME,
    voices: VOICES,
    requests,
    speak,
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
      closing.abort(refuse("it was closed"));
    },
  };
}

function refuse(message: string): ProviderError {
  return new ProviderError(NAME, message, { retryable: false });
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([promise, aborted.promise]);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function toneClip({ text, voiceId, sampleRateHz }: SpeechRequest): Int16Array {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const wordSamples = samplesIn(FAKE_WORD_MS, sampleRateHz);
  const stepSamples = wordSamples + samplesIn(FAKE_GAP_MS, sampleRateHz);
  const clip = new Int16Array(words.length * stepSamples);
  for (const [index, word] of words.entries()) {
    const frequencyHz = (LOWEST_HZ[voiceId] ?? 0) + pitchOf(word);
    const tone = new ToneGenerator([{ frequencyHz, levelDbfs: LEVEL_DBFS }], { sampleRateHz });
    tone.fill(clip, index * stepSamples, index * stepSamples + wordSamples);
  }
  return clip;
}

/** Below 200, the same for the same word. */
function pitchOf(word: string): number {
  let sum = 0;
  for (const letter of word.toLowerCase()) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 199;
  return sum;
}
