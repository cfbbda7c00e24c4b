import type { CallLeg, LegEnd, LegMedia, LegStatistics, TransferRequest } from "../carrier.ts";
import { canceledByUs, hungUp, legEndFromCode } from "../leg-end.ts";
import type { LegEvents } from "../leg-events.ts";
import {
  type AnsweringCallee,
  type CalleeBehaviour,
  FIRST_RING_AFTER_MS,
  RING_MAX_MS,
  TALK_MAX_MS,
} from "./callee-behaviours.ts";
import { checkKeys } from "./check-keys.ts";
import { createLegMedia } from "./leg-media.ts";

/**
 * The states of a simulated leg:
 *
 * - dialing: the request has left; the phone does not ring yet. Goes on to ringing, or to ended when refused.
 * - ringing: goes on to talking when the callee answers, or to ended (declined, canceled, nobody answered).
 * - talking: the callee follows its script. Goes on to ended when either side or the network hangs up.
 * - ended: final. No timer is left.
 */
export type SimulatedLegState =
  | { readonly name: "dialing" }
  | { readonly name: "ringing" }
  | { readonly name: "talking" }
  | { readonly name: "ended"; readonly end: LegEnd };

export interface SimulatedLegParts {
  readonly dialId: string;
  readonly callee: CalleeBehaviour;
  readonly events: LegEvents;
  /** Runs something later, in the network's own time. Returns the function that cancels it. */
  readonly after: (delayMs: number, fire: () => void) => () => void;
  readonly onState: (state: SimulatedLegState) => void;
}

/** One connection through the simulated network, from the dial to its end. */
export class SimulatedLeg implements CallLeg {
  readonly dialId: string;
  readonly media: LegMedia = createLegMedia();
  readonly #callee: CalleeBehaviour;
  readonly #events: LegEvents;
  readonly #after: SimulatedLegParts["after"];
  readonly #onState: SimulatedLegParts["onState"];
  #state: SimulatedLegState = { name: "dialing" };
  #cancelTimers: (() => void)[] = [];

  constructor(parts: SimulatedLegParts) {
    this.dialId = parts.dialId;
    this.#callee = parts.callee;
    this.#events = parts.events;
    this.#after = parts.after;
    this.#onState = parts.onState;
  }

  start(): void {
    this.#onState(this.#state);
    const callee = this.#callee;
    if (callee.does === "refuses" && !callee.rings) {
      this.#later(callee.refuseAfterMs, () => this.#end(legEndFromCode(callee.code, callee.reason, false)));
    } else {
      this.#later(FIRST_RING_AFTER_MS, () => this.#ring());
    }
  }

  onEvent(listener: Parameters<CallLeg["onEvent"]>[0]): () => void {
    return this.#events.onEvent(listener);
  }

  async hangup(): Promise<void> {
    if (this.#state.name === "ended") return;
    this.#end(this.#state.name === "talking" ? hungUp("us") : canceledByUs());
  }

  sendDtmf(keys: string): void {
    checkKeys(keys);
  }

  transfer({ how }: TransferRequest): void {
    if (this.#state.name !== "talking") return;
    const mode = how === "bridge" ? "bridge" : "refer";
    this.#events.emit({ type: "transferProgress", how: mode, state: "failed", code: 501, reason: "Not Implemented" });
  }

  async statistics(): Promise<LegStatistics | null> {
    return null;
  }

  #ring(): void {
    this.#enter({ name: "ringing" });
    this.#events.emit({ type: "ringing" });
    this.#later(RING_MAX_MS, () => this.#end(legEndFromCode(480, "Temporarily Unavailable", true)));
    const callee = this.#callee;
    if (callee.does === "answers") this.#later(callee.answerAfterMs, () => this.#answer(callee.script));
    if (callee.does === "refuses") {
      this.#later(callee.refuseAfterMs, () => this.#end(legEndFromCode(callee.code, callee.reason, true)));
    }
  }

  #answer(script: AnsweringCallee["script"]): void {
    this.#enter({ name: "talking" });
    this.#events.emit({ type: "answered" });
    this.#later(TALK_MAX_MS, () => this.#end(hungUp("network", "Maximum Call Duration")));
    this.#follow(script, 0);
  }

  #follow(script: AnsweringCallee["script"], index: number): void {
    const step = script[index];
    if (step === undefined) return;
    if ("hangUp" in step) this.#end(hungUp("callee"));
    else this.#later("waitMs" in step ? step.waitMs : 0, () => this.#follow(script, index + 1));
  }

  #end(end: LegEnd): void {
    this.#enter({ name: "ended", end });
    this.#events.emit(end);
  }

  /** A state's timers end with it. */
  #enter(state: SimulatedLegState): void {
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers = [];
    this.#state = state;
    this.#onState(state);
  }

  #later(delayMs: number, fire: () => void): void {
    this.#cancelTimers.push(this.#after(delayMs, fire));
  }
}
