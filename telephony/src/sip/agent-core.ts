import type { Clock } from "@parley/time/clock";
import type { SipUri } from "./message/uri.ts";
import type { RandomSource } from "./random-source.ts";
import type { TransactionLayer } from "./transaction/transaction-layer.ts";
import type { Hop, TransportKind } from "./transport/sip-transport.ts";

/** What every part of the user agent needs to do its work. */
export interface AgentCore {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly layer: TransactionLayer;
  /** What we call ourselves in User-Agent and Server. */
  readonly softwareName: string;
  /** The places to try for a URI, best first. Never rejects: where DNS fails there are none. */
  readonly resolve: (uri: SipUri, transport: TransportKind) => Promise<readonly Hop[]>;
  /** Takes what must not happen, such as a listener that throws. */
  readonly reportError: (error: unknown) => void;
}

/** The methods we answer inside a call (RFC 3261 section 20.5). */
export const ALLOWED_METHODS = "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, NOTIFY";
export const SUPPORTED_EXTENSIONS: ReadonlySet<string> = new Set(["timer", "100rel"]);
