import { isIP, isIPv6 } from "node:net";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { Clock } from "@parley/time/clock";
import type { LegMedia } from "../../carrier.ts";
import type { MediaAddress } from "../../rtp/media/media-address.ts";
import type { MediaEvent } from "../../rtp/media/media-leg.ts";
import type { MediaDirection, MediaSetup } from "../../rtp/media/media-setup.ts";
import type { MediaStatistics } from "../../rtp/media/media-statistics.ts";
import type { ThreadedLeg } from "../../rtp/media/media-thread.ts";
import type { PortPair, PortPool } from "../../rtp/port-pool.ts";
import { keyingOf, type SrtpKeying, type SrtpSuite } from "../../rtp/srtp/srtp-keys.ts";
import { type MediaTerms, speechCodecOf } from "../../sdp/media-terms.ts";
import type { NameResolver } from "../../sip/transport/resolve-target.ts";
import type { AudioThread } from "../media-threads.ts";

export interface AudioDeps {
  readonly clock: Clock;
  readonly ports: PortPool;
  /** One of each family of addresses that we have. */
  readonly bindHosts: readonly string[];
  readonly resolver: Pick<NameResolver, "addresses">;
  readonly reportError: (error: unknown) => void;
}

export interface AudioOrder {
  readonly thread: AudioThread;
  readonly memory: LegMedia;
  readonly cname: string;
  readonly onEvent: (event: MediaEvent) => void;
  /** The audio ended unexpectedly. */
  readonly onFailure: (reason: string) => void;
}

interface OpenedAudio extends Pick<AudioOrder, "thread" | "onFailure"> {
  readonly leg: ThreadedLeg;
  readonly pair: PortPair;
}

/** A port may be in use at the moment; after this many attempts something else is wrong. */
const PORTS_TRIED_MAX = 8;

/** Acquires a pair of ports and opens audio on it. Rejects if none is available, and then holds nothing. */
export async function openLegAudio(deps: AudioDeps, order: AudioOrder): Promise<LegAudio> {
  const { ports, clock, bindHosts } = deps;
  const { thread, memory, cname, onEvent, onFailure } = order;
  for (let tried = 1; ; tried += 1) {
    const pair = ports.take(clock.now());
    if (pair === null) throw new Error("every media port is in use");
    try {
      const leg = await thread.openLeg({ bindHosts, ...pair, ...memory, cname, onEvent, onFailure });
      return new LegAudio(deps, { thread, leg, pair, onFailure });
    } catch (error) {
      ports.release(pair, clock.now());
      const isTaken = error instanceof Error && error.message.includes("EADDRINUSE");
      if (!isTaken || tried === PORTS_TRIED_MAX) throw error;
    }
  }
}

/** The audio of one leg: its ports, and the commands to the thread that carries it. */
export class LegAudio {
  readonly thread: AudioThread;
  readonly rtpPort: number;
  readonly #deps: AudioDeps;
  readonly #leg: ThreadedLeg;
  readonly #pair: PortPair;
  readonly #onFailure: AudioOrder["onFailure"];
  #remote: MediaAddress | null = null;
  #remoteControl: MediaAddress | null = null;
  #lastTerms = 0;
  #closed: Promise<MediaStatistics | null> | null = null;
  #lastStatistics: MediaStatistics | null = null;

  constructor(deps: AudioDeps, { thread, leg, pair, onFailure }: OpenedAudio) {
    this.#deps = deps;
    this.thread = thread;
    this.#leg = leg;
    this.#pair = pair;
    this.#onFailure = onFailure;
    this.rtpPort = leg.rtpPort;
  }

