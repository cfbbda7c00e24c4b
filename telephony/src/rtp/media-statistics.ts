/** How a leg's media did so far. Counts are of packets from the beginning of the leg. */
export interface MediaStatistics {
  packetsSent: number;
  packetsReceived: number;
  packetsLost: number;
  /** Came after their sound should have been played. */
  packetsLate: number;
  /** Came from somebody else. */
  packetsForeign: number;
  packetsInvalid: number;
  packetsUnauthentic: number;
  packetsReplayed: number;
  jitterMs: number;
  /** Spent in the jitter buffer, on average. */
  playoutDelayMs: number;
  /** Sound that was invented in the place of packets that were not there. */
  concealedMs: number;
  /** Null until the far end has answered one of our reports. */
  roundTripMs: number | null;
  farLossShare: number | null;
  /** The estimated opinion score of what we hear, null before anything was heard. */
  mos: number | null;
}
