import type { LegEnd } from "../../carrier.ts";
import { canceledByUs, hungUp, legEndFromRefusal, lost } from "../../leg-end.ts";
import type { UnansweredChallenge } from "../../sip/authentication/authenticate.ts";
import type { InviteEnded, InviteFailed } from "../../sip/invite/invite-events.ts";
import { type ReasonHeader, reasonText } from "../../sip/message/reason-header.ts";

/** How one request to one trunk came to its end. `hasRung` is true after any 18x. */
export type AttemptEnd =
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly reason: string;
      readonly reasonHeader: ReasonHeader | null;
      readonly hasRung: boolean;
      readonly unanswered?: UnansweredChallenge | null;
      readonly retryAfterS?: number | null;
    }
  /** Not a single response came. */
  | { readonly kind: "no_response"; readonly why: "timeout" | "transport"; readonly reason: string }
  /** Nothing was sent: no address, or too large for the transport. */
  | { readonly kind: "not_sent"; readonly reason: string }
  /** The connection to the trunk broke after a first response: the state of the call is unknown. */
  | { readonly kind: "broken_off"; readonly reason: string }
  /** The time to ring was over, and we cancelled. */
  | { readonly kind: "rang_out"; readonly hasRung: boolean }
  | { readonly kind: "canceled" }
  /** It was answered, but that could not be recorded, so it was ended. */
  | { readonly kind: "not_committed" }
  | {
      readonly kind: "hung_up";
      readonly by: "us" | "peer" | "network";
      readonly reason: string;
      readonly reasonHeader: ReasonHeader | null;
      readonly isConfirmed: boolean;
    };

/** What an INVITE reported before it was answered, or instead of being answered. */
export function endOfFailure(failed: InviteFailed, heard: { isHeard: boolean; hasRung: boolean }): AttemptEnd {
  const { status, reason, reasonHeader, origin, unanswered, retryAfterS } = failed;
  const { hasRung } = heard;
  switch (origin) {
    case "peer":
      if (status === null) return { kind: "hung_up", by: "peer", reason, reasonHeader, isConfirmed: true };
      return { kind: "refused", status, reason, reasonHeader, hasRung, unanswered, retryAfterS };
    case "canceled":
      return { kind: "canceled" };
    case "no_answer":
      // Without any response it is unknown whether a phone could ring.
      return heard.isHeard
        ? { kind: "rang_out", hasRung }
        : { kind: "no_response", why: "timeout", reason: "Nothing came back in the time that it may ring." };
    case "commit":
      return { kind: "not_committed" };
    case "timeout":
    case "transport":
      return heard.isHeard ? { kind: "broken_off", reason } : { kind: "no_response", why: origin, reason };
  }
}

export function endOfCall({ by, reason, reasonHeader, isConfirmed }: InviteEnded): AttemptEnd {
  return { kind: "hung_up", by, reason, reasonHeader, isConfirmed };
}

/** The same as the end of a leg. Only a response that was received gives it a code. */
export function legEndOfAttempt(end: AttemptEnd): LegEnd {
  switch (end.kind) {
    case "refused":
      return legEndFromRefusal(end);
    case "no_response": {
      const detail = end.why === "timeout" ? "no_response" : "not_delivered";
      return { type: "ended", cause: "unavailable", code: null, reason: end.reason, by: "network", detail };
    }
    case "not_sent":
      return { type: "ended", cause: "unavailable", code: null, reason: end.reason, by: "network" };
    case "broken_off":
      return lost(end.reason);
    case "rang_out": {
      const cause = end.hasRung ? "no_answer" : "unreachable";
      return { type: "ended", cause, code: null, reason: "No answer in time.", by: "network" };
    }
    case "canceled":
      return canceledByUs();
    case "not_committed":
      return canceledByUs("The answer could not be written down, so that the call was ended.");
    case "hung_up":
      return legEndOfHangup(end);
  }
}

function legEndOfHangup({ by, reason, reasonHeader, isConfirmed }: Extract<AttemptEnd, { kind: "hung_up" }>): LegEnd {
  if (by === "us") return isConfirmed ? hungUp("us", reason) : lost("The network did not confirm the hangup.");
  // Not a hang-up: the peer no longer knows the call (RFC 3261 section 12.2.1.2), for an unknown reason.
  if (by === "network") return lost(reason);
  return hungUp("callee", reasonText(reasonHeader) ?? reason);
}
