import type { Clock } from "@parley/time/clock";
import type { Carrier, LegEnd } from "../carrier.ts";
import type { RandomSource } from "../sip/random-source.ts";
import type { NameResolver } from "../sip/transport/resolve-target.ts";
import type { Hop } from "../sip/transport/sip-transport.ts";
import type { AnswerRate } from "./trunks/answer-rates.ts";
import type { TrunkDirectory } from "./trunks/trunk.ts";
import type { TrunkHealth } from "./trunks/trunk-health.ts";

export interface SipCarrierOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly resolver: NameResolver;
  /** Where SIP listens, for UDP and TCP alike, and on the next port for TLS; 0 lets the machine choose. */
  readonly sip: { readonly address: string; readonly port: number };
  /**
   * An address of the other family (IPv4, IPv6), for SIP and audio alike; `::` is left out on machines without IPv6.
   */
  readonly secondAddress?: string | null;
  /** The certificate we show where a trunk asks for one, and the authorities we trust besides the default ones. */
  readonly tls?: { readonly key?: string; readonly cert?: string; readonly ca?: string };
  /** Where audio arrives: one pair of ports for each leg. */
  readonly rtp: { readonly address: string; readonly firstPort: number; readonly lastPort: number };
  /** How many threads carry audio. */
  readonly mediaThreads: number;
  /** Asked at every dial, so that a change of a trunk takes effect with the next call. */
  readonly directory: () => TrunkDirectory;
  readonly observer?: SipCarrierObserver;
}

/** Observers. None of these may throw. */
export interface SipCarrierObserver {
  /** An attempt ended on a trunk: the input of answer rates. */
  attemptEnded?(outcome: AttemptOutcome): void;
  healthChanged?(trunkId: string, health: TrunkHealth): void;
  /** Bad input from the network, by kind; for a counter and a log line. */
  refused?(what: "malformed_message" | "unknown_source" | "bad_media", detail: string, source: Hop | null): void;
  failed?(error: unknown): void;
  trace?(direction: "in" | "out", hop: Hop, bytes: Buffer): void;
}

export interface AttemptOutcome {
  readonly trunkId: string;
  readonly callerId: string | null;
  readonly rang: boolean;
  readonly answered: boolean;
  readonly end: Pick<LegEnd, "cause" | "code" | "reason">;
}

export interface SipCarrier extends Carrier {
  /** The ports SIP really listens on. */
  readonly listening: { readonly udp: number; readonly tcp: number; readonly tls: number };
  health(trunkId: string): TrunkHealth;
  /** How calls went lately, per trunk and caller id, over the last hour. */
  answerRates(): readonly AnswerRate[];
  /** Sockets, ports, timers and legs that are in use, for a test that looks for leaks. */
  resourcesHeld(): Readonly<Record<string, number>>;
}
