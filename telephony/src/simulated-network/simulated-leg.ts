import { RINGBACK } from "@parley/audio/call-signals";
import type { CallLeg, LegEnd, LegMedia, LegStatistics, TransferRequest } from "../carrier.ts";
import { canceledByUs, hungUp, legEndFromCode, lost } from "../leg-end.ts";
import type { LegEvents } from "../leg-events.ts";
import type { MediaAlarm } from "../rtp/media-watch.ts";
import { type AnsweringCallee, type CalleeBehaviour, FIRST_RING_AFTER_MS, TALK_MAX_MS } from "./callee-behaviours.ts";
import { createFarEnd, linesOf } from "./callee-manner.ts";
import type { CalleeObserver } from "./callee-observer.ts";
import type { RunningCallee } from "./callees/callee-machine.ts";
import { checkKeys } from "./check-keys.ts";
import { followScriptQuietly } from "./follow-script-quietly.ts";
import { LegMemory } from "./leg-memory.ts";
import { LegTransfer, type SecondLegs } from "./leg-transfer.ts";
import type { CalleeEars } from "./ports/callee-ears.ts";
import { LegSound } from "./sound/leg-sound.ts";
import type { LineBook } from "./sound/line-book.ts";
import { ringbackRegion } from "./sound/network-sounds.ts";
import type { SoundTick } from "./sound/sound-tick.ts";

/**
 * The states of a simulated leg:
 *
 * - dialing: the request has left; the phone does not ring yet. Goes on to ringing, or to ended when refused.
 * - ringing: goes on to talking when the callee answers, or to ended (declined, canceled, nobody answered).
 * - talking: the callee does as it does. Goes on to ended when either side or the network hangs up.
 * - ended: final. No timer is left.
 */
export type SimulatedLegState =
  | { readonly name: "dialing" }
  | { readonly name: "ringing" }
  | { readonly name: "talking" }
  | { readonly name: "ended"; readonly end: LegEnd };

/** What the legs of a network share to have sound. */
export interface NetworkSoundParts {
  readonly tick: SoundTick;
  readonly book: LineBook;
  readonly ears: CalleeEars | null;
  readonly observer: CalleeObserver | null;
}

export interface SimulatedLegParts {
  readonly dialId: string;
  readonly to: string;
  readonly callee: CalleeBehaviour;
  /** How long the phone may ring. */
  readonly ringMaxMs: number;
  readonly events: LegEvents;
  /** Null in a network without sound. */
  readonly sound: (NetworkSoundParts & { readonly seed: number }) | null;
  readonly now: () => number;
  /** Runs something later, in the network's own time. Returns the function that cancels it. */
  readonly after: (delayMs: number, fire: () => void) => () => void;
  readonly onState: (state: SimulatedLegState) => void;
  readonly secondLegs: SecondLegs<SimulatedLeg>;
}

/** A callee whose voice is not ready is waited for this long after it should have answered; then it babbles. */
const VOICE_WAIT_MS = 3_000;
const VOICE_LOOK_MS = 20;

/** One connection through the simulated network, from the dial to its end. */
export class SimulatedLeg implements CallLeg {
  readonly dialId: string;
  readonly #parts: SimulatedLegParts;
  readonly #memory = new LegMemory();
  readonly #transfer: LegTransfer<SimulatedLeg>;
  #state: SimulatedLegState = { name: "dialing" };
  #cancelTimers: (() => void)[] = [];
  #callee: RunningCallee | null = null;
  #voiceIsReady = true;
  #sound: LegSound | null = null;
  #stopTicking: (() => void) | null = null;

