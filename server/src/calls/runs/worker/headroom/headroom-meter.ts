import { durationMsOf } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { LegMedia } from "@parley/telephony/carrier";
import {
  forecastHeadroom,
  type Headroom,
  type HeadroomFacts,
  type NaturalVoiceFacts,
  nextCeiling,
  STAGES,
  type Stage,
} from "./forecast.ts";

/** What the parts of a worker measure about themselves. Each lateness is that since it was last read. */
interface HeadroomSources {
  /** Null before the models are loaded. */
  speech(): Promise<SpeechMeasurement | null>;
  conversationLateMs(): number;
  voiceLateMs(): Promise<number>;
  /** Null where there are none, or before their speed is known. */
  naturalVoices(): Promise<NaturalVoiceFacts | null>;
  /** How late the thread of the worker itself runs. */
  workerLateMs(): number;
  /** The share of the machine's cores that was busy since it was last read. */
  busyCores(): number | null;
}

export interface SpeechMeasurement {
  /** The speed of one process when it was started. */
  readonly secondsOfSpeechPerSecond: number;
  readonly recognition: RecognitionWork & { readonly processes: number; readonly lateMs: number };
  readonly detectionLateMs: number;
}

export interface HeadroomMeterOptions {
  readonly sources: HeadroomSources;
  readonly slotsMax: number;
  /** The cores that this worker may count on. */
  readonly cores: number;
  readonly monotonicMs: () => number;
}

/** The calls of a worker at the moment of a measurement. */
export interface MeasuredCalls {
  readonly held: number;
  /** The audio of those whose callee is on the line. */
  readonly talking: readonly Pick<LegMedia, "played">[];
}

/** This many measurements are compared: audio that was lost for good must not count as late for the rest of the call. */
const COMPARED = 10;

interface FollowedLine {
  readonly reader: RingReader;
  writtenMs: number;
  /** How far the audio was behind the clock at the last measurements, from an arbitrary beginning. */
  behindMs: number[];
}

/**
 * Measures how late the audio of calls is. Every line has 20 ms of audio written to its ring every 20 ms, by whichever
 * thread carries it, so the clock and the ring drift apart exactly by the lateness of that thread.
 */
class MediaLateness {
  #lines = new Map<SharedArrayBuffer, FollowedLine>();

  /** The lateness of the latest line, in milliseconds. A line that has no audio is not late. */
  measure(lines: Iterable<Pick<LegMedia, "played">>, nowMs: number): number {
    const followed = new Map<SharedArrayBuffer, FollowedLine>();
    let latestMs = 0;
    for (const { played } of lines) {
      const line = this.#lines.get(played) ?? { reader: new RingReader(played), writtenMs: 0, behindMs: [] };
      followed.set(played, line);
      const writtenMs = durationMsOf(line.reader.writtenPosition);
      const isFlowing = writtenMs > line.writtenMs;
      line.writtenMs = writtenMs;
      line.behindMs = isFlowing ? [...line.behindMs.slice(1 - COMPARED), nowMs - writtenMs] : [];
      if (isFlowing) latestMs = Math.max(latestMs, nowMs - writtenMs - Math.min(...line.behindMs));
    }
    this.#lines = followed;
    return latestMs;
  }
}

/** A stage counts as late for this many measurements after it was: load comes in waves. */
const REMEMBERED = 3;
/** From the claim to the first exchange with the callee. */
const SETTLE_MS = 8_000;

/** Measures whether a worker keeps up with its calls. Measured once a second, read before each claim. */
export class HeadroomMeter {
  readonly #options: HeadroomMeterOptions;
  readonly #media = new MediaLateness();
  readonly #late = new Map<Stage, number[]>();
  #demand: RecognitionDemand | null = null;
  #processes = 0;
  #naturalVoices: NaturalVoiceFacts | null = null;
  #startedAtMs: number[] = [];
  #ceiling = Number.POSITIVE_INFINITY;
  #measuredAtMs: number;
  #databaseMs = 0;
  #busy: readonly number[] = [];

  constructor(options: HeadroomMeterOptions) {
    this.#options = options;
    this.#measuredAtMs = options.monotonicMs();
  }

  /** How late each stage has been lately. */
  get lateMs(): HeadroomFacts["lateMs"] {
    return Object.fromEntries(
      STAGES.flatMap((stage) => {
        const values = this.#late.get(stage);
        return values === undefined ? [] : [[stage, Math.max(...values)]];
      }),
    );
  }

  /** A call was claimed. */
  noteStarted(): void {
    this.#startedAtMs.push(this.#options.monotonicMs());
  }

  /** A short statement took this long. */
  noteDatabaseMs(tookMs: number): void {
    this.#databaseMs = Math.max(this.#databaseMs, tookMs);
  }

