import { durationMsOf } from "@parley/audio/frame";
import type { Timers } from "@parley/time/clock";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import type { UtteranceWork } from "./recognize-utterance.ts";

/** The processes of one model, as far as the choice between two models needs to know them. */
export interface ModelProcesses {
  /** A process is loaded and has nothing to do. */
  readonly hasIdle: boolean;
  run(
    work: UtteranceWork,
    options: { readonly signal?: AbortSignal; readonly isUrgent: boolean },
  ): Promise<Recognition | null>;
}

export interface ModelChoiceOptions {
  readonly small: ModelProcesses;
  /** Null while it is not loaded. */
  readonly large: () => ModelProcesses | null;
  readonly timers: Timers;
  readonly nowMs: () => number;
}

/** Seconds of work per second of speech, for a model that works alone. */
export interface ModelSpeed {
  readonly small: number;
  readonly large: number;
}

/**
 * The large model is used at once if its result is there by the time that the callee is known to have finished, so
 * that nothing is later for it.
 */
const FIRST_LOOK_MS = 200;
/** An utterance that was not understood costs a question, so that a second look may take longer, both looks counted. */
const SECOND_LOOK_MS = 700;
/** Shorter utterances do not take proportionally less time. */
const SPEECH_MIN_MS = 600;
/** How much the newest utterance changes the measured load of the machine. */
const NEWEST_SHARE = 0.3;

/**
 * Recognizes each utterance with the large model if the machine has room for it at that moment, otherwise with the
 * small one; and a second time with the large one if the result of the small one is doubtful. Second looks are the first
 * to be dropped when the machine is busy.
 */
export class ModelChoice {
  readonly #options: ModelChoiceOptions;
  readonly #secondLooks = new Set<AbortController>();
  #speed: ModelSpeed | null = null;
  /** How much longer work takes now than it did when the speed was measured. */
  #slowness = 1;

  constructor(options: ModelChoiceOptions) {
    this.#options = options;
  }

  /** Until the speed of both models is known, only the small one is used. */
  setSpeed(speed: ModelSpeed): void {
    this.#speed = speed;
  }

  /** Null if it was aborted. */
  async recognize(work: UtteranceWork, isUrgent: boolean, signal?: AbortSignal): Promise<Recognition | null> {
    const { small, nowMs } = this.#options;
    const startedMs = nowMs();
    if (!small.hasIdle) this.#dropSecondLooks();
    const large = this.#largeWithin(FIRST_LOOK_MS, work);
    const options = signal === undefined ? { isUrgent } : { signal, isUrgent };
    if (large !== null) {
      try {
        return await this.#measured("large", work, () => large.run(work, options));
      } catch (error) {
        if (signal?.aborted) throw error;
      }
    }
    const first = await this.#measured("small", work, () => small.run(work, options));
    if (first === null || !isDoubtful(first, work)) return first;
    const leftMs = SECOND_LOOK_MS - (nowMs() - startedMs);
    const second = await this.#lookAgain(work, leftMs, signal);
    return second === null ? first : surer(first, second);
  }

  async #lookAgain(work: UtteranceWork, withinMs: number, signal?: AbortSignal): Promise<Recognition | null> {
    const large = this.#largeWithin(withinMs, work);
    if (large === null) return null;
    const dropped = new AbortController();
    this.#secondLooks.add(dropped);
    const cancelTimer = this.#options.timers.setTimer(withinMs, () => dropped.abort());
    const either = signal === undefined ? dropped.signal : AbortSignal.any([signal, dropped.signal]);
    try {
      return await this.#measured("large", work, () => large.run(work, { signal: either, isUrgent: false }));
    } catch {
      // The first result stands, whatever the reason.
      return null;
    } finally {
      cancelTimer();
      this.#secondLooks.delete(dropped);
    }
  }

  #dropSecondLooks(): void {
    for (const look of this.#secondLooks) look.abort();
  }

  /** The large model, if nothing waits for a process and it would be done in time. */
  #largeWithin(limitMs: number, work: UtteranceWork): ModelProcesses | null {
    const large = this.#options.large();
    if (large === null || this.#speed === null || !large.hasIdle || !this.#options.small.hasIdle) return null;
    return this.#slowness * this.#speed.large * speechMsOf(work) <= limitMs ? large : null;
  }

  async #measured(
    model: keyof ModelSpeed,
    work: UtteranceWork,
    run: () => Promise<Recognition | null>,
  ): Promise<Recognition | null> {
    const { nowMs } = this.#options;
    const startedMs = nowMs();
    const result = await run();
    // Work that was given up says nothing about the speed.
    if (result === null || this.#speed === null) return result;
    const slowness = (nowMs() - startedMs) / (this.#speed[model] * speechMsOf(work));
    this.#slowness += NEWEST_SHARE * (slowness - this.#slowness);
    return result;
  }
}

function speechMsOf({ samples }: UtteranceWork): number {
  return Math.max(SPEECH_MIN_MS, durationMsOf(samples.length));
}

/** An answer with less than this is not accepted anyway. */
const ANSWER_SCORE_MIN = 0.5;
const ANSWER_MARGIN_MIN = 0.1;
/** Half of the misheard sentences in noise have less, and one in ten of those that were heard word for word. */
const CONFIDENCE_MIN = 0.75;

/** Whether the callee would probably be asked to repeat it, or might be misunderstood. */
export function isDoubtful({ text, best, confidence }: Recognition, { expected }: UtteranceWork): boolean {
  if (text === "") return true;
  if (expected.length > 0 && isAccepted(best)) return false;
  return (confidence ?? 1) < CONFIDENCE_MIN;
}

/** Of two results for the same speech, the one that fits an expected answer; otherwise the second, unless it is empty. */
function surer(first: Recognition, second: Recognition): Recognition {
  if (isAccepted(first.best) && !isAccepted(second.best)) return first;
  return second.text === "" ? first : second;
}

function isAccepted(best: Recognition["best"]): boolean {
  return best !== null && best.score >= ANSWER_SCORE_MIN && best.margin >= ANSWER_MARGIN_MIN;
}
