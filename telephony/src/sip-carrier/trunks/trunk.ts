import type { SpeechCodecName, SrtpPolicy } from "../../sdp/media-terms.ts";
import type { SipTrunk } from "../../sip/sip-trunk.ts";

/** What routing needs to know of a trunk, whatever protocol it has. */
export interface RoutedTrunk {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  readonly isEnabled: boolean;
  /** The numbers that may be shown to callees. A call without its own shows the first. Empty: any, or none. */
  readonly callerIds: readonly string[];
  /** The maximum of concurrent calls, null for no limit. Counted by the owner of the journal. */
  readonly channelsMax: number | null;
  readonly callsPerSecond: number | null;
}

/** A SIP connection to the telephone network that an operator rents, with everything a call on it needs. */
export interface Trunk extends RoutedTrunk {
  readonly sip: SipTrunk;
  /** The number format of the trunk: `+4930...` or `4930...`. */
  readonly numberFormat: "e164" | "digits";
  /** Prepended to every number, for trunks that identify customers by a prefix. */
  readonly dialPrefix: string;
  /** In order of preference. */
  readonly codecs: readonly SpeechCodecName[];
  readonly srtp: SrtpPolicy;
  /** The address that our SDP names, where it is not the one we are bound to. */
  readonly publicMediaHost: string | null;
  /** RFC 3261 section 10: whether we register, and as whom. */
  readonly registersAs: string | null;
  /** How often it is pinged; null for never. */
  readonly pingIntervalMs: number | null;
}

/** Numbers that begin with `prefix` (digits without the plus, empty for all) may go out on a trunk. */
export interface TrunkRoute {
  readonly id: string;
  readonly prefix: string;
  readonly trunkId: string;
  /** Lower goes first. */
  readonly priority: number;
  /** Its share among routes of the same prefix and priority; 0 only when no other is left. */
  readonly weight: number;
}

/** The current trunks and routes. */
export interface TrunkDirectory<T extends RoutedTrunk = Trunk> {
  readonly trunks: readonly T[];
  readonly routes: readonly TrunkRoute[];
}