  /** A description may name its host by name; audio waits for the address, and the newest terms win. */
  configure(terms: MediaTerms, isFinal: boolean): void {
    this.#lastTerms += 1;
    const { remote } = terms;
    if (remote === null || isIP(remote.address) !== 0) {
      this.#apply(terms, isFinal, remote?.address ?? null);
      return;
    }
    const asked = this.#lastTerms;
    this.#addressOf(remote.address)
      .then((address) => {
        if (asked !== this.#lastTerms) return;
        if (address !== null) this.#apply(terms, isFinal, address);
        // Without an address nothing is sent, expected or missed: the silence of the call would go unnoticed.
        else if (isFinal && this.#remote === null && this.#closed === null)
          this.#onFailure(`No address was found for ${remote.address}, where audio should go.`);
      })
      .catch(this.#deps.reportError);
  }

  sendDtmf(keys: string): void {
    if (this.#closed === null) this.#leg.sendDtmf(keys);
  }

  /** Both hear each other until one of them ends. They must be on the same thread. */
  join(other: LegAudio): void {
    if (this.#closed === null && other.#closed === null) this.#leg.join(other.#leg);
  }

  /** Null before anything was sent or heard. */
  async statistics(): Promise<MediaStatistics | null> {
    const now = await (this.#closed ?? this.#leg.statistics());
    if (now !== null && now.packetsSent + now.packetsReceived > 0) this.#lastStatistics = now;
    return this.#lastStatistics;
  }

  /** Describes foreign packets; null if there were none. */
  async badPackets(): Promise<string | null> {
    const measured = await this.#closed;
    if (measured === null || measured === undefined) return null;
    const { packetsForeign, packetsInvalid, packetsUnauthentic, packetsReplayed } = measured;
    if (packetsForeign + packetsInvalid + packetsUnauthentic + packetsReplayed === 0) return null;
    return `${packetsForeign} packets of strangers, ${packetsInvalid} malformed, ${packetsUnauthentic} not authentic, ${packetsReplayed} replayed`;
  }

  /** Resolves when the ports are free again. */
  close(): Promise<void> {
    const { ports, clock } = this.#deps;
    if (this.#closed === null) {
      ports.drain(this.#pair);
      this.#closed = this.#leg.close();
    }
    return this.#closed.then(() => ports.release(this.#pair, clock.now()));
  }

  async #addressOf(name: string): Promise<string | null> {
    try {
      const [address] = await this.#deps.resolver.addresses(name);
      return address ?? null;
    } catch (error) {
      this.#deps.reportError(error);
      return null;
    }
  }

  #apply(terms: MediaTerms, isFinal: boolean, host: string | null): void {
    const { remote, remoteRtcp, rtcpMux } = terms;
    // RFC 3264 section 8.4: a peer on hold the old way names no address; the last one stays, and nothing is sent there.
    if (remote !== null && host !== null) {
      this.#remote = { host: asSocketsWrite(host), port: remote.port };
      const controlHost = asSocketsWrite(
        remoteRtcp !== null && isIP(remoteRtcp.address) !== 0 ? remoteRtcp.address : host,
      );
      this.#remoteControl = remoteRtcp === null || rtcpMux ? null : { host: controlHost, port: remoteRtcp.port };
    }
    // An answer without any address is silent at first and may stay so: missing audio is reported.
    if (this.#remote === null && !isFinal) return;
    const target = { remote: this.#remote, remoteControl: this.#remoteControl };
    const setup = mediaSetupOf(terms, target, isFinal);
    if (setup !== null && this.#closed === null) this.#leg.configure(setup);
  }
}

/** One IPv6 address may be written in many ways; sources are compared as text, in the form of RFC 5952. */
function asSocketsWrite(host: string): string {
  return isIPv6(host) ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host;
}

/** Where packets go, as addresses; the description may have named the host otherwise. */
export interface MediaTarget {
  readonly remote: MediaAddress | null;
  readonly remoteControl: MediaAddress | null;
}

/** The negotiated terms in the form the media thread needs. Null for invalid keys. */
export function mediaSetupOf(terms: MediaTerms, target: MediaTarget, isFinal: boolean): MediaSetup | null {
  const srtp = terms.srtp === null ? null : keysOf(terms.srtp);
  if (terms.srtp !== null && srtp === null) return null;
  return {
    ...target,
    isFinal,
    direction: directionOf(terms),
    codec: speechCodecOf(terms.codec) ?? "PCMU",
    payloadType: terms.codec.payloadType,
    dtmfPayloadType: terms.telephoneEvent?.payloadType ?? null,
    dtmfRateHz: terms.telephoneEvent?.clockRateHz ?? TELEPHONE_RATE_HZ,
    srtp,
  };
}

function directionOf({ sends, receives }: MediaTerms): MediaDirection {
  if (sends) return receives ? "sendrecv" : "sendonly";
  return receives ? "recvonly" : "inactive";
}

function keysOf(srtp: NonNullable<MediaTerms["srtp"]>): { send: SrtpKeying; receive: SrtpKeying } | null {
  const suite = srtp.suite as SrtpSuite;
  const send = keyingOf(suite, srtp.ownKey);
  const receive = keyingOf(suite, srtp.peerKey);
  return send === null || receive === null ? null : { send, receive };
}
