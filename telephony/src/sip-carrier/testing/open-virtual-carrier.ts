import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import type { CallLeg, Dial } from "../../carrier.ts";
import { type FollowedLeg, followLeg } from "../../conformance/follow-leg.ts";
import { PortPool } from "../../rtp/port-pool.ts";
import { seededRandom } from "../../sip/testing/seeded-random.ts";
import { createVirtualNetwork, type VirtualNetwork } from "../../sip/testing/virtual-network.ts";
import { createCountingClock } from "../counting-clock.ts";
import { assembleCarrier, guardObserver } from "../sip-carrier.ts";
import type { AttemptOutcome, SipCarrier } from "../sip-carrier-options.ts";
import type { Trunk, TrunkDirectory } from "../trunks/trunk.ts";
import type { TrunkHealth } from "../trunks/trunk-health.ts";
import type { FarPlan } from "./far-call.ts";
import { FarEnd } from "./far-end.ts";
import { MemoryJournal } from "./memory-journal.ts";
import { SilentThread } from "./silent-thread.ts";
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
