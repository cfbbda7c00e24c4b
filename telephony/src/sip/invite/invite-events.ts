import type { UnansweredChallenge } from "../authentication/authenticate.ts";
import type { ReasonHeader } from "../message/reason-header.ts";

/** The events of an INVITE. `failed` and `ended` are final: exactly one of them occurs, as the last event. */
export type InviteEvent =
  /** The request was received (100). */
  | { readonly type: "trying" }
  | { readonly type: "provisional"; readonly status: number; readonly reason: string; readonly sdp: string | null }
  /** There may be something to hear before the answer. Comes again when the description changes. */
  | { readonly type: "early_media"; readonly sdp: string }
  | { readonly type: "answered"; readonly sdp: string | null }
  | InviteFailed
  | InviteEnded
  | TransferEvent
  | { readonly type: "info"; readonly contentType: string; readonly body: Buffer };

/** The progress of the transfer we requested (RFC 3515). */
export interface TransferEvent {
  readonly type: "transfer";
  readonly status: number;
  readonly reason: string;
  readonly isFinal: boolean;
  /** False if it was concluded from a timeout: the target may ring nevertheless. */
  readonly isReported: boolean;
}

export interface InviteFailed {
  readonly type: "failed";
  /** The final status code that was received, null when there was none. */
  readonly status: number | null;
  readonly reason: string;
  readonly origin: FailureOrigin;
  readonly reasonHeader: ReasonHeader | null;
  readonly retryAfterS: number | null;
  /** Why a challenge was not answered; null when it was, or when there was none. */
  readonly unanswered: UnansweredChallenge | null;
}

export type FailureOrigin =
  /** The network or the callee refused. */
  | "peer"
  /** We hung up before the answer. */
  | "canceled"
  /** It rang until our limit. */
  | "no_answer"
  /** No response within the trunk's time limit. Whether it rang is not known. */
  | "timeout"
  /** Nothing was sent: another hop may be tried. */
  | "transport"
  /** It was answered, but that could not be recorded, so it was ended. */
  | "commit";

export interface InviteEnded {
  readonly type: "ended";
  readonly by: "us" | "peer" | "network";
  readonly reason: string;
  readonly reasonHeader: ReasonHeader | null;
  /** Whether the other end knows: it said BYE, or answered ours. */
  readonly isConfirmed: boolean;
}

/** Decides about audio. Called while a message is being handled, so it must answer synchronously and not throw. */
export interface MediaNegotiation {
  /** The peer sends a new offer (hold, another codec, another address): our answer, or the status to reject with. */
  readonly answerOffer: (offer: string) => { readonly sdp: string } | { readonly refuse: number };
  /** Our current description, for a peer that requests it and for refreshing the call. */
  readonly currentOffer: () => string;
  /** The peer answered an offer we made inside the call. */
  readonly acceptAnswer: (answer: string) => void;
}
