import { durationMsOf, samplesIn } from "@parley/audio/frame";
import type { WordTime } from "../ports/speech-synthesizer.ts";
import type { PlayedClause } from "../turns/replies/heard-text.ts";
import type { ClauseRenderer } from "./clause-renderer.ts";
import { joinSamples } from "./join-samples.ts";
import type { LinePlayout, SpokenPiece } from "./line-playout.ts";

interface ClauseSpeakerDeps {
  readonly playout: LinePlayout;
  readonly renderer: ClauseRenderer;
  readonly signal: AbortSignal;
  /** The first audio is ready. */
  readonly onReady: () => void;
  readonly onFailure: (error: unknown) => void;
  /** Nothing is passed to the line before `release`. */
  readonly isHeldBack: boolean;
}

/** Audio that is waiting for the line's memory. The end of a clause has none. */
interface MadeSound {
  readonly clause: SpokenClause;
  readonly samples: Int16Array | null;
}

/** No more than this is rendered without room for it: enough for a greeting without gaps. */
const AHEAD_SAMPLES_MAX = samplesIn(20_000);
/** Small pieces are joined, so that they do not fill the queue; the first one is never delayed for that. */
const PIECE_SAMPLES_MIN = samplesIn(200);

/** Converts the clauses of one reply to audio in order, and passes it to the line as space permits. */
export class ClauseSpeaker {
  readonly #deps: ClauseSpeakerDeps;
  readonly #toRender: SpokenClause[] = [];
  readonly #ahead: MadeSound[] = [];
  #aheadSamples = 0;
  #isHeldBack: boolean;
  #isRendering = false;
  #isReady = false;
  #rendering: Promise<void> = Promise.resolve();
  #wakeUp: (() => void) | null = null;

