import { durationMsOf } from "@parley/audio/frame";
import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
import { ProviderError, reasonOf } from "@parley/voice/ports/provider-error";
import type { SpeechRequest, SpeechSynthesizer, SpeechVoice, WordTime } from "@parley/voice/ports/speech-synthesizer";

/** A synthesizer, and which of its voices speaks instead of a voice of another one. */
export interface SynthesizerChoice {
  readonly synthesizer: SpeechSynthesizer;
  voiceFor(voice: SpeechVoice | null): string;
}

export interface SynthesizerFallbackOptions {
  readonly clock: Clock;
  /** How long a voice that is needed now may be silent, at the beginning of a clause or within it, before it has failed. */
  readonly silentForMs?: number;
  /** Called on every failure, including those that the callee never notices. */
  readonly onFailure?: (failure: ProviderError) => void;
}

/**
 * The last voice of the composition may be silent for so long, because those before it have failed: late speech is better than none.
 * More would leave the callee in silence when it has failed too.
 */
const LAST_SILENT_FOR_MS = 5_000;
/** Slower than any voice speaks: a word whose place is unknown must not count as heard before it was. */
const SLOW_MS_PER_LETTER = 120;

/**
 * One synthesizer composed of several. When a voice fails, the next one speaks the clause: all of it if nothing was given,
 * otherwise from the first word that was not, if it is known where the words lie. It is reported as a change of voice;
 * the call then requests the new voice, and so stays with it.
 */
export function withSynthesizerFallback(
  choices: readonly SynthesizerChoice[],
  { clock, silentForMs = 1_000, onFailure }: SynthesizerFallbackOptions,
): SpeechSynthesizer {
  if (choices.length === 0) throw new Error("there must be at least one synthesizer");
  const name = choices.map(({ synthesizer }) => synthesizer.name).join(", else ");
  const voices = choices.flatMap(({ synthesizer }) => synthesizer.voices);
  let isClosed = false;

  /** From the one that has the voice, on to the others. */
  function inOrder(voiceId: string): readonly { readonly synthesizer: SpeechSynthesizer; readonly voiceId: string }[] {
    const wanted = voices.find(({ id }) => id === voiceId) ?? null;
    const has = ({ synthesizer }: SynthesizerChoice) => synthesizer.voices.some(({ id }) => id === voiceId);
    const at = Math.max(0, choices.findIndex(has));
    const ordered = [...choices.slice(at), ...choices.slice(0, at)];
    return ordered.map(({ synthesizer, voiceFor }, index) => ({
      synthesizer,
      voiceId: index === 0 ? voiceId : voiceFor(wanted),
    }));
  }

  async function* speak(request: SpeechRequest): AsyncGenerator<Int16Array> {
    request.signal?.throwIfAborted();
    if (isClosed) throw new ProviderError(name, "it was closed", { retryable: false });
    if (!voices.some(({ id }) => id === request.voiceId)) {
      throw new ProviderError(name, `there is no voice ${JSON.stringify(request.voiceId)}`, { retryable: false });
    }
    const clause = new SpokenSoFar(request);
    let failure: ProviderError | null = null;
    for (const { synthesizer, voiceId } of inOrder(request.voiceId)) {
      const rest = clause.rest();
      if (rest === null) throw failure;
      if (rest === "") return;
      if (failure !== null) request.onVoiceChanged?.({ voiceId, reason: reasonOf(failure) });
      try {
        const isLast = choices.length > 1 && synthesizer === choices.at(-1)?.synthesizer;
        const patienceMs = isLast ? Math.max(silentForMs, LAST_SILENT_FOR_MS) : silentForMs;
        for await (const samples of attempt(synthesizer, clause.requestOf(rest, voiceId), patienceMs)) {
          clause.note(samples);
          yield samples;
        }
        return;
      } catch (error) {
        request.signal?.throwIfAborted();
        failure = asFailure(synthesizer, error);
        if (isClosed) break;
        onFailure?.(failure);
      }
    }
    throw failure;
  }

  /** A voice that stops without an error has failed too. What is rendered ahead may wait for its turn. */
  async function* attempt(
    synthesizer: SpeechSynthesizer,
    request: SpeechRequest,
    patienceMs: number,
  ): AsyncGenerator<Int16Array> {
    const life = new AbortController();
    const signal = AbortSignal.any([life.signal, ...(request.signal ? [request.signal] : [])]);
    const pieces = synthesizer.speak({ ...request, signal })[Symbol.asyncIterator]();
    const limitMs = request.isAhead === true ? null : patienceMs + (request.dueInMs ?? 0);
    try {
      for (;;) {
        const waited = await waitFor(clock, limitMs, pieces.next());
        if (waited.type !== "done") {
          throw new ProviderError(synthesizer.name, `${synthesizer.name} said nothing for ${limitMs} ms`, {
            retryable: true,
          });
        }
        if (waited.value.done) return;
        yield waited.value.value;
      }
    } finally {
      life.abort(new Error("the clause is no longer needed"));
      // Not awaited: a voice that does not stop when it is aborted must not delay the next one.
      pieces.return?.().catch(() => undefined);
    }
  }

  return {
    name,
    voices,
    speak,
    async close() {
      isClosed = true;
      await Promise.all(choices.map(({ synthesizer }) => synthesizer.close()));
    },
  };
}