  constructor(parts: SimulatedLegParts) {
    this.dialId = parts.dialId;
    this.#parts = parts;
    this.#transfer = new LegTransfer({
      secondLegs: parts.secondLegs,
      after: parts.after,
      emit: (progress) => parts.events.emit(progress),
      bridge: (other) => this.#bridgeTo(other),
      leave: (reason) => this.#end(hungUp("callee", reason)),
    });
  }

  get media(): LegMedia {
    return this.#memory.media;
  }

  start(): void {
    const { callee, onState } = this.#parts;
    onState(this.#state);
    if (callee.does === "refuses" && !callee.rings) {
      this.#later(callee.refuseAfterMs, () => this.#end(legEndFromCode(callee.code, callee.reason, false)));
      return;
    }
    if (callee.does === "answers") this.#prepare(callee);
    this.#later(FIRST_RING_AFTER_MS, () => this.#ring());
  }

  onEvent(listener: Parameters<CallLeg["onEvent"]>[0]): () => void {
    return this.#parts.events.onEvent(listener);
  }

  async hangup(): Promise<void> {
    if (this.#state.name === "ended") return;
    this.#end(this.#state.name === "talking" ? hungUp("us") : canceledByUs());
  }

  sendDtmf(keys: string): void {
    checkKeys(keys);
    this.#sound?.sendDtmf(keys);
  }

  transfer(request: TransferRequest): void {
    const { callee } = this.#parts;
    if (this.#state.name !== "talking" || callee.does !== "answers") return;
    this.#transfer.start(request, callee.manner.acceptsRefer);
  }

  async statistics(): Promise<LegStatistics | null> {
    return this.#sound?.statistics() ?? null;
  }

  /** What the callee may say is rendered while its phone rings. */
  #prepare({ manner }: AnsweringCallee): void {
    const { sound } = this.#parts;
    if (sound === null) return;
    const callee = manner.callee();
    const lines = linesOf(callee, manner);
    this.#callee = callee;
    this.#voiceIsReady = sound.book.isReady(lines);
    if (this.#voiceIsReady) return;
    void sound.book.prepare(lines).then(() => {
      this.#voiceIsReady = true;
    });
  }

  #ring(): void {
    this.#enter({ name: "ringing" });
    const { callee, events, ringMaxMs } = this.#parts;
    events.emit({ type: "ringing" });
    this.#startSound();
    this.#later(ringMaxMs, () => this.#end(legEndFromCode(480, "Temporarily Unavailable", true)));
    if (callee.does === "answers") {
      this.#later(callee.answerAfterMs, () => this.#answerWhenReady(callee, this.#parts.now() + VOICE_WAIT_MS));
    }
    if (callee.does === "refuses") {
      this.#later(callee.refuseAfterMs, () => this.#end(legEndFromCode(callee.code, callee.reason, true)));
    }
  }

  /** From here on it is heard how it rings. */
  #startSound(): void {
    const { sound, to, events } = this.#parts;
    if (sound === null) return;
    const legSound = new LegSound({
      media: this.media,
      ringback: RINGBACK[ringbackRegion(to)],
      onAlarm: (alarm) => this.#takeAlarm(alarm),
    });
    this.#sound = legSound;
    this.#stopTicking = sound.tick.join({ tick: (dueMs) => this.#tick(legSound, dueMs) });
    events.emit({ type: "earlyMedia" });
  }

  /** A fault in one callee ends its leg; the others of the network do not notice. */
  #tick(sound: LegSound, dueMs: number): void {
    try {
      sound.tick(dueMs);
    } catch (error) {
      this.#end(lost(`The simulated callee failed: ${error instanceof Error ? error.message : String(error)}`));
    }
  }

  #answerWhenReady(callee: AnsweringCallee, latestMs: number): void {
    if (this.#voiceIsReady || this.#parts.now() >= latestMs) this.#answer(callee);
    else this.#later(VOICE_LOOK_MS, () => this.#answerWhenReady(callee, latestMs));
  }

  #answer({ manner, script }: AnsweringCallee): void {
    const { events, sound, now } = this.#parts;
    this.#enter({ name: "talking" });
    events.emit({ type: "answered" });
    this.#later(TALK_MAX_MS, () => this.#end(hungUp("network", "Maximum Call Duration")));
    const hangUp = () => this.#end(hungUp("callee"));
    const onKey = (pressed: { key: string; durationMs: number }) => events.emit({ type: "dtmf", ...pressed });
    if (sound === null || this.#callee === null) {
      followScriptQuietly({ script, hangUp, onKey, later: (delayMs, fire) => this.#later(delayMs, fire) });
      return;
    }
    const { book, ears, seed, observer } = sound;
    const farEnd = createFarEnd(manner, {
      book,
      ears,
      seed,
      callee: this.#callee,
      onKey,
      onHangUp: hangUp,
      ...(observer === null ? {} : this.#observedBy(observer)),
    });
    this.#sound?.answer(farEnd, now());
  }

  #observedBy(observer: CalleeObserver) {
    return {
      onHears: (frame: Int16Array) => observer.heard(this.dialId, frame),
      onKeyHeard: (key: string) => observer.keyHeard(this.dialId, key),
    };
  }

  #takeAlarm(alarm: MediaAlarm): void {
    const { events } = this.#parts;
    if (alarm === "audio_missing") events.emit({ type: "audioMissing" });
    else if (alarm === "audio_returned") events.emit({ type: "audioReturned" });
    else this.#end({ type: "ended", cause: "media_timeout", code: null, reason: "No Sound Received", by: "network" });
  }

  #bridgeTo(other: SimulatedLeg): void {
    if (this.#sound === null || other.#sound === null) return;
    this.#sound.bridgeTo(other.#sound);
    other.#sound.bridgeTo(this.#sound);
  }

  #end(end: LegEnd): void {
    if (this.#state.name === "ended") return;
    this.#enter({ name: "ended", end });
    this.#stopTicking?.();
    this.#sound?.close();
    this.#memory.close();
    this.#transfer.stop();
    this.#parts.events.emit(end);
  }

  /** A state's timers end with it. */
  #enter(state: SimulatedLegState): void {
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers = [];
    this.#state = state;
    this.#parts.onState(state);
  }

  #later(delayMs: number, fire: () => void): void {
    this.#cancelTimers.push(this.#parts.after(delayMs, fire));
  }
}
