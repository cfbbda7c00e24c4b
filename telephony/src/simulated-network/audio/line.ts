import { FRAME_MS } from "@parley/audio/frame";
import { estimateMos } from "../../rtp/statistics.ts";

/** The path from the callee's telephone to us. */
export interface Line {
  /** Takes the audio sent in this tick and overwrites it with the audio that arrives in it. */
  carry(frame: Int16Array, nowMs: number): void;
  /** Whether anything ever arrives. */
  readonly isAlive: boolean;
  reception(): Reception;
}

export interface Reception {
  readonly packetsReceived: number;
  readonly packetsLost: number;
  readonly jitterMs: number;
  readonly roundTripMs: number | null;
  readonly mos: number | null;
}

/** Every frame arrives immediately and unchanged. */
export function createCleanLine(): Line {
  let packetsReceived = 0;
  return {
    isAlive: true,
    carry() {
      packetsReceived += 1;
    },
    reception: () => ({
      packetsReceived,
      packetsLost: 0,
      jitterMs: 0,
      roundTripMs: 0,
      mos: packetsReceived === 0 ? null : estimateMos({ lossShare: 0, delayMs: FRAME_MS }),
    }),
  };
}

/** Nothing arrives, as behind a firewall that passes the signalling but not the audio. */
export function createDeadLine(): Line {
  return {
    isAlive: false,
    carry: (frame) => void frame.fill(0),
    reception: () => ({ packetsReceived: 0, packetsLost: 0, jitterMs: 0, roundTripMs: null, mos: null }),
  };
}
