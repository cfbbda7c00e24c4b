import { durationMsOf } from "@parley/audio/frame";
import type { WorkPriority } from "@parley/threads/pool";
import type { Timers } from "@parley/time/clock";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import type { UtteranceWork } from "./recognize-utterance.ts";

/** The processes of one model, as far as the choice between two models needs to know them. */
export interface ModelProcesses {
  /** A process is loaded and has nothing to do. */
  readonly hasIdle: boolean;
  run(
    work: UtteranceWork,
    options: { readonly signal?: AbortSignal; readonly priority: WorkPriority },
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
/** With the silence around it, an utterance of a word or two is not longer. */
const SHORT_MS = 1_600;
/** How much the newest utterance changes the measured load of the machine. */
const NEWEST_SHARE = 0.3;

/**
 * Recognizes each utterance with the large model if the machine has room for it at that moment, otherwise with the
 * small one; and a second time with the large one if the result of the small one is doubtful. Second looks are the first
 * to be dropped when the machine is busy. A word or two that may be an expected answer are recognized by both models:
 * each mishears other words, so that what both hear is certain, and what one of them hears can be asked about.
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
  async recognize(work: UtteranceWork, priority: WorkPriority, signal?: AbortSignal): Promise<Recognition | null> {
    const { small, nowMs } = this.#options;
    const startedMs = nowMs();
    if (!small.hasIdle) this.#dropSecondLooks();
    const large = this.#largeWithin(FIRST_LOOK_MS, work);
    const options = signal === undefined ? { priority } : { signal, priority };
    if (large !== null && isShortAnswer(work)) {
      const [first, second] = await Promise.allSettled([
        this.#measured("small", work, () => small.run(work, options)),
        this.#measured("large", work, () => large.run(work, options)),
      ]);
      if (first.status === "rejected" && second.status === "rejected") throw first.reason;
      return combined(resultOf(first), resultOf(second), work);
    }
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
    return combined(first, second, work);
  }

  async #lookAgain(work: UtteranceWork, withinMs: number, signal?: AbortSignal): Promise<Recognition | null> {
    const large = this.#largeWithin(withinMs, work);
    if (large === null) return null;
    const dropped = new AbortController();
    this.#secondLooks.add(dropped);
    const cancelTimer = this.#options.timers.setTimer(withinMs, () => dropped.abort());
    const either = signal === undefined ? dropped.signal : AbortSignal.any([signal, dropped.signal]);
    try {
      return await this.#measured("large", work, () => large.run(work, { signal: either, priority: "background" }));
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
/** Up to this score an answer that the words do not confirm is read back. */
const UNCERTAIN_SCORE_MAX = 0.75;
/** Half of the misheard sentences in noise have less, and one in ten of those that were heard word for word. */
const CONFIDENCE_MIN = 0.75;

/** Whether the callee would probably be asked to repeat it, or might be misunderstood. */
export function isDoubtful({ text, best, confidence }: Recognition, { expected }: UtteranceWork): boolean {
  if (text === "") return true;
  if (expected.length > 0 && isAccepted(best)) return false;
  return (confidence ?? 1) < CONFIDENCE_MIN;
}

function isShortAnswer({ samples, expected }: UtteranceWork): boolean {
  return expected.length > 0 && durationMsOf(samples.length) <= SHORT_MS;
}

function resultOf(result: PromiseSettledResult<Recognition | null>): Recognition | null {
  return result.status === "fulfilled" ? result.value : null;
}

/** What two models heard of the same speech. Of sentences, the large one's text, unless only the other fits an answer. */
export function combined(
  small: Recognition | null,
  large: Recognition | null,
  work: UtteranceWork,
): Recognition | null {
  if (small === null || large === null) return large ?? small;
  if (isShortAnswer(work)) {
    const both = bestOfBoth(small.best, large.best);
    const saying = [large, small].find((each) => says(each, both));
    // What fits the audio and was written by neither is a guess.
    return { ...(saying ?? large), best: saying === undefined ? uncertain(both) : both };
  }
  if (isAccepted(small.best) && !isAccepted(large.best)) return small;
  return large.text === "" ? small : large;
}

/** Whether the text contains the answer, so that a transcript shows why it was taken. */
function says({ text }: Recognition, best: Recognition["best"]): boolean {
  const plain = (words: string) => ` ${words.toLowerCase().replace(/[^a-z' ]/g, "")} `;
  return best !== null && plain(text).includes(plain(best.answer));
}

/**
 * The expected answer that fits better. It is more likely than either model says if both found it, and never certain if
 * they found different ones or one found none.
 */
function bestOfBoth(one: Recognition["best"], other: Recognition["best"]): Recognition["best"] {
  if (one === null && other === null) return null;
  const [first, second] = (one?.score ?? 0) > (other?.score ?? 0) ? [one, other] : [other, one];
  if (first === null) return null;
  if (second?.answer === first.answer) {
    return {
      ...first,
      score: 1 - (1 - first.score) * (1 - second.score),
      margin: Math.max(first.margin, second.margin),
    };
  }
  return uncertain(first);
}

function uncertain(best: Recognition["best"]): Recognition["best"] {
  return best === null ? null : { ...best, score: Math.min(best.score, UNCERTAIN_SCORE_MAX) };
}

function isAccepted(best: Recognition["best"]): boolean {
  return best !== null && best.score >= ANSWER_SCORE_MIN && best.margin >= ANSWER_MARGIN_MIN;
}
