import { DEFAULT_DTMF_PACE } from "@parley/audio/dtmf";
import type {
  CallLeg,
  LegEnd,
  LegEvent,
  LegMedia,
  LegStatistics,
  SimulatedCalleeStep,
  TransferProgress,
  TransferRequest,
} from "../carrier.ts";
import { checkKeys } from "../check-keys.ts";
import { canceledByUs, hungUp, legEndFromCode, lost } from "../leg-end.ts";
import type { LegEvents } from "../leg-events.ts";
import { LegMemory } from "../leg-memory.ts";
import type { MediaAlarm } from "../rtp/media/media-watch.ts";
import type { PressedKey } from "./audio/callee-speaker.ts";
import { speechDurationMs } from "./audio/syllables.ts";
import { AudioLeg, type NetworkAudioDeps } from "./audio-leg.ts";
import { type AnsweringCallee, type CalleeBehaviour, FIRST_RING_AFTER_MS, TALK_MAX_MS } from "./callee-behaviours.ts";

/**
 * The states of a simulated leg:
 *
 * - dialing: the request was sent; the phone does not ring yet. Next: ringing, or ended when refused.
 * - ringing: next is talking when the callee answers, or ended (declined, canceled, unanswered).
 * - talking: the callee follows its behaviour. Next: ended when either side or the network hangs up.
 * - ended: final. No timer is left.
 */
export type SimulatedLegState =
  | { readonly phase: "dialing" }
  | { readonly phase: "ringing" }
  | { readonly phase: "talking" }
  | { readonly phase: "ended"; readonly end: LegEnd };

export interface SimulatedLegDeps {
  readonly dialId: string;
  readonly to: string;
  readonly callee: CalleeBehaviour;
  /** How long the phone may ring. */
  readonly ringMaxMs: number;
  readonly events: LegEvents;
  /** Null in a network without audio. */
  readonly audio: (NetworkAudioDeps & { readonly seed: number }) | null;
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
  readonly #deps: SimulatedLegDeps;
  readonly #memory = new LegMemory();
  readonly #transfer: LegTransfer<SimulatedLeg>;
  #state: SimulatedLegState = { phase: "dialing" };
  #cancelTimers: (() => void)[] = [];
  #audioLeg: AudioLeg | null = null;

