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
  /** How long a voice that failed is used after the others, so that not every call waits for it. */
  readonly restMs?: number;
  /** The voices that rest. Shared by compositions of the same synthesizers, such as those of each call. */
  readonly rests?: SynthesizerRests;
  /** Called on every failure, including those that the callee never notices. */
  readonly onFailure?: (failure: ProviderError) => void;
}

interface Rest {
  readonly untilMs: number;
  readonly reason: string;
}

export interface SynthesizerRests {
  readonly byVoice: Map<unknown, Rest>;
  /** What is the same for a voice of a synthesizer in every composition. */
  keyOf(synthesizer: SpeechSynthesizer): unknown;
  /** Those that have spoken in this call. A call keeps its voice, also while it rests because of others. */
  readonly spoken: Set<unknown>;
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
  { clock, silentForMs = 1_000, restMs = 30_000, onFailure, ...options }: SynthesizerFallbackOptions,
): SpeechSynthesizer {
  if (choices.length === 0) throw new Error("there must be at least one synthesizer");
  const name = choices.map(({ synthesizer }) => synthesizer.name).join(", else ");
  const voices = choices.flatMap(({ synthesizer }) => synthesizer.voices);
  const rests: SynthesizerRests = options.rests ?? {
    byVoice: new Map(),
    keyOf: (synthesizer) => synthesizer,
    spoken: new Set(),
  };
  let isClosed = false;

  /** The rest of a voice that a call has not heard yet. */
  function restOf(synthesizer: SpeechSynthesizer): Rest | null {
    const key = rests.keyOf(synthesizer);
    const rest = rests.byVoice.get(key);
    return rest === undefined || rest.untilMs <= clock.now() || rests.spoken.has(key) ? null : rest;
  }

  function noteFailure(synthesizer: SpeechSynthesizer, failure: ProviderError): void {
    // One that is refused fails at once the next time, and may have been refused because of its text.
    if (failure.retryable) {
      const untilMs = clock.now() + Math.max(restMs, failure.retryAfterMs ?? 0);
      rests.byVoice.set(rests.keyOf(synthesizer), { untilMs, reason: reasonOf(failure) });
    }
    onFailure?.(failure);
  }

  /** From the one that has the voice, on to the others, and last those that rest. */
  function inOrder(voiceId: string): readonly { readonly synthesizer: SpeechSynthesizer; readonly voiceId: string }[] {
    const wanted = voices.find(({ id }) => id === voiceId) ?? null;
    const has = ({ synthesizer }: SynthesizerChoice) => synthesizer.voices.some(({ id }) => id === voiceId);
    const at = Math.max(0, choices.findIndex(has));
    const ordered = [...choices.slice(at), ...choices.slice(0, at)];
    return ordered
      .map(({ synthesizer, voiceFor }, index) => ({ synthesizer, voiceId: index === 0 ? voiceId : voiceFor(wanted) }))
      .toSorted((one, other) => (restOf(one.synthesizer)?.untilMs ?? 0) - (restOf(other.synthesizer)?.untilMs ?? 0));
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
      const reason = failure === null ? restReason(voiceId, request.voiceId) : reasonOf(failure);
      if (reason !== null) request.onVoiceChanged?.({ voiceId, reason });
      try {
        const isLast = choices.length > 1 && synthesizer === choices.at(-1)?.synthesizer;
        const patienceMs = isLast ? Math.max(silentForMs, LAST_SILENT_FOR_MS) : silentForMs;
        for await (const samples of attempt(synthesizer, clause.requestOf(rest, voiceId), patienceMs)) {
          clause.note(samples);
          rests.spoken.add(rests.keyOf(synthesizer));
          yield samples;
        }
        return;
      } catch (error) {
        request.signal?.throwIfAborted();
        failure = asFailure(synthesizer, error);
        if (isClosed) break;
        noteFailure(synthesizer, failure);
      }
    }
    throw failure;
  }

  /** Why the first voice that is used is not the one that was requested; null if it is. */
  function restReason(voiceId: string, requested: string): string | null {
    if (voiceId === requested) return null;
    const wanted = choices.find(({ synthesizer }) => synthesizer.voices.some(({ id }) => id === requested));
    const rest = wanted && restOf(wanted.synthesizer);
    return rest ? `it failed in another call a moment ago: ${rest.reason}` : null;
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