  async measure(calls: MeasuredCalls): Promise<void> {
    const { sources, monotonicMs, slotsMax } = this.#options;
    const [speech, voiceLateMs, naturalVoices] = await Promise.all([
      sources.speech(),
      sources.voiceLateMs(),
      sources.naturalVoices(),
    ]);
    this.#naturalVoices = naturalVoices;
    const nowMs = monotonicMs();
    const elapsedMs = nowMs - this.#measuredAtMs;
    this.#measuredAtMs = nowMs;
    if (speech !== null) {
      const { recognition, detectionLateMs } = speech;
      this.#demand ??= new RecognitionDemand(speech.secondsOfSpeechPerSecond);
      this.#demand.note(recognition, calls.talking.length, elapsedMs);
      this.#processes = recognition.processes;
      this.#noteLate("recognition", recognition.lateMs);
      this.#noteLate("speech_detection", detectionLateMs);
    }
    this.#noteLate("media", this.#media.measure(calls.talking, nowMs));
    this.#noteLate("conversation", sources.conversationLateMs());
    this.#noteLate("voice", voiceLateMs);
    this.#noteLate("worker", sources.workerLateMs());
    this.#noteLate("database", this.#databaseMs);
    this.#databaseMs = 0;
    const busy = sources.busyCores();
    if (busy !== null) this.#busy = [...this.#busy.slice(1 - REMEMBERED), busy];
    const settling = this.#countSettling(nowMs);
    this.#ceiling = nextCeiling(
      this.#ceiling,
      { held: calls.held, settling, slotsMax, lateMs: this.lateMs },
      elapsedMs,
    );
  }

  /** The forecast for a worker that holds this many calls. */
  read(held: number): Headroom {
    const { slotsMax, cores, monotonicMs } = this.#options;
    return forecastHeadroom({
      held,
      settling: Math.min(held, this.#countSettling(monotonicMs())),
      slotsMax,
      cores,
      recognition: this.#demand && { processes: this.#processes, workPerCall: this.#demand.workPerCall },
      naturalVoices: this.#naturalVoices,
      lateMs: this.lateMs,
      busy: this.#busy.length === 0 ? null : Math.max(...this.#busy),
      ceiling: this.#ceiling,
    });
  }

  #countSettling(nowMs: number): number {
    this.#startedAtMs = this.#startedAtMs.filter((startedMs) => startedMs > nowMs - SETTLE_MS);
    return this.#startedAtMs.length;
  }

  #noteLate(stage: Stage, lateMs: number): void {
    this.#late.set(stage, [...(this.#late.get(stage) ?? []).slice(1 - REMEMBERED), lateMs]);
  }
}

/** The work of the recognizers since they were started. */
interface RecognitionWork {
  /** The speech in all requests. */
  readonly requestedMs: number;
  /** The speech that was recognized with the small model, which serves everyone on a busy machine. */
  readonly speechMs: number;
  /** How long processes worked on that. */
  readonly workMs: number;
}

/**
 * The speech that a conversation has recognized in a second: callees speak for a third of a call, and most utterances are
 * recognized twice, as a guess and when they are complete.
 */
const SPEECH_PER_CALL = 0.6;
/** Callees who happen to be silent now will speak. */
const SPEECH_PER_CALL_MIN = 0.2;
/** This much time of calls has to be measured before it counts as much as that figure. */
const PRIOR_CALL_MS = 120_000;
/** Conversations change with the agents that are used, the speed of the machine with everything else that runs on it. */
const CALLS_HALF_LIFE_MS = 300_000;
const SPEED_HALF_LIFE_MS = 15_000;
/** Less work than this says nothing about the speed. */
const WORK_MIN_MS = 20;

/** Estimates how much work the recognizers have with one call, from the speed of this moment. */
export class RecognitionDemand {
  #callMs = PRIOR_CALL_MS;
  #requestedMs = PRIOR_CALL_MS * SPEECH_PER_CALL;
  #recent: { speechMs: number; workMs: number };
  #last: RecognitionWork | null = null;

  /** The speed is what was measured when the recognizers were started. */
  constructor(secondsOfSpeechPerSecond: number) {
    const speechMs = SPEED_HALF_LIFE_MS;
    this.#recent = { speechMs, workMs: speechMs / Math.max(secondsOfSpeechPerSecond, 0.01) };
  }

  /** How many seconds one process works for a call in a second. */
  get workPerCall(): number {
    const speechPerCall = Math.max(SPEECH_PER_CALL_MIN, this.#requestedMs / this.#callMs);
    return speechPerCall * (this.#recent.workMs / this.#recent.speechMs);
  }

  /** Adds what happened since the last time, while this many callees were on the line. */
  note(work: RecognitionWork, callsTalking: number, elapsedMs: number): void {
    const last = this.#last ?? work;
    const requestedMs = Math.max(0, work.requestedMs - last.requestedMs);
    const speechMs = Math.max(0, work.speechMs - last.speechMs);
    const workMs = Math.max(0, work.workMs - last.workMs);
    this.#last = work;
    if (callsTalking > 0) {
      const kept = 0.5 ** ((callsTalking * elapsedMs) / CALLS_HALF_LIFE_MS);
      this.#callMs = this.#callMs * kept + callsTalking * elapsedMs;
      this.#requestedMs = this.#requestedMs * kept + requestedMs;
    }
    if (workMs < WORK_MIN_MS || speechMs === 0) return;
    const kept = 0.5 ** (speechMs / SPEED_HALF_LIFE_MS);
    this.#recent = { speechMs: this.#recent.speechMs * kept + speechMs, workMs: this.#recent.workMs * kept + workMs };
  }
}
