import type { CallLeg, LegEvent, TransferProgress, TransferRequest } from "../carrier.ts";

type Leg = Pick<CallLeg, "onEvent" | "hangup">;

/** How a leg gets at somebody else. */
export interface SecondLegs<Other extends Leg> {
  /** A dial of ours, remembered like any other. Null when its dialId was dialed before. */
  bridge(request: TransferRequest): Other | null;
  /** A dial of the callee's own telephone, of which we only hear. */
  refer(request: TransferRequest): Other;
}

export interface LegTransferParts<Other extends Leg> {
  readonly secondLegs: SecondLegs<Other>;
  readonly after: (delayMs: number, fire: () => void) => () => void;
  readonly emit: (progress: TransferProgress) => void;
  readonly bridge: (other: Other) => void;
  /** Ends our leg, because the callee is with somebody else or that somebody hung up. */
  readonly leave: (reason: string) => void;
}

/**
 * The states of a transfer:
 *
 * - idle: none was asked for, or the last one failed.
 * - connecting: the other telephone is dialed and rings. Goes on to idle when it fails, to bridged when it is taken.
 * - bridged: the callee and the other party hear each other; ends with either of them.
 */
type TransferState<Other> =
  | { readonly name: "idle" }
  | { readonly name: "connecting"; readonly other: Other; readonly stopWaiting: () => void }
  | { readonly name: "bridged"; readonly other: Other };

type How = TransferProgress["how"];

/** Connects the callee of a leg with somebody else, one at a time. */
export class LegTransfer<Other extends Leg> {
  readonly #parts: LegTransferParts<Other>;
  #state: TransferState<Other> = { name: "idle" };

  constructor(parts: LegTransferParts<Other>) {
    this.#parts = parts;
  }

  start(request: TransferRequest, acceptsRefer: boolean): void {
    const how: How = request.how === "bridge" || (request.how === "auto" && !acceptsRefer) ? "bridge" : "refer";
    if (this.#state.name !== "idle") this.#report(how, "failed", 491, "Request Pending");
    else if (how === "refer" && !acceptsRefer) this.#report(how, "failed", 405, "Method Not Allowed");
    else this.#connect(request, how);
  }

  /** Our leg has ended, and with it what hangs on it. */
  stop(): void {
    const state = this.#state;
    this.#state = { name: "idle" };
    if (state.name === "idle") return;
    if (state.name === "connecting") state.stopWaiting();
    void state.other.hangup();
  }

  #connect(request: TransferRequest, how: How): void {
    const { secondLegs, after } = this.#parts;
    const other = how === "bridge" ? secondLegs.bridge(request) : secondLegs.refer(request);
    if (other === null) {
      this.#report(how, "failed", 482, "Loop Detected");
      return;
    }
    const stopWaiting = after(request.ringTimeoutMs, () => void other.hangup());
    this.#state = { name: "connecting", other, stopWaiting };
    this.#report(how, "trying", 100, "Trying");
    other.onEvent((event) => this.#follow(how, other, event));
  }

  #follow(how: How, other: Other, event: LegEvent): void {
    const state = this.#state;
    if (state.name === "idle" || state.other !== other) return;
    if (event.type === "ringing") this.#report(how, "ringing", 180, "Ringing");
    if (event.type === "answered" && state.name === "connecting") this.#complete(how, state);
    if (event.type === "ended") this.#lose(how, state, event);
  }

  #complete(how: How, { other, stopWaiting }: Extract<TransferState<Other>, { name: "connecting" }>): void {
    stopWaiting();
    this.#state = { name: "bridged", other };
    this.#report(how, "completed", 200, "OK");
    if (how === "bridge") this.#parts.bridge(other);
    // Who was referred to is the callee's call now, and no longer ours.
    else this.#parts.leave("Call Transferred");
  }

  #lose(how: How, state: Exclude<TransferState<Other>, { name: "idle" }>, { code, reason }: EndEvent): void {
    if (state.name === "bridged") {
      this.#parts.leave("Normal Clearing");
      return;
    }
    state.stopWaiting();
    this.#state = { name: "idle" };
    this.#report(how, "failed", code, reason);
  }

  #report(how: How, state: TransferProgress["state"], code: number | null, reason: string): void {
    this.#parts.emit({ type: "transferProgress", how, state, code, reason });
  }
}

type EndEvent = Extract<LegEvent, { type: "ended" }>;
