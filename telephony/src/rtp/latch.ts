import { isSameAddress, type MediaAddress } from "./media-address.ts";

/**
 * Where the far end really sends from, which behind a NAT is not what its SDP says (symmetric RTP, RFC 4961).
 *
 * `closed`       no SDP yet: nobody is listened to.
 * `early`        an 18x named an address. The first source is taken, provisionally: it may be an announcement machine.
 * `choosing`     the 200 or a re-INVITE named an address, or none. A packet from exactly there locks; another source
 *                has to send several packets in a row, so that a straggler of the early media cannot win.
 * `locked`       one source. All others are dropped, or anybody could speak into the call; only the announced address
 *                still wins, because an announcement that went on, or a stranger, may have been faster than the callee.
 */
export type LatchState =
  | { readonly name: "closed" }
  | { readonly name: "early"; readonly signalled: MediaAddress | null; readonly source: MediaAddress | null }
  | {
      readonly name: "choosing";
      readonly signalled: MediaAddress | null;
      readonly source: MediaAddress | null;
      readonly packets: number;
    }
  | { readonly name: "locked"; readonly signalled: MediaAddress | null; readonly source: MediaAddress };

export const CLOSED_LATCH: LatchState = { name: "closed" };

/** How many packets in a row an unannounced source must send: a tenth of a second. */
const PACKETS_TO_LOCK = 5;

/** An SDP named the far end's address, or none. `isFinal` from the 200 on. */
export function describeLatch(state: LatchState, signalled: MediaAddress | null, isFinal: boolean): LatchState {
  const isSame =
    state.name !== "closed" &&
    (signalled === null ? state.signalled === null : isSameAddress(state.signalled, signalled.host, signalled.port));
  if (state.name === "locked" && isSame) return state;
  if (isFinal) {
    // Until the chosen source is known, what was learned in the early media is the best place to send to.
    const source = isSame ? state.source : null;
    return state.name === "choosing" && isSame ? state : { name: "choosing", signalled, source, packets: 0 };
  }
  return isSame && state.name === "early" ? state : { name: "early", signalled, source: null };
}

/** Whether a packet from there may be listened to at all. Cheap, and asked before anything is decrypted. */
export function latchAccepts(state: LatchState, host: string, port: number): boolean {
  switch (state.name) {
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

/** A genuine packet came from an accepted source. Gives the same object back when nothing changed. */
export function followLatch(state: LatchState, host: string, port: number): LatchState {
  switch (state.name) {
    case "closed":
      return state;
    case "early":
    case "locked": {
      const isSource = state.source !== null && isSameAddress(state.source, host, port);
      return isSource ? state : { ...state, source: { host, port } };
    }
    case "choosing": {
      const { signalled } = state;
      if (isSameAddress(signalled, host, port)) return { name: "locked", signalled, source: { host, port } };
      const isRepeated = state.source !== null && isSameAddress(state.source, host, port);
      const packets = isRepeated ? state.packets + 1 : 1;
      const source = { host, port };
      return packets >= PACKETS_TO_LOCK
        ? { name: "locked", signalled, source }
        : { name: "choosing", signalled, source, packets };
    }
  }
}

/** Where to send: to the source once there is one, else to where the SDP says. */
export function latchTarget(state: LatchState): MediaAddress | null {
  return state.name === "closed" ? null : (state.source ?? state.signalled);
}
