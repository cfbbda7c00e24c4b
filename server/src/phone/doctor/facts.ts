import type { LegEnd, LegStatistics } from "@parley/telephony/carrier";
import type { UnansweredChallenge } from "@parley/telephony/sip/authentication/authenticate";
import type { Hop } from "@parley/telephony/sip/transport/sip-transport";
import type { SipCarrierOptions } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { Trunk } from "@parley/telephony/sip-carrier/trunks/trunk";

/** What was seen at each step. Probes gather facts, judges say what they mean. */
export interface SettingsFacts {
  readonly trunk: Trunk;
  readonly routes: number;
  /** What SIP is bound to here. */
  readonly sipHost: string;
}

export type NameFacts =
  | { readonly kind: "found"; readonly hops: readonly Hop[] }
  | { readonly kind: "unknown" }
  | { readonly kind: "failed"; readonly reason: string };

export type ConnectionFacts =
  | { readonly kind: "not_needed" }
  | { readonly kind: "open"; readonly tookMs: number; readonly certificate: CertificateFacts | null }
  /** `code` as Node names it; `timeout` when nothing happened at all. */
  | { readonly kind: "failed"; readonly code: string; readonly reason: string };

export interface CertificateFacts {
  readonly issuedTo: string;
  readonly daysLeft: number;
}

/** How a request outside of calls fared. */
export type AnswerFacts =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly reason: string;
      readonly tookMs: number;
      readonly seenAs: SeenAs;
      /** Why a challenge was not answered; null when it was, or when there was none. */
      readonly unanswered: UnansweredChallenge | null;
      /** How many addresses the trunk has registered, where it was queried. */
      readonly contacts: number;
    }
  /** No response came. `unreadable` says what is wrong with what came instead; null when nothing came at all. */
  | { readonly kind: "silent"; readonly waitedMs: number; readonly unreadable: string | null }
  /** The request could not be delivered. */
  | { readonly kind: "failed"; readonly reason: string };

/** RFC 3581: where our request came from, as the far end saw it; null where it does not say. */
export interface SeenAs {
  readonly host: string | null;
  readonly port: number | null;
}

export interface AddressFacts {
  /** Where the trunk is, as an address. */
  readonly trunkAddress: string;
  /** What our messages and descriptions name as ours. */
  readonly offered: { readonly sipHost: string; readonly sipPort: number; readonly mediaHost: string };
  readonly seenAs: SeenAs;
}

export interface CallFacts {
  readonly to: string;
  readonly rangAfterMs: number | null;
  readonly hadEarlyMedia: boolean;
  readonly answeredAfterMs: number | null;
  /** How the leg ended, by either side; null if it did not. */
  readonly end: LegEnd | null;
  /** What is wrong with messages that came and could not be read; null when there were none. */
  readonly unreadable: string | null;
  /** Whether it had ended before we hung up. */
  readonly endedFirst: boolean;
  readonly statistics: LegStatistics | null;
  /** How loud what we heard was; null when there was nothing to hear. */
  readonly heardDbfs: number | null;
  /** Whether the tone we played came back. */
  readonly heardTone: boolean;
  readonly keysHeard: string;
  /** The addresses in the two descriptions, where they were seen. */
  readonly offeredMedia: string | null;
  readonly answeredMedia: string | null;
}

/** The dependencies of an examination: time, randomness, DNS, and where SIP and audio arrive here. */
export type DoctorSurroundings = Omit<SipCarrierOptions, "directory" | "observer">;
