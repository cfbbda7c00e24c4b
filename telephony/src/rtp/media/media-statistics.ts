import { FRAME_MS, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { RtcpExchange } from "../rtcp-exchange.ts";
import type { RtpReceiver } from "../rtp-receiver.ts";
import type { RtpSender } from "../rtp-sender.ts";
import { estimateMos } from "../statistics.ts";

/** How a leg's media did so far. Counts are of packets from the beginning of the leg. */
export interface MediaStatistics {
  packetsSent: number;
  packetsReceived: number;
  packetsLost: number;
  /** Arrived after their audio should have been played. */
  packetsLate: number;
  /** Packets from other sources. */
  packetsForeign: number;
  packetsInvalid: number;
  packetsUnauthentic: number;
  packetsReplayed: number;
  jitterMs: number;
  /** Spent in the jitter buffer, on average. */
  playoutDelayMs: number;
  /** Synthetic audio in place of missing packets. */
  concealedMs: number;
  /** Null until the far end has answered one of our reports. */
  roundTripMs: number | null;
  farLossShare: number | null;
  /** Whether our audio arrives, according to the far end's reports; null without reports. */
  isHeard: boolean | null;
  /** The estimated opinion score of what we hear, null before anything was heard. */
  mos: number | null;
}

export interface MeasuredMedia {
  sender: RtpSender;
  receiver: RtpReceiver;
  rtcp: RtcpExchange;
  /** How long the stream is that was heard, from its first packet on. */
  heardSamples: number;
  foreignPackets: number;
}

export function summarizeMedia({
  sender,
  receiver,
  rtcp,
  heardSamples,
  foreignPackets,
}: MeasuredMedia): MediaStatistics {
  const { jitterBuffer, statistics } = receiver;
  const packetsLost = Math.max(0, statistics.lost);
  // A packet may be there and yet too late; and a long gap is invented only at its beginning. The worse of both counts.
  const lossShare = Math.max(
    jitterBuffer.concealedSamples / Math.max(1, heardSamples),
    packetsLost / Math.max(1, statistics.received + packetsLost),
  );
  const delayMs = (rtcp.roundTripMs ?? 0) / 2 + jitterBuffer.meanDelayMs + FRAME_MS;
  return {
    packetsSent: sender.packets,
    packetsReceived: statistics.received,
    packetsLost,
    packetsLate: jitterBuffer.counts.latePackets,
    packetsForeign: foreignPackets,
    packetsInvalid: receiver.invalidPackets,
    packetsUnauthentic: receiver.unauthenticPackets,
    packetsReplayed: receiver.replayedPackets,
    jitterMs: statistics.jitterMs,
    playoutDelayMs: jitterBuffer.meanDelayMs,
    concealedMs: (jitterBuffer.concealedSamples * 1000) / TELEPHONE_RATE_HZ,
    roundTripMs: rtcp.roundTripMs,
    farLossShare: rtcp.farLossShare,
    isHeard: rtcp.isHeard,
    mos: heardSamples === 0 ? null : estimateMos({ lossShare, delayMs }),
  };
}
