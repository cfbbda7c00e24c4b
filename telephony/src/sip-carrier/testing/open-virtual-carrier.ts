import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import type { CallLeg, Dial } from "../../carrier.ts";
import { type FollowedLeg, followLeg } from "../../conformance/follow-leg.ts";
import type { MediaEvent } from "../../rtp/media/media-leg.ts";
import type { MediaSetup } from "../../rtp/media/media-setup.ts";
import type { MediaStatistics } from "../../rtp/media/media-statistics.ts";
import type { LegToOpen, ThreadedLeg } from "../../rtp/media/media-thread.ts";
import { PortPool } from "../../rtp/port-pool.ts";
import { seededRandom } from "../../sip/testing/seeded-random.ts";
import { createVirtualNetwork, type VirtualNetwork } from "../../sip/testing/virtual-network.ts";
import { createCountingClock } from "../counting-clock.ts";
import type { AudioThread } from "../media-threads.ts";
import { assembleCarrier, guardObserver } from "../sip-carrier.ts";
import type { AttemptOutcome, SipCarrier } from "../sip-carrier-options.ts";
import type { Trunk, TrunkDirectory } from "../trunks/trunk.ts";
import type { TrunkHealth } from "../trunks/trunk-health.ts";
import type { FarPlan } from "./far-call.ts";
import { FarEnd } from "./far-end.ts";
import { MemoryJournal } from "./memory-journal.ts";
import { routedTo, trunkTo } from "./trunk-to.ts";

export interface VirtualCarrier {
  readonly carrier: SipCarrier;
  readonly clock: VirtualClock;
  readonly network: VirtualNetwork;
  /** One for each trunk: `a` at 10.0.0.2 and `b` at 10.0.0.3, `a` first. */
  readonly farA: FarEnd;
  readonly farB: FarEnd;
  /** What callees do, by trunk; may be changed between calls. */
  readonly plans: { a: FarPlan; b: FarPlan };
  readonly threads: SilentThread[];
  readonly journal: MemoryJournal;
  readonly outcomes: AttemptOutcome[];
  readonly healths: (readonly [trunkId: string, health: TrunkHealth])[];
  readonly refused: string[];
  readonly errors: unknown[];
  /** Takes effect with the next dial. */
  setDirectory(directory: TrunkDirectory): void;
  place(changes?: Partial<Dial>): Promise<PlacedLeg>;
  /** Closes the carrier and returns what it still holds. */
  close(): Promise<number>;
}

export interface PlacedLeg {
  readonly leg: CallLeg;
  readonly followed: FollowedLeg;
  types(): string[];
}

export interface VirtualCarrierOptions {
  readonly planA?: FarPlan;
  readonly planB?: FarPlan;
  readonly trunkA?: Partial<Trunk>;
  readonly trunkB?: Partial<Trunk>;
  readonly sipA?: Partial<Trunk["sip"]>;
  readonly ports?: readonly [first: number, last: number];
}

/** A carrier in virtual time, with two trunks and no audio. */
export function openVirtualCarrier(options: VirtualCarrierOptions = {}): VirtualCarrier {
  const clock = createVirtualClock();
  const random = seededRandom(1);
  const network = createVirtualNetwork(clock, random);
  const threads: SilentThread[] = [new SilentThread()];
  const pick = () => {
    if (threads.at(-1)?.hasExited) threads.push(new SilentThread());
    return threads.at(-1) ?? new SilentThread();
  };
  const trunks = {
    a: trunkTo(5060, { id: "a", ...options.trunkA }, { host: "10.0.0.2", ...options.sipA }),
    b: trunkTo(5060, { id: "b", ...options.trunkB }, { host: "10.0.0.3" }),
  };
  let directory = routedTo(trunks.a, trunks.b);
  const journal = new MemoryJournal();
  const outcomes: AttemptOutcome[] = [];
  const healths: (readonly [string, TrunkHealth])[] = [];
  const refused: string[] = [];
  const errors: unknown[] = [];
  const [firstPort, lastPort] = options.ports ?? [20_000, 20_099];
  const carrier = assembleCarrier({
    ...guardObserver({
      attemptEnded: (outcome) => void outcomes.push(outcome),
      healthChanged: (trunkId, health) => void healths.push([trunkId, health]),
      refused: (what, detail) => void refused.push(`${what}: ${detail}`),
      failed: (error) => void errors.push(error),
    }),
    clock: createCountingClock(clock),
    random,
    resolver: {
      srv: async () => [],
      addresses: async (name) => {
        if (name === "broken.test") throw new Error("the name server is broken");
        return name === "nowhere.test" ? [] : name === "two.test" ? ["10.0.0.9", "10.0.0.2"] : [name];
      },
    },
    transports: (["udp", "tcp"] as const).map((kind) => network.attach(kind, "10.0.0.1", 5060)),
    threads: {
      pick,
      counts: () => ({ threads: 0, legs: threads.reduce((sum, { legCount }) => sum + legCount, 0) }),
      close: () => Promise.resolve(),
    },
    ports: new PortPool(firstPort, lastPort),
    own: { sipHost: "10.0.0.1", sipPorts: { udp: 5060, tcp: 5060, tls: 5061 }, rtpHost: "10.0.0.1" },
    directory: () => directory,
  });
  const plans = { a: options.planA ?? {}, b: options.planB ?? {} };
  const farEnd = (address: string, planOf: () => FarPlan) =>
    new FarEnd({ clock, transport: network.attach("udp", address, 5060), thread: null, planOf });
  let dials = 0;
  return {
    carrier,
    clock,
    network,
    farA: farEnd("10.0.0.2", () => plans.a),
    farB: farEnd("10.0.0.3", () => plans.b),
    plans,
    threads,
    journal,
    outcomes,
    healths,
    refused,
    errors,
    setDirectory(next) {
      directory = next;
    },
    async place(changes = {}) {
      dials += 1;
      const dialId = `dial-${dials}`;
      const placing = carrier.place({ callId: "call", dialId, to: "+15550001", from: null, journal, ...changes });
      const [leg] = await Promise.all([placing, clock.advance(0)]);
      const followed = followLeg(leg);
      await clock.advance(0);
      return { leg, followed, types: () => followed.events.map(({ type }) => type) };
    },
    async close() {
      const closing = carrier.close();
      await clock.advance(20_000);
      await closing;
      return Object.values(carrier.resourcesHeld()).reduce((sum, count) => sum + count, 0);
    },
  };
}

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
class SilentThread implements AudioThread {
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