  constructor(deps: SimulatedLegDeps) {
    this.dialId = deps.dialId;
    this.#deps = deps;
    this.#transfer = new LegTransfer({
      secondLegs: deps.secondLegs,
      after: deps.after,
      emit: (progress) => deps.events.emit(progress),
      bridge: (other) => this.#bridgeTo(other),
      leave: (reason) => this.#end(hungUp("callee", reason)),
    });
  }

  get media(): LegMedia {
    return this.#memory.media;
  }

  start(): void {
    const { callee, onState } = this.#deps;
    onState(this.#state);
    if (callee.does === "refuses" && !callee.rings) {
      this.#later(callee.refuseAfterMs, () => this.#end(legEndFromCode(callee.code, callee.reason, false)));
      return;
    }
    this.#audioLeg = this.#createAudioLeg();
    if (callee.does === "answers") this.#audioLeg?.prepare(callee.profile);
    this.#later(FIRST_RING_AFTER_MS, () => this.#ring());
  }

  onEvent(listener: Parameters<CallLeg["onEvent"]>[0]): () => void {
    return this.#deps.events.onEvent(listener);
  }

  async hangup(): Promise<void> {
    if (this.#state.phase === "ended") return;
    this.#end(this.#state.phase === "talking" ? hungUp("us") : canceledByUs());
  }

  sendDtmf(keys: string): void {
    checkKeys(keys);
    this.#audioLeg?.sendDtmf(keys);
  }

  transfer(request: TransferRequest): void {
    const { callee } = this.#deps;
    if (this.#state.phase !== "talking" || callee.does !== "answers") return;
    this.#transfer.start(request, callee.profile.acceptsRefer);
  }

  async statistics(): Promise<LegStatistics | null> {
    return this.#audioLeg?.statistics() ?? null;
  }

  #createAudioLeg(): AudioLeg | null {
    const { audio, dialId, to } = this.#deps;
    if (audio === null) return null;
    return new AudioLeg({
      ...audio,
      dialId,
      to,
      media: this.media,
      onKey: (pressed) => this.#reportKey(pressed),
      onHangUp: () => this.#end(hungUp("callee")),
      onAlarm: (alarm) => this.#takeAlarm(alarm),
      onFault: (error) => {
        this.#end(lost(`The simulated callee failed: ${error instanceof Error ? error.message : String(error)}`));
      },
    });
  }

  #ring(): void {
    this.#enter({ phase: "ringing" });
    const { callee, events, ringMaxMs } = this.#deps;
    events.emit({ type: "ringing" });
    if (this.#audioLeg !== null) {
      this.#audioLeg.ring();
      events.emit({ type: "early_media" });
    }
    this.#later(ringMaxMs, () => this.#end(legEndFromCode(480, "Temporarily Unavailable", true)));
    if (callee.does === "answers") {
      this.#later(callee.answerAfterMs, () => this.#answerWhenReady(callee, this.#deps.now() + VOICE_WAIT_MS));
    }
    if (callee.does === "refuses") {
      this.#later(callee.refuseAfterMs, () => this.#end(legEndFromCode(callee.code, callee.reason, true)));
    }
  }

  #answerWhenReady(callee: AnsweringCallee, latestMs: number): void {
    const isReady = this.#audioLeg?.voiceIsReady ?? true;
    if (isReady || this.#deps.now() >= latestMs) this.#answer(callee);
    else this.#later(VOICE_LOOK_MS, () => this.#answerWhenReady(callee, latestMs));
  }

  #answer({ profile, script }: AnsweringCallee): void {
    this.#enter({ phase: "talking" });
    this.#deps.events.emit({ type: "answered" });
    this.#later(TALK_MAX_MS, () => this.#end(hungUp("network", "Maximum Call Duration")));
    if (this.#audioLeg !== null) {
      this.#audioLeg.answer(profile, this.#deps.now());
      return;
    }
    followScriptQuietly({
      script,
      hangUp: () => this.#end(hungUp("callee")),
      onKey: (pressed) => this.#reportKey(pressed),
      later: (delayMs, fire) => this.#later(delayMs, fire),
    });
  }

  #reportKey({ key, durationMs }: PressedKey): void {
    this.#deps.events.emit({ type: "dtmf", key, durationMs });
  }

  #takeAlarm(alarm: MediaAlarm): void {
    const { events } = this.#deps;
    if (alarm === "audio_missing") events.emit({ type: "audio_missing" });
    else if (alarm === "audio_returned") events.emit({ type: "audio_returned" });
    else this.#end({ type: "ended", cause: "media_timeout", code: null, reason: "No Audio Received", by: "network" });
  }

  #bridgeTo(other: SimulatedLeg): void {
    if (this.#audioLeg !== null && other.#audioLeg !== null) this.#audioLeg.bridgeTo(other.#audioLeg);
  }

  #end(end: LegEnd): void {
    if (this.#state.phase === "ended") return;
    this.#enter({ phase: "ended", end });
    this.#audioLeg?.close();
    this.#memory.close();
    this.#transfer.stop();
    this.#deps.events.emit(end);
  }

  /** A state's timers end with it. */
  #enter(state: SimulatedLegState): void {
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers = [];
    this.#state = state;
    this.#deps.onState(state);
  }

  #later(delayMs: number, fire: () => void): void {
    this.#cancelTimers.push(this.#deps.after(delayMs, fire));
  }
}

type Leg = Pick<CallLeg, "onEvent" | "hangup">;

/** How a leg reaches another party. */
interface SecondLegs<Other extends Leg> {
  /** Dials, and records it like any other call. Null if its dialId was dialed before. */
  bridge(request: TransferRequest): Other | null;
  /** A dial of the callee's own telephone, of which we only hear. */
  refer(request: TransferRequest): Other;
}

export interface LegTransferDeps<Other extends Leg> {
  readonly secondLegs: SecondLegs<Other>;
  readonly after: (delayMs: number, fire: () => void) => () => void;
  readonly emit: (progress: TransferProgress) => void;
  readonly bridge: (other: Other) => void;
  /** Ends our leg, because the callee was transferred or the other party hung up. */
  readonly leave: (reason: string) => void;
}

/**
 * The states of a transfer:
 *
 * - idle: none was requested, or the last one failed.
 * - connecting: the other telephone is dialed and rings. Next: idle when it fails, bridged when it is answered.
 * - bridged: the callee and the other party hear each other; ends with either of them.
 */
type TransferState<Other> =
  | { readonly phase: "idle" }
  | { readonly phase: "connecting"; readonly other: Other; readonly stopWaiting: () => void }
  | { readonly phase: "bridged"; readonly other: Other };

