import type { MediaEvent } from "../../rtp/media/media-leg.ts";
import type { MediaSetup } from "../../rtp/media/media-setup.ts";
import type { MediaStatistics } from "../../rtp/media/media-statistics.ts";
import type { LegToOpen, ThreadedLeg } from "../../rtp/media/media-thread.ts";
import type { AudioThread } from "../media-threads.ts";

/** The messages of a leg to its media thread. */
export interface SilentLeg {
  readonly toOpen: LegToOpen;
  readonly handle: ThreadedLeg;
  readonly setups: MediaSetup[];
  readonly keys: string[];
  joined: SilentLeg | null;
  isClosed: boolean;
  statistics: MediaStatistics;
  report(event: MediaEvent): void;
}

export const NO_PACKETS: MediaStatistics = {
  packetsSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  packetsLate: 0,
  packetsForeign: 0,
  packetsInvalid: 0,
  packetsUnauthentic: 0,
  packetsReplayed: 0,
  jitterMs: 0,
  playoutDelayMs: 0,
  concealedMs: 0,
  roundTripMs: null,
  farLossShare: null,
  isHeard: null,
  mos: null,
};

/** Replaces a media thread where only signalling is tested: it carries no audio and records its messages. */
export class SilentThread implements AudioThread {
  readonly legs: SilentLeg[] = [];
  hasExited = false;
  /** Whether a port is available. */
  whyNot: (rtpPort: number) => string | null = () => null;

  get legCount(): number {
    return this.legs.filter(({ isClosed }) => !isClosed).length;
  }

  async openLeg(toOpen: LegToOpen): Promise<ThreadedLeg> {
    const obstacle = this.hasExited ? "the media thread ended" : this.whyNot(toOpen.rtpPort);
    if (obstacle !== null) throw new Error(obstacle);
    const leg: SilentLeg = {
      toOpen,
      setups: [],
      keys: [],
      joined: null,
      isClosed: false,
      statistics: NO_PACKETS,
      report: (event) => toOpen.onEvent(event),
      handle: {
        rtpPort: toOpen.rtpPort,
        rtcpPort: toOpen.rtcpPort,
        configure: (setup) => void leg.setups.push(setup),
        sendDtmf: (keys) => void leg.keys.push(keys),
        join: (other) => {
          leg.joined = this.legs.find(({ handle }) => handle === other) ?? null;
        },
        statistics: async () => (leg.isClosed ? null : leg.statistics),
        close: async () => {
          leg.isClosed = true;
          return this.hasExited ? null : leg.statistics;
        },
      },
    };
    this.legs.push(leg);
    return leg.handle;
  }

  /** The thread dies with all it carries. */
  die(): void {
    this.hasExited = true;
    for (const leg of this.legs) if (!leg.isClosed) leg.toOpen.onFailure("the media thread ended");
  }
}
