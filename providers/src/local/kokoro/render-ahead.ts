import type { Timers } from "@parley/time/clock";
import type { KokoroVoiceId } from "./kokoro-voices.ts";

export interface RenderAheadOptions {
  /**
   * For all of them together. Where it will not be enough, nothing is begun: half of a call's texts is of no use to it.
   * Left out, they are rendered whenever there is time.
   */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

export interface RenderAheadResult {
  /** What can be said now, each text once. */
  readonly rendered: readonly string[];
  readonly missing: readonly string[];
}

export interface RenderAheadParts {
  readonly estimate: RenderEstimate;
  readonly isLoaded: boolean;
  readonly isMissing: (text: string) => boolean;
  readonly nowMs: () => number;
  readonly timers: Timers;
  readonly render: (text: string, voiceId: KokoroVoiceId, isUrgent: boolean, signal?: AbortSignal) => Promise<unknown>;
}

/** Renders those of the texts that are missing. Never rejects: what could not be rendered is missing. */
export async function renderAhead(
  parts: RenderAheadParts,
  texts: readonly string[],
  voiceId: KokoroVoiceId,
  { deadlineMs, signal }: RenderAheadOptions,
): Promise<RenderAheadResult> {
  const { estimate, isLoaded, isMissing, nowMs, render, timers } = parts;
  const wanted = [...new Set(texts)];
  const toRender = wanted.filter(isMissing);
  const isHopeless = deadlineMs !== undefined && estimate.forecastMs(toRender, isLoaded) > deadlineMs;
  const over = new AbortController();
  const cancelTimer =
    deadlineMs === undefined ? () => undefined : timers.setTimer(deadlineMs, () => over.abort(new Error("too late")));
  const limit = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  for (const text of isHopeless ? [] : toRender) {
    if (limit.aborted) break;
    // Somebody else may have rendered it meanwhile.
    if (!isMissing(text)) continue;
    const startedAtMs = nowMs();
    try {
      await render(text, voiceId, deadlineMs !== undefined, limit);
      estimate.learn(text, nowMs() - startedAtMs);
    } catch {
      // A text that cannot be rendered is missing below, and the others may still be of use later.
      if (deadlineMs !== undefined) break;
    }
  }
  cancelTimer();
  const missing = wanted.filter(isMissing);
  return { rendered: wanted.filter((text) => !missing.includes(text)), missing };
}

/** Speech is about this long: letters per second, and the silence that every clip is rendered with. */
const LETTERS_PER_SECOND = 15;
const SILENCE_SECONDS = 0.7;
/** Before anything was measured: a second of sound takes about two of one core that others use too. */
const FIRST_FACTOR = 2.5;
const LOADING_MS = 4_000;
/** How much the latest clip counts. */
const WEIGHT = 0.2;

/** How long rendering takes on this machine, learned from what it took. */
export class RenderEstimate {
  #factor = FIRST_FACTOR;

  /** How many seconds one second of sound takes. */
  get factor(): number {
    return this.#factor;
  }

  learn(text: string, tookMs: number): void {
    this.#factor += WEIGHT * (tookMs / 1000 / soundSeconds(text) - this.#factor);
  }

  forecastMs(texts: readonly string[], isLoaded: boolean): number {
    const seconds = texts.reduce((sum, text) => sum + soundSeconds(text), 0);
    return (isLoaded || texts.length === 0 ? 0 : LOADING_MS) + 1000 * seconds * this.#factor;
  }
}

function soundSeconds(text: string): number {
  return SILENCE_SECONDS + text.length / LETTERS_PER_SECOND;
}
