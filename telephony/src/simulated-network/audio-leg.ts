import { RINGBACK } from "@parley/audio/call-signals";
import type { LegMedia, LegStatistics } from "../carrier.ts";
import type { MediaAlarm } from "../rtp/media/media-watch.ts";
import type { AudioTick } from "./audio/audio-tick.ts";
import type { PressedKey } from "./audio/callee-speaker.ts";
import { LegAudio } from "./audio/leg-audio.ts";
import type { LineBook } from "./audio/line-book.ts";
import { ringbackRegion } from "./audio/network-sounds.ts";
import type { CalleeObserver } from "./callee-observer.ts";
import { type CalleeProfile, type CalleeVoices, castVoices, createFarEnd, linesOf } from "./callee-profile.ts";
import type { RunningCallee } from "./callees/callee-machine.ts";
import type { CalleeRecognizer } from "./ports/callee-recognizer.ts";

/** The audio dependencies that the legs of a network share. */
export interface NetworkAudioDeps {
  readonly tick: AudioTick;
  readonly book: LineBook;
  readonly recognizer: CalleeRecognizer | null;
  readonly observer: CalleeObserver | null;
}

export interface AudioLegDeps extends NetworkAudioDeps {
  readonly dialId: string;
  readonly to: string;
  readonly seed: number;
  readonly media: LegMedia;
  readonly onKey: (pressed: PressedKey) => void;
  readonly onHangUp: () => void;
  readonly onAlarm: (alarm: MediaAlarm) => void;
  /** The callee's machine failed, which ends its leg and no other. */
  readonly onFault: (error: unknown) => void;
}

/** The audio of a leg from its first ring to its end: its callee's voice is prepared, it rings, and they talk. */
export class AudioLeg {
  readonly #deps: AudioLegDeps;
  readonly #audio: LegAudio;
  #cast: { readonly callee: RunningCallee; readonly voices: CalleeVoices } | null = null;
  #voiceIsReady = true;
  #stopTicking: (() => void) | null = null;

  constructor(deps: AudioLegDeps) {
    this.#deps = deps;
    const { media, to, onAlarm } = deps;
    this.#audio = new LegAudio({ media, ringback: RINGBACK[ringbackRegion(to)], onAlarm });
  }

  /** Whether all that the callee may say was rendered, or will never be. */
  get voiceIsReady(): boolean {
    return this.#voiceIsReady;
  }

  /** Renders what the callee may say while its phone rings. */
  prepare(profile: CalleeProfile): void {
    const { book } = this.#deps;
    const { callee, voices } = this.#castFor(profile);
    const lines = linesOf(callee, voices);
    this.#voiceIsReady = book.isReady(lines);
    if (this.#voiceIsReady) return;
    void book.prepare(lines).then(() => {
      this.#voiceIsReady = true;
    });
  }

  /** From here on it is heard how it rings. */
  ring(): void {
    this.#stopTicking ??= this.#deps.tick.join({ tick: (dueMs) => this.#tick(dueMs) });
  }

  answer(profile: CalleeProfile, nowMs: number): void {
    const { book, recognizer, seed, onKey, onHangUp, observer, dialId } = this.#deps;
    const farEnd = createFarEnd(profile, {
      ...this.#castFor(profile),
      book,
      recognizer,
      seed,
      onKey,
      onHangUp,
      onHears: (frame) => observer?.heard(dialId, frame),
      onKeyHeard: (key) => observer?.keyHeard(dialId, key),
    });
    this.#audio.answer(farEnd, nowMs);
  }

  bridgeTo(other: AudioLeg): void {
    this.#audio.bridgeTo(other.#audio);
    other.#audio.bridgeTo(this.#audio);
  }

  sendDtmf(keys: string): void {
    this.#audio.sendDtmf(keys);
  }

  statistics(): LegStatistics | null {
    return this.#audio.statistics();
  }

  close(): void {
    this.#stopTicking?.();
    this.#audio.close();
  }

  #castFor(profile: CalleeProfile) {
    if (this.#cast === null) {
      const callee = profile.callee();
      this.#cast = { callee, voices: castVoices(callee, profile, this.#deps.book) };
    }
    return this.#cast;
  }

  #tick(dueMs: number): void {
    try {
      this.#audio.tick(dueMs);
    } catch (error) {
      this.#deps.onFault(error);
    }
  }
}