type How = TransferProgress["how"];

/** Connects the callee of a leg with another party, one at a time. */
export class LegTransfer<Other extends Leg> {
  readonly #deps: LegTransferDeps<Other>;
  #state: TransferState<Other> = { phase: "idle" };

  constructor(deps: LegTransferDeps<Other>) {
    this.#deps = deps;
  }

  start(request: TransferRequest, acceptsRefer: boolean): void {
    const how: How = request.how === "bridge" || (request.how === "auto" && !acceptsRefer) ? "bridge" : "refer";
    if (this.#state.phase !== "idle") this.#report(how, "failed", 491, "Request Pending");
    else if (how === "refer" && !acceptsRefer) this.#report(how, "failed", 405, "Method Not Allowed");
    else this.#connect(request, how);
  }

  /** Our leg has ended, and with it what hangs on it. */
  stop(): void {
    const state = this.#state;
    this.#state = { phase: "idle" };
    if (state.phase === "idle") return;
    if (state.phase === "connecting") state.stopWaiting();
    void state.other.hangup();
  }

  #connect(request: TransferRequest, how: How): void {
    const { secondLegs, after } = this.#deps;
    const other = how === "bridge" ? secondLegs.bridge(request) : secondLegs.refer(request);
    if (other === null) {
      this.#report(how, "failed", 482, "Loop Detected");
      return;
    }
    const stopWaiting = after(request.ringTimeoutMs, () => void other.hangup());
    this.#state = { phase: "connecting", other, stopWaiting };
    this.#report(how, "trying", 100, "Trying");
    other.onEvent((event) => this.#follow(how, other, event));
  }

  #follow(how: How, other: Other, event: LegEvent): void {
    const state = this.#state;
    if (state.phase === "idle" || state.other !== other) return;
    if (event.type === "ringing") this.#report(how, "ringing", 180, "Ringing");
    if (event.type === "answered" && state.phase === "connecting") this.#complete(how, state);
    if (event.type === "ended") this.#lose(how, state, event);
  }

  #complete(how: How, { other, stopWaiting }: Extract<TransferState<Other>, { phase: "connecting" }>): void {
    stopWaiting();
    this.#state = { phase: "bridged", other };
    this.#report(how, "completed", 200, "OK");
    if (how === "bridge") this.#deps.bridge(other);
    // The referred call now belongs to the callee, no longer to us.
    else this.#deps.leave("Call Transferred");
  }

  #lose(how: How, state: Exclude<TransferState<Other>, { phase: "idle" }>, { code, reason }: EndEvent): void {
    if (state.phase === "bridged") {
      this.#deps.leave("Normal Clearing");
      return;
    }
    state.stopWaiting();
    this.#state = { phase: "idle" };
    this.#report(how, "failed", code, reason);
  }

  #report(how: How, state: TransferProgress["state"], code: number | null, reason: string): void {
    this.#deps.emit({ type: "transfer_progressed", how, state, code, reason });
  }
}

type EndEvent = Extract<LegEvent, { type: "ended" }>;

interface QuietScriptParts {
  readonly script: readonly SimulatedCalleeStep[];
  readonly later: (delayMs: number, fire: () => void) => void;
  readonly onKey: (pressed: { readonly key: string; readonly durationMs: number }) => void;
  readonly hangUp: () => void;
}

/**
 * Follows a script in a network without audio: everything takes its usual time and keys are pressed, but no
 * audio is exchanged. After the last step the callee stays on the line.
 */
function followScriptQuietly({ script, later, onKey, hangUp }: QuietScriptParts): void {
  const { keyMs, gapMs } = DEFAULT_DTMF_PACE;

  function follow(index: number): void {
    const step = script[index];
    if (step === undefined) return;
    const goOn = () => follow(index + 1);
    if ("hangUp" in step) hangUp();
    else if ("waitMs" in step) later(step.waitMs, goOn);
    // Without audio there are no turns to wait for.
    else if ("waitForTurn" in step) goOn();
    else if ("press" in step) press(Array.from(step.press), goOn);
    else later(speechDurationMs(step.say) + ("interruptAfterMs" in step ? step.interruptAfterMs : 0), goOn);
  }

  function press([key, ...others]: readonly string[], goOn: () => void): void {
    if (key === undefined) {
      goOn();
      return;
    }
    later(keyMs + gapMs, () => {
      onKey({ key, durationMs: keyMs });
      press(others, goOn);
    });
  }

  follow(0);
}
