import { describe, expect, it } from "vitest";
import {
  CLOSED_LATCH,
  describeLatch,
  followLatch,
  type LatchState,
  latchAccepts,
  latchTarget,
} from "./latched-source.ts";
import type { MediaAddress } from "./media-address.ts";

const signalled = { host: "10.0.0.5", port: 4000 };
const behindNat = { host: "203.0.113.9", port: 61_000 };
const stranger = { host: "198.51.100.66", port: 5000 };

function receive(state: LatchState, { host, port }: MediaAddress, packets = 1): LatchState {
  let next = state;
  for (let count = 0; count < packets; count++) {
    if (latchAccepts(next, host, port)) next = followLatch(next, host, port);
  }
  return next;
}

describe("symmetric RTP", () => {
  it("accepts no source before any SDP, and sends nothing", () => {
    expect(latchAccepts(CLOSED_LATCH, signalled.host, signalled.port)).toBe(false);
    expect(latchTarget(CLOSED_LATCH)).toBeNull();
  });

  it("sends to where the SDP says until the far end is heard", () => {
    expect(latchTarget(describeLatch(CLOSED_LATCH, signalled, false))).toEqual(signalled);
  });

  it("takes the first source of early media provisionally and no other", () => {
    const early = receive(describeLatch(CLOSED_LATCH, signalled, false), behindNat);
    expect(latchTarget(early)).toEqual(behindNat);
    expect(latchAccepts(early, stranger.host, stranger.port)).toBe(false);
    expect(early.phase).toBe("early");
  });

  it("chooses again at the 200, and a packet from the announced address locks immediately", () => {
    const early = receive(describeLatch(CLOSED_LATCH, stranger, false), stranger);
    const locked = receive(describeLatch(early, signalled, true), signalled);
    expect(locked).toEqual({ phase: "locked", signalled, source: signalled });
  });

  it("locks a source behind a NAT after a tenth of a second of it, which a straggler cannot do", () => {
    const early = receive(describeLatch(CLOSED_LATCH, signalled, false), stranger);
    let state = describeLatch(early, signalled, true);
    expect(latchTarget(state)).toEqual(stranger);
    state = receive(state, stranger, 2);
    state = receive(state, behindNat, 4);
    expect(state.phase).toBe("choosing");
    state = receive(state, behindNat);
    expect(state).toEqual({ phase: "locked", signalled, source: behindNat });
  });

  it("does not change once locked, not even with the same SDP again", () => {
    const locked = receive(describeLatch(CLOSED_LATCH, signalled, true), behindNat, 5);
    expect(receive(locked, stranger, 50)).toBe(locked);
    expect(receive(locked, behindNat, 50)).toBe(locked);
    expect(describeLatch(locked, signalled, true)).toBe(locked);
  });

  it("is won by the announced address, however long an announcement or a stranger was faster", () => {
    const early = receive(describeLatch(CLOSED_LATCH, signalled, false), stranger, 50);
    expect(latchTarget(receive(early, signalled))).toEqual(signalled);
    const lockedTooSoon = receive(describeLatch(early, signalled, true), stranger, 50);
    expect(lockedTooSoon).toEqual({ phase: "locked", signalled, source: stranger });
    const locked = receive(lockedTooSoon, signalled);
    expect(locked).toEqual({ phase: "locked", signalled, source: signalled });
    expect(receive(locked, stranger, 50)).toBe(locked);
    expect(receive(locked, signalled, 50)).toBe(locked);
  });

  it("chooses again when a re-INVITE names another address", () => {
    const locked = receive(describeLatch(CLOSED_LATCH, signalled, true), behindNat, 5);
    const moved = describeLatch(locked, stranger, true);
    expect(moved.phase).toBe("choosing");
    expect(latchTarget(moved)).toEqual(stranger);
    expect(receive(moved, stranger).phase).toBe("locked");
  });
});
