import type { Clock } from "@parley/time/clock";
import type { DialAttempt, DialJournal } from "../../carrier.ts";
import { canceledByUs } from "../../leg-end.ts";
import { SRTP_SUITES } from "../../sdp/media-terms.ts";
import type { LocalMedia } from "../../sdp/offer-answer.ts";
import type { InviteRecord } from "../../sip/dialog/dialog-record.ts";
import type { InviteClient } from "../../sip/invite/invite-client.ts";
import type { HeaderLine } from "../../sip/message/message.ts";
import type { RandomSource } from "../../sip/random-source.ts";
import type { SipTrunk } from "../../sip/sip-trunk.ts";
import type { Hop } from "../../sip/transport/sip-transport.ts";
import type { UserAgent } from "../../sip/user-agent.ts";
import type { TrunkChoice } from "../trunks/choose-trunks.ts";
import { writeDialedNumber, writeNumber } from "../trunks/write-number.ts";
import { AudioNegotiator, type NegotiatorDeps } from "./audio-negotiator.ts";
import { dialIdentity } from "./dial-identity.ts";

export interface AttemptOrder extends Omit<NegotiatorDeps, "local"> {
  readonly dialId: string;
  readonly ordinal: number;
  readonly to: string;
  readonly headers: readonly HeaderLine[];
  readonly choice: TrunkChoice;
  readonly hop: Hop;
  /** The trunk as it finds us. */
  readonly sip: SipTrunk;
  readonly mediaHost: string;
  readonly rtpPort: number;
  readonly ringTimeoutMs: number;
  readonly journal: DialJournal | null;
  /** Aborted when the call is no longer wanted. */
  readonly signal: AbortSignal;
}

export interface AttemptDeps {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly agent: Pick<UserAgent, "prepareInvite">;
}

/** A request that has left. */
export interface SentAttempt {
  readonly dialId: string;
  readonly choice: TrunkChoice;
  readonly sip: SipTrunk;
  readonly client: InviteClient;
  readonly record: InviteRecord;
  readonly negotiator: AudioNegotiator;
}

export type AttemptStart =
  | { readonly kind: "sent"; readonly attempt: SentAttempt }
  /** The trunk has no channel free. */
  | { readonly kind: "full" }
  /** Nothing may be dialed for this call any more. */
  | { readonly kind: "stopped" }
  /** It was no longer wanted before it was sent. */
  | { readonly kind: "unwanted" }
  | { readonly kind: "not_sent"; readonly reason: string }
  /** This machine has no route to the trunk. */
  | { readonly kind: "unreachable"; readonly reason: string };

/**
 * Prepares a request, writes it down, waits for its time, and sends it. Nothing leaves before the journal said `send`.
 * Rejects when the journal does.
 */
export async function startAttempt(deps: AttemptDeps, order: AttemptOrder): Promise<AttemptStart> {
  const { dialId, ordinal, choice, journal, signal } = order;
  const { trunk, callerId } = choice;
  const { onTerms, onUnusable } = order;
  const negotiator = new AudioNegotiator({ local: localMedia(deps.random, order), onTerms, onUnusable });
  const attemptOf = (record: object): DialAttempt => ({ dialId, ordinal, trunkId: trunk.id, record });
  const prepared = await deps.agent.prepareInvite({
    ...dialIdentity(dialId),
    trunk: order.sip,
    hop: order.hop,
    to: writeDialedNumber(trunk, order.to),
    from: callerId === null ? null : writeNumber(trunk, callerId),
    headers: order.headers,
    sdp: negotiator.firstOffer,
    ringTimeoutMs: order.ringTimeoutMs,
    media: negotiator,
    commitAnswer: (record) => journal?.commitAnswer(attemptOf(record)) ?? Promise.resolve(),
  });
  if (!prepared.ok) return { kind: "not_sent", reason: prepared.reason };
  if (signal.aborted) return { kind: "unwanted" };
  if (journal !== null) {
    const decision = await journal.writeAhead(attemptOf(prepared.record));
    if (decision.decision === "trunk_full") return { kind: "full" };
    if (decision.decision !== "send") return { kind: "stopped" };
    await pause(deps.clock, decision.afterMs, signal);
    if (signal.aborted) {
      const { cause, code, reason } = canceledByUs();
      journal.noteEnd(dialId, { cause, code, reason });
    }
  }
  if (signal.aborted) return { kind: "unwanted" };
  const { record } = prepared;
  return {
    kind: "sent",
    attempt: { dialId, choice, sip: order.sip, client: prepared.start(), record, negotiator },
  };
}

/** Resolves after the time, or immediately if it is aborted. */
function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (delayMs <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      stop();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const stop = clock.setTimer(delayMs, finish);
    signal.addEventListener("abort", finish);
  });
}

/** RFC 4568 section 6.1: every offer has new keys, which are never used for two calls. */
function localMedia(random: RandomSource, order: AttemptOrder): LocalMedia {
  const { trunk } = order.choice;
  return {
    address: order.mediaHost,
    port: order.rtpPort,
    originId: String(Number.parseInt(random.hex(6), 16)),
    codecs: trunk.codecs.length === 0 ? ["PCMU", "PCMA"] : trunk.codecs,
    srtp: trunk.srtp,
    srtpKeys: trunk.srtp === "off" ? [] : SRTP_SUITES.map(() => Buffer.from(random.hex(30), "hex").toString("base64")),
  };
}
