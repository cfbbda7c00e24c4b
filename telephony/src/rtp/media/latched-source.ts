import { isSameAddress, type MediaAddress } from "./media-address.ts";
import { controlAddress, type MediaSetup } from "./media-setup.ts";

/** No legitimate call has more sources than this. */
const EARLIER_MAX = 8;

/** The far end of a leg: which source to accept, where to send, and a count of foreign packets. */
export class LatchedSource {
  #latch: LatchState = CLOSED_LATCH;
  #setup: MediaSetup | null = null;
  /** Of strangers. What comes before anything was agreed on, or still comes from an earlier source of the call, is none. */
  foreignPackets = 0;
  readonly #earlier = new Set<string>();

  configure(setup: MediaSetup): void {
    this.#noteEarlier(this.#setup?.remote ?? null);
    this.#noteEarlier(this.target);
    this.#setup = setup;
    this.#latch = describeLatch(this.#latch, setup.remote, setup.isFinal);
  }

  /** Stops accepting and sending. */
  close(): void {
    this.#setup = null;
    this.#latch = CLOSED_LATCH;
  }

  /** Where audio is sent; null before any SDP. */
  get target(): MediaAddress | null {
    return latchTarget(this.#latch);
  }

  get controlTarget(): MediaAddress | null {
    const { target } = this;
    return target === null || this.#setup === null ? null : controlAddress(this.#setup, target);
  }

  /** Whether a packet on the RTP port may be listened to. One that may not is counted. */
  accepts(host: string, port: number): boolean {
    const isAccepted = latchAccepts(this.#latch, host, port);
    // RFC 3264 section 5.1: audio may arrive before the answer.
    if (!isAccepted && this.#latch.phase !== "closed" && !this.#earlier.has(`${host} ${port}`))
      this.foreignPackets += 1;
    return isAccepted;
  }

  /** The same on the RTCP port. The latch is about RTP ports, so only the host is compared. */
  acceptsControl(host: string): boolean {
    const setup = this.#setup;
    const isAccepted =
      this.target?.host === host ||
      (setup !== null && (setup.remote?.host === host || setup.remoteControl?.host === host));
    if (!isAccepted && setup !== null && ![...this.#earlier].some((place) => place.startsWith(`${host} `)))
      this.foreignPackets += 1;
    return isAccepted;
  }

  /** A genuine packet came from there. Returns the source when this packet made it final, else null. */
  follow(host: string, port: number): MediaAddress | null {
    const before = this.#latch;
    if (before.phase === "locked") return null;
    this.#noteEarlier(this.target);
    this.#latch = followLatch(before, host, port);
    return this.#latch.phase === "locked" ? this.#latch.source : null;
  }

  #noteEarlier(place: MediaAddress | null): void {
    if (place !== null && this.#earlier.size < EARLIER_MAX) this.#earlier.add(`${place.host} ${place.port}`);
  }
}

/**
 * Where the far end really sends from, which behind a NAT is not what its SDP says (symmetric RTP, RFC 4961).
 *
 * `closed`       no SDP yet: nothing is accepted.
 * `early`        an 18x named an address. The first source is taken, provisionally: it may be an announcement machine.
 * `choosing`     the 200 or a re-INVITE named an address, or none. A packet from exactly there locks; another source
 *                has to send several packets in a row, so that a straggler of the early media cannot win.
 * `locked`       one source. All others are dropped, or anyone could inject audio into the call; only the announced address
 *                still wins, because a continuing announcement, or a stranger, may have been faster than the callee.
 */
export type LatchState =
  | { readonly phase: "closed" }
  | { readonly phase: "early"; readonly signalled: MediaAddress | null; readonly source: MediaAddress | null }
  | {
      readonly phase: "choosing";
      readonly signalled: MediaAddress | null;
      readonly source: MediaAddress | null;
      readonly packets: number;
    }
  | { readonly phase: "locked"; readonly signalled: MediaAddress | null; readonly source: MediaAddress };

export const CLOSED_LATCH: LatchState = { phase: "closed" };

/** How many packets in a row an unannounced source must send: a tenth of a second. */
const PACKETS_TO_LOCK = 5;

/** An SDP named the far end's address, or none. `isFinal` from the 200 on. */
export function describeLatch(state: LatchState, signalled: MediaAddress | null, isFinal: boolean): LatchState {
  const isSame =
    state.phase !== "closed" &&
    (signalled === null ? state.signalled === null : isSameAddress(state.signalled, signalled.host, signalled.port));
  if (state.phase === "locked" && isSame) return state;
  if (isFinal) {
    // Until the chosen source is known, what was learned in the early media is the best place to send to.
    const source = isSame ? state.source : null;
    return state.phase === "choosing" && isSame ? state : { phase: "choosing", signalled, source, packets: 0 };
  }
  return isSame && state.phase === "early" ? state : { phase: "early", signalled, source: null };
}

/** Whether a packet from there may be listened to at all. Cheap, and asked before anything is decrypted. */
export function latchAccepts(state: LatchState, host: string, port: number): boolean {
  switch (state.phase) {
    case "closed":
      return false;
    case "early":
      return state.source === null || isFromEither(state.source, state.signalled, host, port);
    case "choosing":
      return true;
    case "locked":
      return isFromEither(state.source, state.signalled, host, port);
  }
}

/** Nearly every packet comes from the source. */
function isFromEither(source: MediaAddress, signalled: MediaAddress | null, host: string, port: number): boolean {
  return isSameAddress(source, host, port) || isSameAddress(signalled, host, port);
}

/** A genuine packet came from an accepted source. Returns the same object when nothing changed. */
export function followLatch(state: LatchState, host: string, port: number): LatchState {
  switch (state.phase) {
    case "closed":
      return state;
    case "early":
    case "locked": {
      const isSource = state.source !== null && isSameAddress(state.source, host, port);
      return isSource ? state : { ...state, source: { host, port } };
    }
    case "choosing": {
      const { signalled } = state;
      if (isSameAddress(signalled, host, port)) return { phase: "locked", signalled, source: { host, port } };
      const isRepeated = state.source !== null && isSameAddress(state.source, host, port);
      const packets = isRepeated ? state.packets + 1 : 1;
      const source = { host, port };
      return packets >= PACKETS_TO_LOCK
        ? { phase: "locked", signalled, source }
        : { phase: "choosing", signalled, source, packets };
    }
  }
}

/** Where to send: to the source once there is one, else to where the SDP says. */
export function latchTarget(state: LatchState): MediaAddress | null {
  return state.phase === "closed" ? null : (state.source ?? state.signalled);
}