/** How much of a clause was given, by whichever voices. */
class SpokenSoFar {
  readonly #request: SpeechRequest;
  readonly #words: readonly string[];
  #samples = 0;
  /** Where the words of the clause lie; null if unknown. */
  #times: readonly WordTime[] | null = null;

  constructor(request: SpeechRequest) {
    this.#request = request;
    this.#words = request.text.split(/\s+/).filter((word) => word !== "");
  }

  note(samples: Int16Array): void {
    this.#samples += samples.length;
  }

  /** What is still to be said; null if that is not known. A word of which only a part was given is said again. */
  rest(): string | null {
    if (this.#samples === 0) return this.#request.text;
    const given = this.#wordsGiven();
    return given === null ? null : this.#words.slice(given).join(" ");
  }

  requestOf(text: string, voiceId: string): SpeechRequest {
    const given = this.#wordsGiven() ?? 0;
    const fromMs = this.#givenMs();
    const before = (this.#times ?? []).slice(0, given);
    // Until the voice says better, the words that follow are placed no earlier than they can be.
    if (this.#samples > 0) this.#place([...before, ...slowTimes(this.#words.slice(given), fromMs)]);
    return {
      ...this.#request,
      text,
      voiceId,
      onWordTimes: (times) => {
        const placed = times.map(({ startMs, endMs }) => ({ startMs: fromMs + startMs, endMs: fromMs + endMs }));
        this.#place([...before, ...placed]);
      },
    };
  }

  #place(times: readonly WordTime[]): void {
    this.#times = times;
    this.#request.onWordTimes?.(times);
  }

  #wordsGiven(): number | null {
    if (this.#samples === 0) return 0;
    // Words that a voice has not placed yet were not given completely.
    if (this.#times === null || this.#times.length > this.#words.length) return null;
    const givenMs = this.#givenMs();
    return this.#times.filter(({ endMs }) => endMs <= givenMs).length;
  }

  #givenMs(): number {
    return durationMsOf(this.#samples, this.#request.sampleRateHz);
  }
}

function slowTimes(words: readonly string[], fromMs: number): readonly WordTime[] {
  let atMs = fromMs;
  return words.map((word) => {
    const startMs = atMs;
    atMs += word.length * SLOW_MS_PER_LETTER;
    return { startMs, endMs: atMs };
  });
}

function asFailure(synthesizer: SpeechSynthesizer, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError(synthesizer.name, `${synthesizer.name} failed in an unexpected way.`, {
    retryable: true,
    cause: error,
  });
}
