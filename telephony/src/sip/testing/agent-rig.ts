import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import { afterEach, expect } from "vitest";
import type { InviteClient } from "../invite/invite-client.ts";
import type { InviteEvent, MediaNegotiation } from "../invite/invite-events.ts";
import { type SipTrunk, TRUNK_DEFAULTS } from "../sip-trunk.ts";
import type { TransportKind } from "../transport/sip-transport.ts";
import { type InviteRequest, UserAgent } from "../user-agent.ts";
import { SAMPLE_SDP } from "./sample-messages.ts";
import { ScriptedPeer } from "./scripted-peer.ts";
import { seededRandom } from "./seeded-random.ts";
import { createVirtualNetwork, type VirtualNetwork } from "./virtual-network.ts";

export const OUR_SDP = SAMPLE_SDP;
export const THEIR_SDP = SAMPLE_SDP.replace("192.0.2.10", "192.0.2.20");

export interface RigOptions {
  readonly seed?: number;
  readonly kind?: TransportKind;
  readonly trunk?: Partial<SipTrunk>;
}

export interface AgentRig {
  readonly clock: VirtualClock;
  readonly network: VirtualNetwork;
  readonly agent: UserAgent;
  readonly peer: ScriptedPeer;
  readonly trunk: SipTrunk;
  /** What went wrong where nothing may go wrong. */
  readonly errors: unknown[];
  place(request?: Partial<InviteRequest>): Promise<PlacedCall>;
}

export interface PlacedCall {
  readonly client: InviteClient;
  readonly events: InviteEvent[];
  /** The types of the events, in order. */
  types(): string[];
  last(): InviteEvent | undefined;
}

export const ACCEPTING_MEDIA: MediaNegotiation = {
  answerOffer: () => ({ sdp: OUR_SDP }),
  currentOffer: () => OUR_SDP,
  acceptAnswer: () => undefined,
};

/** Our agent at 10.0.0.1 and a scripted peer at 10.0.0.2, on a virtual clock and network. */
export function openAgentRig({ seed = 1, kind = "udp", trunk: overrides = {} }: RigOptions = {}): AgentRig {
  const clock = createVirtualClock();
  const random = seededRandom(seed);
  const network = createVirtualNetwork(clock, random);
  const trunk: SipTrunk = { ...TRUNK_DEFAULTS, host: "10.0.0.2", port: 5060, transport: kind, ...overrides };
  const errors: unknown[] = [];
  const transports = (["udp", "tcp"] as const).map((each) => network.attach(each, "10.0.0.1", 5060));
  const agent = new UserAgent({
    clock,
    random,
    transports,
    resolver: { srv: async () => [], addresses: async (name) => (name === "nowhere.test" ? [] : ["10.0.0.2"]) },
    reportError: (error) => errors.push(error),
  });
  const peer = new ScriptedPeer(network.attach(kind, "10.0.0.2", 5060));

  return {
    clock,
    network,
    agent,
    peer,
    trunk,
    errors,
    async place(request = {}) {
      const client = await agent.placeInvite({
        trunk,
        to: "+15550001",
        from: "+15559999",
        sdp: OUR_SDP,
        ringTimeoutMs: 60_000,
        media: ACCEPTING_MEDIA,
        ...request,
      });
      const events: InviteEvent[] = [];
      client.onEvent((event) => events.push(event));
      await clock.advance(5);
      return { client, events, types: () => events.map(({ type }) => type), last: () => events.at(-1) };
    },
  };
}

/** Answers the call and waits for the ACK. */
export async function answered(
  rig: AgentRig,
  request: Partial<InviteRequest> = {},
  headers: readonly (readonly [string, string])[] = [],
): Promise<PlacedCall> {
  const placed = await rig.place(request);
  const invite = rig.peer.request("INVITE", -1);
  rig.peer.reply(invite, 180);
  rig.peer.reply(invite, 200, { sdp: THEIR_SDP, headers });
  await rig.clock.advance(5);
  return placed;
}

interface AgentRigs {
  open(options?: RigOptions): AgentRig;
  /** The one that was opened last. */
  readonly rig: AgentRig;
}

/** Rigs for the tests of one file. After each test nothing of them may be left, and nothing may have gone wrong in them. */
export function useAgentRig(): AgentRigs {
  const opened: AgentRig[] = [];
  afterEach(() => {
    for (const { agent, clock, errors } of opened.splice(0)) {
      agent.close();
      expect(errors).toEqual([]);
      expect(agent.openInvites + agent.openTransactions).toBe(0);
      expect(clock.pendingTimers()).toBe(0);
    }
  });
  return {
    open(options = {}) {
      const rig = openAgentRig(options);
      opened.push(rig);
      return rig;
    },
    get rig() {
      const rig = opened.at(-1);
      if (rig === undefined) throw new Error("no rig was opened");
      return rig;
    },
  };
}
