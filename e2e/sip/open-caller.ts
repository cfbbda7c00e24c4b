import { systemClock } from "@parley/telephony/clock";
import { makeOffer } from "@parley/telephony/sdp/make-offer";
import { writeSdp } from "@parley/telephony/sdp/write-sdp";
import type { InviteClient } from "@parley/telephony/sip/invite-client";
import type { InviteEvent } from "@parley/telephony/sip/invite-events";
import { systemRandom } from "@parley/telephony/sip/random-source";
import { type SipTrunk, TRUNK_DEFAULTS } from "@parley/telephony/sip/sip-trunk";
import { openTcpTransport } from "@parley/telephony/sip/transport/tcp";
import { openUdpTransport } from "@parley/telephony/sip/transport/udp";
import { type InviteRequest, UserAgent } from "@parley/telephony/sip/user-agent";

export interface Caller {
  readonly agent: UserAgent;
  /** The first line of every message, with `>` for what we sent and `<` for what we got. */
  readonly trace: string[];
  /** Resolves when this line stands so often in the trace. */
  traced(line: string, times: number): Promise<void>;
  /** Errors that must not happen. */
  readonly errors: unknown[];
  place(port: number, trunk?: Partial<SipTrunk>, request?: Partial<InviteRequest>): Promise<FollowedCall>;
  close(): Promise<void>;
}

export interface FollowedCall {
  readonly client: InviteClient;
  readonly events: InviteEvent[];
  /** Resolves with the first event of this type; with the final event when that comes first. */
  until(type: InviteEvent["type"]): Promise<InviteEvent>;
}

export const SDP = writeSdp(
  makeOffer({ address: "127.0.0.1", port: 40_000, originId: "1", codecs: ["PCMU", "PCMA"], srtp: "off", srtpKeys: [] }),
);

/** Our agent on real sockets of the loopback. */
export async function openCaller(): Promise<Caller> {
  const transports = [
    await openUdpTransport({ address: "127.0.0.1", port: 0 }),
    await openTcpTransport({ clock: systemClock, address: "127.0.0.1", port: 0 }),
  ];
  const trace: string[] = [];
  const errors: unknown[] = [];
  let look: () => void = () => undefined;
  const agent = new UserAgent({
    clock: systemClock,
    random: systemRandom,
    transports,
    resolver: { srv: async () => [], addresses: async () => [] },
    reportError: (error) => errors.push(error),
    onMalformed: (reason) => errors.push(reason),
    onTrace: (direction, _, bytes) => {
      const [first = ""] = bytes.toString().split("\r\n");
      const what = first.startsWith("SIP/2.0") ? first.slice(8, 11) : first.split(" ")[0];
      trace.push(`${direction === "out" ? ">" : "<"} ${what}`);
      look();
    },
  });
  return {
    agent,
    trace,
    errors,
    traced: (line, times) =>
      new Promise((resolve) => {
        look = () => {
          if (trace.filter((each) => each === line).length >= times) resolve();
        };
        look();
      }),
    async place(port, trunk = {}, request = {}) {
      const client = await agent.placeInvite({
        trunk: { ...TRUNK_DEFAULTS, host: "127.0.0.1", port, ...trunk },
        to: "+15550001",
        from: "+15559999",
        sdp: SDP,
        ringTimeoutMs: 30_000,
        media: { answerOffer: () => ({ sdp: SDP }), currentOffer: () => SDP, acceptAnswer: () => undefined },
        ...request,
      });
      return follow(client);
    },
    async close() {
      agent.close();
      for (const transport of transports) await transport.close();
    },
  };
}

function follow(client: InviteClient): FollowedCall {
  const events: InviteEvent[] = [];
  const waiting = new Set<(event: InviteEvent) => void>();
  client.onEvent((event) => {
    events.push(event);
    for (const look of [...waiting]) look(event);
  });
  return {
    client,
    events,
    until: (type) =>
      new Promise((resolve) => {
        const isIt = (event: InviteEvent) => event.type === type || event.type === "failed" || event.type === "ended";
        const there = events.find(isIt);
        if (there !== undefined) resolve(there);
        const look = (event: InviteEvent) => {
          if (!isIt(event)) return;
          waiting.delete(look);
          resolve(event);
        };
        waiting.add(look);
      }),
  };
}
