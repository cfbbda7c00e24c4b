import { durationMsOf } from "@parley/audio/frame";
import { HostEnded, type WorkHost } from "@parley/threads/work-host";
import type { Timers } from "@parley/time/clock";
import { within } from "@parley/time/within";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { WordTime } from "@parley/voice/ports/speech-synthesizer";
import type { Clause, VoiceStep, VoiceWork } from "./voice-process.ts";

/**
 * How urgent a clause is. `live`: a callee waits for it or hears it now. `ahead`: it may be said next. `spare`: it is
 * rendered for later calls, when there is nothing else to do.
 */
export type Urgency = "live" | "ahead" | "spare";

export interface SpeechOptions {
  readonly urgency: Urgency;
  /** How long the preceding audio still plays. */
  readonly dueInMs: number;
  onAudio(samples: Int16Array, wordTimes: readonly WordTime[] | null): void;
}

/** A clause that is being spoken. */
export interface ScheduledSpeech {
  /** Rejects with a ProviderError. */
  readonly done: Promise<void>;
  /** It is more urgent than it was, or needed sooner. Ignored if it is neither: someone else needs it then. */
  hasten(urgency: Urgency, dueInMs: number): void;
  /** Its audio is not needed any more. `done` never settles. */
  cancel(): void;
}

export interface SchedulerOptions {
  readonly openHost: (signal: AbortSignal) => Promise<WorkHost<VoiceWork, VoiceStep>>;
  readonly timers: Timers;
  readonly nowMs: () => number;
  /** The process was lost and is replaced. */
  readonly onHostLost: (reason: string) => void;
}

interface Speech {
  readonly id: number;
  readonly clause: Clause;
  readonly settled: PromiseWithResolvers<void>;
  readonly onAudio: SpeechOptions["onAudio"];
  urgency: Urgency;
  /** When its next audio is needed: as soon as possible at first, then when the rendered audio has been played. */
  dueMs: number;
  /** Whether the process has its melody. */
  isBegun: boolean;
  /** What was already returned and is skipped when a lost process is replaced. The voice is deterministic. */
  givenSamples: number;
  /** What the process has rendered of it since it started. */
  madeSamples: number;
  /** Work on it that has produced no audio yet. */
  silentWorkMs: number;
  losses: number;
  isOver: boolean;
  cancelTimer: () => void;
}

const NAME = "kokoro";
const RANKS: Readonly<Record<Urgency, number>> = { live: 0, ahead: 1, spare: 2 };
/** From the request to the first audio of a live clause. Leaves room for a lost process to be replaced. */
const FIRST_AUDIO_MAX_MS = 3_000;
/** A clause that has started cannot be finished by another voice, so it is awaited. */
const NEXT_AUDIO_MAX_MS = 15_000;
/** One step takes less than half a second; a process that takes longer than this is stuck, or has no processor at all. */
const STEP_MAX_MS = 10_000;
/** A process that could not be started is not retried for this long: each attempt takes a second of a core. */
const RESTART_PAUSE_MS = 5_000;
const LOSSES_MAX = 2;
const CLOSE_MAX_MS = 2_000;

/**
 * Shares one speaking process between calls. Before each step the clause is chosen whose audio is needed first, so that
 * a callee who hears silence goes before one who hears speech that was rendered ahead. A process that dies or hangs is
 * replaced, and its clause continues where it stopped.
 */
export class SpeechScheduler {
  readonly #options: SchedulerOptions;
  readonly #speeches = new Map<number, Speech>();
  readonly #closing = new AbortController();
  #host: WorkHost<VoiceWork, VoiceStep> | null = null;
  #opening: Promise<WorkHost<VoiceWork, VoiceStep>> | null = null;
  #mayOpenAtMs = Number.NEGATIVE_INFINITY;
  readonly #pace = new Pace();
  #isWorking = false;
  #nextId = 1;
  #lateMs = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** How many clauses are being spoken or waiting. */
  get size(): number {
    return this.#speeches.size;
  }

  /**
   * How many seconds of speech were rendered in a second of work recently, whatever else the machine was doing; 0
   * before any was.
   */
  get speed(): number {
    return this.#pace.speed;
  }

  /** How long after it was needed the latest audio for a callee arrived, since the last time this was asked. */
  takeLateMs(): number {
    const lateMs = this.#lateMs;
    this.#lateMs = 0;
    return lateMs;
  }

