import { RINGBACK } from "@parley/audio/call-signals";
import type { LegMedia, LegStatistics } from "../carrier.ts";
import type { MediaAlarm } from "../rtp/media/media-watch.ts";
import type { CalleeObserver } from "./callee-observer.ts";
import { type CalleeProfile, type CalleeVoices, castVoices, createFarEnd, linesOf } from "./callee-profile.ts";
import type { RunningCallee } from "./callees/callee-machine.ts";
import type { CalleeRecognizer } from "./ports/callee-recognizer.ts";
import type { PressedKey } from "./sound/callee-speaker.ts";
import { LegSound } from "./sound/leg-sound.ts";
import type { LineBook } from "./sound/line-book.ts";
import { ringbackRegion } from "./sound/network-sounds.ts";
import type { SoundTick } from "./sound/sound-tick.ts";

/** The audio dependencies that the legs of a network share. */
export interface NetworkSoundDeps {
  readonly tick: SoundTick;
  readonly book: LineBook;
  readonly recognizer: CalleeRecognizer | null;
  readonly observer: CalleeObserver | null;
}

export interface SoundingLegDeps extends NetworkSoundDeps {
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
export class SoundingLeg {
  readonly #deps: SoundingLegDeps;
  readonly #sound: LegSound;
  #cast: { readonly callee: RunningCallee; readonly voices: CalleeVoices } | null = null;
  #voiceIsReady = true;
  #stopTicking: (() => void) | null = null;

  constructor(deps: SoundingLegDeps) {
    this.#deps = deps;
    const { media, to, onAlarm } = deps;
    this.#sound = new LegSound({ media, ringback: RINGBACK[ringbackRegion(to)], onAlarm });
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
    this.#sound.answer(farEnd, nowMs);
  }

  bridgeTo(other: SoundingLeg): void {
    this.#sound.bridgeTo(other.#sound);
    other.#sound.bridgeTo(this.#sound);
  }

  sendDtmf(keys: string): void {
    this.#sound.sendDtmf(keys);
  }

  statistics(): LegStatistics | null {
    return this.#sound.statistics();
  }

  close(): void {
    this.#stopTicking?.();
    this.#sound.close();
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
      this.#sound.tick(dueMs);
    } catch (error) {
      this.#deps.onFault(error);
    }
  }
}
