import { BeepDetector, type BeepEvent } from "@parley/audio/detect/beep-detector";
import {
  CallProgressDetector,
  type CallProgressEvent,
  SpecialInformationDetector,
  type SpecialInformationEvent,
} from "@parley/audio/detect/call-progress-detector";
import { FaxDetector, type FaxEvent } from "@parley/audio/detect/fax-detector";
import { ToneTracker } from "@parley/audio/detect/tone-tracker";
import { createFrame, durationMsOf, FRAME_SAMPLES, samplesIn } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { HeardTone } from "./judge-tone.ts";

type SignalEvent = BeepEvent | CallProgressEvent | FaxEvent | SpecialInformationEvent;

/** E.180: busy and ringing tones of one sine lie here, so a beep at such a pitch may be their first burst. */
const NETWORK_MIN_HZ = 380;
const NETWORK_MAX_HZ = 470;
const SAME_PITCH_HZ = 15;

/** Detects signals in the ring of received audio, frame by frame, from the ring's position at the start. */
export class ToneDetector {
  readonly #reader: RingReader;
  readonly #listener: (tone: HeardTone) => void;
  readonly #busyPauseSamples: number;
  readonly #frame = createFrame();
  #detectors: Detectors;
  /** Where in the ring the first frame of these detectors began. */
  #basePosition: number;
  /** A beep that may turn out to be one burst of a busy tone. */
  #heldBeep: BeepEvent | null = null;

  constructor(heard: SharedArrayBuffer, busyPauseMs: number, listener: (tone: HeardTone) => void) {
    this.#reader = new RingReader(heard);
    this.#listener = listener;
    this.#busyPauseSamples = samplesIn(busyPauseMs);
    this.#basePosition = this.#reader.position;
    this.#detectors = openDetectors((event) => this.#hear(event));
  }

  get positionMs(): number {
    return durationMsOf(this.#reader.position);
  }

  /** Whether a single tone is present at this position, which speech does not produce. */
  get isToneSounding(): boolean {
    return this.#detectors.tracker.soundingHz > 0;
  }

  /** Listens to all whole frames before this time that were written. */
  listenUntil(endMs: number): void {
    const until = samplesIn(endMs);
    while (this.#reader.position + FRAME_SAMPLES <= until) {
      const position = this.#reader.position;
      const isRead = this.#reader.readFrame(this.#frame);
      if (!isRead && this.#reader.position === position) return;
      if (!isRead) continue;
      const start = this.#reader.position - FRAME_SAMPLES;
      if (start !== position) this.#startOver(start);
      this.#detectors.push(this.#frame);
      this.#considerHeldBeep();
    }
  }

  /** What lies between was lost, and any rhythm with it. */
  #startOver(position: number): void {
    this.#basePosition = position;
    this.#heldBeep = null;
    this.#detectors = openDetectors((event) => this.#hear(event));
  }

  #hear(event: SignalEvent): void {
    switch (event.type) {
      case "beep.heard":
        if (event.frequencyHz < NETWORK_MIN_HZ || event.frequencyHz > NETWORK_MAX_HZ) return this.#tellBeep(event);
        this.#heldBeep = event;
        return;
      case "fax.answered":
        return this.#listener({ name: "fax_answer", endMs: this.#msAt(event.position) });
      case "fax.called":
        return this.#listener({ name: "fax_call", endMs: this.#msAt(event.position) });
      case "special_information.heard":
        return this.#listener({ name: "announcement", endMs: this.#msAt(event.endPosition) });
      case "call_progress.heard":
        if (event.progress !== "ringing") this.#listener({ name: "busy", endMs: this.#msAt(event.position) });
    }
  }

  #considerHeldBeep(): void {
    const held = this.#heldBeep;
    if (held === null) return;
    const { soundingHz } = this.#detectors.tracker;
    if (Math.abs(soundingHz - held.frequencyHz) <= SAME_PITCH_HZ) this.#heldBeep = null;
    else if (this.#reader.position - this.#basePosition - held.endPosition >= this.#busyPauseSamples) {
      this.#heldBeep = null;
      this.#tellBeep(held);
    }
  }

  #tellBeep({ frequencyHz, startPosition, endPosition }: BeepEvent): void {
    const [startMs, endMs] = [this.#msAt(startPosition), this.#msAt(endPosition)];
    this.#listener({ name: "beep", frequencyHz, startMs, endMs });
  }

  #msAt(position: number): number {
    return durationMsOf(this.#basePosition + position);
  }
}

interface Detectors {
  readonly tracker: ToneTracker;
  push(frame: Int16Array): void;
}

function openDetectors(listener: (event: SignalEvent) => void): Detectors {
  const tracker = new ToneTracker();
  const fax = new FaxDetector(tracker, listener);
  const progress = new CallProgressDetector(listener);
  new BeepDetector(tracker, listener);
  new SpecialInformationDetector(tracker, listener);
  return {
    tracker,
    push(frame) {
      tracker.push(frame);
      fax.check(frame.length);
      progress.push(frame);
    },
  };
}