  /** Loads the process before it is needed. */
  async prepare(): Promise<void> {
    await this.#openHost();
  }

  speak(clause: Clause, { urgency, dueInMs, onAudio }: SpeechOptions): ScheduledSpeech {
    const speech: Speech = {
      id: this.#nextId++,
      clause,
      settled: Promise.withResolvers(),
      onAudio,
      urgency,
      dueMs: this.#options.nowMs() + dueInMs,
      isBegun: false,
      givenSamples: 0,
      madeSamples: 0,
      silentWorkMs: 0,
      losses: 0,
      isOver: false,
      cancelTimer: () => undefined,
    };
    this.#speeches.set(speech.id, speech);
    if (this.#closing.signal.aborted) this.#fail(speech, failure("it was closed", false));
    this.#watch(speech);
    void this.#work();
    return {
      done: speech.settled.promise,
      hasten: (wanted, wantedInMs) => this.#hasten(speech, wanted, wantedInMs),
      cancel: () => this.#leave(speech),
    };
  }

  /** Fails what is in progress and ends the process. Takes a bounded time. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("it was closed"));
    for (const speech of this.#speeches.values()) this.#fail(speech, failure("it was closed", false));
    const ending = Promise.allSettled([this.#opening, this.#host?.end()]);
    await within(this.#options.timers, CLOSE_MAX_MS, ending, () => undefined);
  }

  #hasten(speech: Speech, urgency: Urgency, dueInMs: number): void {
    const dueMs = this.#options.nowMs() + dueInMs + durationMsOf(speech.givenSamples);
    const isMoreUrgent = RANKS[urgency] < RANKS[speech.urgency];
    // Calls share a clause, and the first one that needs it may have asked last.
    const isSooner = urgency === speech.urgency && dueMs < speech.dueMs;
    if (speech.isOver || !(isMoreUrgent || isSooner)) return;
    speech.urgency = urgency;
    speech.dueMs = dueMs;
    this.#watch(speech);
  }

  /** A callee must not wait for audio that may never arrive. */
  #watch(speech: Speech): void {
    speech.cancelTimer();
    if (speech.urgency !== "live" || speech.isOver) return;
    const { nowMs, timers } = this.#options;
    const lateMs = speech.givenSamples === 0 ? FIRST_AUDIO_MAX_MS : NEXT_AUDIO_MAX_MS;
    speech.cancelTimer = timers.setTimer(Math.max(0, speech.dueMs - nowMs()) + lateMs, () => {
      this.#fail(speech, failure(`no audio within ${lateMs} ms`, false));
    });
  }