  constructor(deps: ClauseSpeakerDeps) {
    this.#deps = deps;
    this.#isHeldBack = deps.isHeldBack;
    deps.signal.addEventListener("abort", () => this.#drop(), { once: true });
  }

  /** All audio has been passed to the line. */
  get isIdle(): boolean {
    return !this.#isRendering && this.#toRender.length === 0 && this.#ahead.length === 0;
  }

  say(clause: SpokenClause): void {
    this.#toRender.push(clause);
    if (!this.#isRendering) this.#rendering = this.#renderAll();
  }

  release(): void {
    this.#isHeldBack = false;
    this.handOver();
  }

  /** Passes as much audio to the line as it has room for. */
  handOver(): void {
    if (this.#isHeldBack) return;
    for (let next = this.#ahead[0]; next !== undefined; next = this.#ahead[0]) {
      const { clause, samples } = next;
      const piece = samples === null ? null : this.#deps.playout.speak(samples);
      if (samples !== null && piece === null) return;
      if (piece !== null) clause.pieces.push(piece);
      else clause.isComplete = true;
      this.#aheadSamples -= samples?.length ?? 0;
      this.#ahead.shift();
    }
    this.#wakeUp?.();
  }

  /** Resolves when nothing is being rendered. */
  settled(): Promise<void> {
    return this.#rendering;
  }

  async #renderAll(): Promise<void> {
    this.#isRendering = true;
    try {
      for (let clause = this.#toRender.shift(); clause !== undefined; clause = this.#toRender.shift()) {
        await this.#render(clause);
      }
    } catch (error) {
      if (!this.#deps.signal.aborted) this.#deps.onFailure(error);
    } finally {
      this.#isRendering = false;
    }
  }

  async #render(clause: SpokenClause): Promise<void> {
    let small: Int16Array[] = [];
    let smallSamples = 0;
    const { renderer, playout, signal } = this.#deps;
    const options = {
      signal,
      dueInMs: playout.queuedMs + durationMsOf(this.#aheadSamples),
      onWordTimes: (times: readonly WordTime[]) => {
        clause.wordTimes = times;
      },
    };
    for await (const samples of renderer.render(clause.speech, options)) {
      small.push(samples);
      smallSamples += samples.length;
      if (smallSamples < PIECE_SAMPLES_MIN && clause.madeSamples > 0) continue;
      await this.#put(clause, joinSamples(small));
      small = [];
      smallSamples = 0;
    }
    await this.#put(clause, joinSamples(small));
    this.#ahead.push({ clause, samples: null });
    this.#announceReady();
    this.handOver();
  }

  /** Waits while too much audio is queued. */
  async #put(clause: SpokenClause, made: Int16Array): Promise<void> {
    const { playout, signal } = this.#deps;
    const samples = this.#isReady ? made : skipLead(made);
    clause.skippedMs += durationMsOf(made.length - samples.length);
    const longest = playout.pieceSamplesMax;
    for (let start = 0; start < samples.length; start += longest) {
      while (this.#aheadSamples >= AHEAD_SAMPLES_MAX && !signal.aborted) await this.#room();
      signal.throwIfAborted();
      const piece = samples.subarray(start, start + longest);
      this.#ahead.push({ clause, samples: piece });
      this.#aheadSamples += piece.length;
      clause.madeSamples += piece.length;
      this.handOver();
      this.#announceReady();
    }
  }

  async #room(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakeUp = resolve;
    await promise;
    this.#wakeUp = null;
  }

  #announceReady(): void {
    if (this.#isReady || this.#deps.signal.aborted) return;
    this.#isReady = true;
    this.#deps.onReady();
  }

  #drop(): void {
    this.#toRender.length = 0;
    this.#ahead.length = 0;
    this.#aheadSamples = 0;
    this.#wakeUp?.();
  }
}

/** A clause of a reply with the audio rendered so far. */
export interface SpokenClause {
  readonly text: string;
  /** The text with marks for the voice. */
  readonly speech: string;
  readonly mayBeInterrupted: boolean;
  /** What was passed to the line. */
  readonly pieces: SpokenPiece[];
  madeSamples: number;
  /** Silence at its beginning that was not passed on. */
  skippedMs: number;
  /** Where its first words lie, in the audio as it was rendered; null when the voice does not say. */
  wordTimes: readonly WordTime[] | null;
  /** All of its audio was rendered and passed to the line. */
  isComplete: boolean;
  hasStarted: boolean;
}

export function newClause(text: string, mayBeInterrupted: boolean, speech = text): SpokenClause {
  return {
    text,
    speech,
    mayBeInterrupted,
    pieces: [],
    madeSamples: 0,
    skippedMs: 0,
    wordTimes: null,
    isComplete: false,
    hasStarted: false,
  };
}

export function isClauseOver({ isComplete, pieces }: SpokenClause): boolean {
  return isComplete && pieces.every(({ isOver }) => isOver);
}

/** How long it was silent between its pieces, because the next one came too late. */
export function gapsMsOf({ pieces }: SpokenClause): number {
  let gapsMs = 0;
  let endMs: number | null = null;
  for (const { startMs, playedSamples } of pieces) {
    if (startMs === null) continue;
    if (endMs !== null) gapsMs += Math.max(0, startMs - endMs);
    endMs = startMs + durationMsOf(playedSamples);
  }
  return gapsMs;
}

/** The state of its playback. */
export function playedClauseOf(clause: SpokenClause): PlayedClause {
  const { text, isComplete, madeSamples, pieces, skippedMs } = clause;
  const stretches = pieces.flatMap(({ startMs, playedSamples }) =>
    startMs === null ? [] : [{ startMs, durationMs: durationMsOf(playedSamples) }],
  );
  const wordTimes =
    clause.wordTimes?.map(({ startMs, endMs }) => ({
      startMs: Math.max(0, startMs - skippedMs),
      endMs: Math.max(0, endMs - skippedMs),
    })) ?? null;
  return { text, stretches, durationMs: isComplete ? durationMsOf(madeSamples) : null, wordTimes };
}

/** Inaudible over a telephone: -55 dBFS. */
const AUDIBLE_MIN = 58;
/** Kept before the first audible sample, so that a soft onset is not cut. */
const KEPT_SAMPLES = samplesIn(5);
/** Longer leading silence is intended. */
const SKIPPED_SAMPLES_MAX = samplesIn(60);

/** Removes the leading silence that engines produce, which would delay the start of a reply. */
export function skipLead(samples: Int16Array): Int16Array {
  const lookedAt = samples.subarray(0, SKIPPED_SAMPLES_MAX + KEPT_SAMPLES);
  const first = lookedAt.findIndex((sample) => Math.abs(sample) >= AUDIBLE_MIN);
  return first > KEPT_SAMPLES ? samples.subarray(first - KEPT_SAMPLES) : samples;
}