  #leave(speech: Speech): void {
    if (speech.isOver) return;
    speech.isOver = true;
    speech.cancelTimer();
    this.#speeches.delete(speech.id);
    // A process that is gone has already forgotten it.
    if (speech.isBegun) this.#host?.run({ type: "drop", speechId: speech.id }).catch(() => undefined);
  }

  #fail(speech: Speech, error: ProviderError): void {
    if (speech.isOver) return;
    this.#leave(speech);
    speech.settled.reject(error);
  }

  /** Steps one after the other while there is something to say. Never rejects. */
  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (let speech = this.#mostUrgent(); speech !== null; speech = this.#mostUrgent()) {
      try {
        const host = this.#host?.hasEnded === false ? this.#host : await this.#openHost();
        await this.#step(host, speech);
      } catch (error) {
        this.#onFailure(speech, error);
      }
    }
    this.#isWorking = false;
  }

  #mostUrgent(): Speech | null {
    let first: Speech | null = null;
    for (const speech of this.#speeches.values()) if (first === null || goesBefore(speech, first)) first = speech;
    return first;
  }

  async #step(host: WorkHost<VoiceWork, VoiceStep>, speech: Speech): Promise<void> {
    const { id: speechId, clause } = speech;
    const work: VoiceWork = speech.isBegun ? { type: "continue", speechId } : { type: "begin", speechId, clause };
    const { isBegun } = speech;
    speech.isBegun = true;
    // What a lost process has worked on it was lost too.
    if (!isBegun) [speech.madeSamples, speech.silentWorkMs] = [0, 0];
    const cancelTimer = this.#options.timers.setTimer(STEP_MAX_MS, () => void host.end());
    try {
      const begunAtMs = this.#options.nowMs();
      const step = await host.run(work);
      speech.silentWorkMs += this.#options.nowMs() - begunAtMs;
      if (step.samples.length > 0) {
        // Several calls that start at the same time make a machine look slow whose audio is only just coming.
        this.#pace.note(speech.silentWorkMs, durationMsOf(step.samples.length));
        speech.silentWorkMs = 0;
      }
      this.#take(speech, step);
    } finally {
      cancelTimer();
    }
  }

  #take(speech: Speech, { samples, isOver, wordTimes }: VoiceStep): void {
    if (speech.isOver) return;
    const known = Math.min(samples.length, Math.max(0, speech.givenSamples - speech.madeSamples));
    speech.madeSamples += samples.length;
    if (samples.length > known) {
      if (speech.urgency === "live") this.#lateMs = Math.max(this.#lateMs, this.#options.nowMs() - speech.dueMs);
      // It starts to play now, or when the preceding audio has been played.
      if (speech.givenSamples === 0) speech.dueMs = Math.max(speech.dueMs, this.#options.nowMs());
      speech.onAudio(known === 0 ? samples : samples.slice(known), speech.givenSamples === 0 ? wordTimes : null);
      speech.dueMs += durationMsOf(samples.length - known);
      speech.givenSamples += samples.length - known;
      this.#watch(speech);
    }
    if (!isOver) return;
    speech.isOver = true;
    speech.cancelTimer();
    this.#speeches.delete(speech.id);
    speech.settled.resolve();
  }

  #onFailure(speech: Speech, error: unknown): void {
    if (!(error instanceof HostEnded)) {
      speech.isBegun = false;
      this.#fail(speech, error instanceof ProviderError ? error : failure(reasonOf(error), false));
      return;
    }
    if (this.#closing.signal.aborted) return;
    this.#options.onHostLost(error.message);
    this.#host = null;
    for (const each of this.#speeches.values()) each.isBegun = false;
    speech.losses += 1;
    if (speech.losses >= LOSSES_MAX)
      this.#fail(speech, failure("its process ended twice during the same clause", true));
  }

  /** Rejects with a ProviderError when it cannot be opened, and immediately if that was tried a moment ago. */
  #openHost(): Promise<WorkHost<VoiceWork, VoiceStep>> {
    if (this.#host?.hasEnded) this.#onIdleLoss();
    if (this.#host !== null) return Promise.resolve(this.#host);
    if (this.#opening === null && this.#options.nowMs() < this.#mayOpenAtMs)
      return Promise.reject(failure("its process could not be started", true));
    this.#opening ??= this.#open();
    return this.#opening;
  }

  #onIdleLoss(): void {
    this.#host = null;
    for (const speech of this.#speeches.values()) speech.isBegun = false;
    this.#options.onHostLost("it ended while it had nothing to do");
  }

  async #open(): Promise<WorkHost<VoiceWork, VoiceStep>> {
    try {
      const host = await this.#options.openHost(this.#closing.signal);
      if (this.#closing.signal.aborted) await host.end();
      this.#host = host;
      return host;
    } catch (error) {
      this.#mayOpenAtMs = this.#options.nowMs() + RESTART_PAUSE_MS;
      throw failure(`its process could not be started: ${reasonOf(error)}`, true);
    } finally {
      this.#opening = null;
    }
  }
}

/** Earlier measurements count half as much after this much more speech. */
const HALF_LIFE_MS = 20_000;

/** How fast speech is rendered, by the most recent measurements. */
class Pace {
  #workMs = 0;
  #audioMs = 0;

  get speed(): number {
    return this.#workMs === 0 ? 0 : this.#audioMs / this.#workMs;
  }

  note(workMs: number, audioMs: number): void {
    const kept = 0.5 ** (audioMs / HALF_LIFE_MS);
    this.#workMs = this.#workMs * kept + workMs;
    this.#audioMs = this.#audioMs * kept + audioMs;
  }
}

/**
 * A step of another clause takes up to this long, and speech that stops within a sentence is worse than speech that
 * starts late.
 */
const RESERVE_MS = 800;

function latestStartMs({ dueMs, givenSamples }: Speech): number {
  return givenSamples === 0 ? dueMs : dueMs - RESERVE_MS;
}

function goesBefore(one: Speech, other: Speech): boolean {
  const ranks = RANKS[one.urgency] - RANKS[other.urgency];
  return ranks === 0 ? latestStartMs(one) < latestStartMs(other) : ranks < 0;
}

function failure(message: string, retryable: boolean): ProviderError {
  return new ProviderError(NAME, `${NAME}: ${message}`, { retryable });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
