import type { PlayoutHandle } from "@parley/audio/playout-layout";

/**
 * The port to the telephone network. A carrier places a leg; the leg reports what happens to it as events and
 * always ends: after `ended` nothing more is reported.
 */
export interface Carrier {
  readonly name: string;
  /**
   * Dials. Resolves as soon as the request has left, before anything rang; rejects only when nothing was sent.
   * `dialId` is chosen and stored by the caller before this call: the network sees it at most once.
   * A `dialId` that is placed again rings no phone and returns a leg that ends immediately as `rejected`. That is an end and not a
   * rejection of the promise, because the first request may have rung: the caller must not dial another in its place.
   */
  place(dial: Dial): Promise<CallLeg>;
  /**
   * Ends a leg that another process placed and lost. Resolves true when the network confirmed that it is gone, which
   * includes an unknown leg; false when nothing could be confirmed and a retry makes sense.
   */
  endOrphan(orphan: OrphanedLeg): Promise<boolean>;
  /**
   * Hangs up every leg this object placed and releases its timers and sockets. Takes a bounded time; a leg whose end
   * the network did not confirm by then ends as `lost`. Afterwards `place` rejects.
   */
  close(): Promise<void>;
}

export interface Dial {
  readonly callId: string;
  readonly dialId: string;
  readonly to: string;
  readonly from: string | null;
  /** How long it may ring. The caller has its own timer as well; without a value the carrier uses its own limit. */
  readonly ringTimeoutMs?: number;
  /** Additional header lines, for carriers that support them. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Where each attempt is recorded. Omitted in tests and when testing a trunk. */
  readonly journal?: DialJournal;
  /** Only these trunks may carry it, in this order, for carriers with several. Omitted: the carrier chooses. */
  readonly trunkIds?: readonly string[];
  /** Aborted when the call is not wanted any more: `place` then resolves or rejects soon, whatever it waits for. */
  readonly signal?: AbortSignal;
  /** What a simulated callee is asked to do. Only the simulated network reads it. */
  readonly simulation?: SimulatedCalleePlan;
}

/**
 * The memory of the call's owner, asked by carriers that may send more than one request for a dial. A carrier that sends
 * exactly one, named by the `dialId` that the caller stored itself, does not need it.
 */
export interface DialJournal {
  /**
   * Called before each request that could ring a phone, including the first. It may be sent only on `send`.
   * It may reject, and then nothing is sent either.
   */
  writeAhead(attempt: DialAttempt): Promise<WriteAheadDecision>;
  /** The callee answered. Resolves once another process could hang up; the answer is acknowledged only then. */
  commitAnswer(attempt: DialAttempt): Promise<void>;
  /** An attempt ended: with the leg, or before the next attempt. Never awaited by the carrier. */
  noteEnd(dialId: string, end: Pick<LegEnd, "cause" | "code" | "reason">): void;
}

/** One request that could ring a phone. The first has the `dialId` of the dial, each further one its own. */
export interface DialAttempt {
  readonly dialId: string;
  readonly ordinal: number;
  /** The trunk it goes out on, by id; null where a carrier has none. */
  readonly trunkId: string | null;
  /** The carrier that sends it, where that is not the one that was asked to place the dial. */
  readonly carrier?: string;
  /** What another process needs to end the leg, as plain JSON that only this carrier can read. */
  readonly record: object | null;
}

export type WriteAheadDecision =
  /** Recorded. The request may be sent this many milliseconds from now. */
  | { readonly decision: "send"; readonly afterMs: number }
  /** This trunk has no free channel; another one may. Nothing was recorded. */
  | { readonly decision: "trunk_full" }
  /**
   * This dialId was recorded before, so its request may have been sent. Only carriers whose network would dial again ask for
   * it; others are refused by the network itself.
   */
  | { readonly decision: "already_sent" }
  /** This call may not dial any more. */
  | { readonly decision: "stop" };

/** What is known about a leg whose owner died. */
export interface OrphanedLeg {
  readonly callId: string;
  readonly dialId: string;
  readonly trunkId?: string | null;
  /** As last recorded in the journal. */
  readonly record?: object | null;
}

export interface SimulatedCalleePlan {
  readonly answerAfterMs?: number;
  readonly script?: readonly SimulatedCalleeStep[];
  /** The voice of the callee. An unknown one is replaced by the default. */
  readonly voice?: string;
  /** How loud the noise behind the callee is, from 0 to 1. */
  readonly noise?: number;
}
export type SimulatedCalleeStep =
  | { readonly say: string }
  | { readonly waitMs: number }
  /** Waits until the agent has said something and is silent again. A line right after it is said immediately. */
  | { readonly waitForTurn: true }
  | { readonly press: string }
  /** Waits until the agent has spoken for this long, and then speaks over it. */
  | { readonly interruptAfterMs: number; readonly say: string }
  | { readonly hangUp: true };

export interface CallLeg {
  readonly dialId: string;
  /** The received and the played audio. It exists from the beginning and is silent until there is audio. */
  readonly media: LegMedia;
  /**
   * Events that happened before the first listener are kept for it. Returns the function that stops listening.
   * A listener is never called from inside `onEvent` or `hangup`, so it may use what they return.
   */
  onEvent(listener: (event: LegEvent) => void): () => void;
  /**
   * Cancels while ringing, hangs up while talking, does nothing afterwards. Resolves in a bounded time when the leg has
   * ended, and never rejects. The leg reports `ended` like any other end.
   */
  hangup(): Promise<void>;
  /** Presses keys after each other, from `0-9 * # A-D`. Throws a RangeError for others; does nothing before the answer. */
  sendDtmf(keys: string): void;
  /**
   * Connects the callee with another party. `transfer_progressed` reports the progress; one at a time. After a completed
   * `refer` the leg ends on its own; a bridge lives as long as this leg, and ends it when the other party hangs up.
   */
  transfer(request: TransferRequest): void;
  /** Audio statistics so far; null before there was audio. Unchanged after the end. */
  statistics(): Promise<LegStatistics | null>;
}

/**
 * A leg's shared audio memory, 8 kHz and 16 bit. One tick writes the heard and played frames, so equal positions in the
 * two rings are equal instants. Attach with RingReader and PlayoutQueue, in any thread.
 */
export interface LegMedia {
  readonly heard: SharedArrayBuffer;
  readonly played: SharedArrayBuffer;
  readonly playout: PlayoutHandle;
}

export interface TransferRequest {
  readonly to: string;
  /** `refer` asks the network to connect them, `bridge` dials a second leg, `auto` bridges where a refer is refused. */
  readonly how: "refer" | "bridge" | "auto";
  /** Names the second leg of a bridge, as `dialId` does a leg's. */
  readonly dialId: string;
  readonly ringTimeoutMs: number;
  readonly journal?: DialJournal;
}

export interface LegStatistics {
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  readonly jitterMs: number;
  readonly roundTripMs: number | null;
  /** Whether our audio arrives, according to the far end's reports; null without reports. */
  readonly isHeard: boolean | null;
  /** The estimated mean opinion score of the received audio, from 1 to 4.5; null before any audio was received. */
  readonly mos: number | null;
}

export type LegEvent =
  | { readonly type: "ringing" }
  /** There is audio before the answer: a tone or an announcement. */
  | { readonly type: "early_media" }
  | { readonly type: "answered" }
  | { readonly type: "dtmf"; readonly key: string; readonly durationMs: number }
  /** Expected audio has been missing for some time: the callee hears us and we do not hear the callee. */
  | { readonly type: "audio_missing" }
  | { readonly type: "audio_returned" }
  /**
   * The far end's reports say that none of our audio has arrived for this long. They may be wrong, so a leg never
   * ends because of it. `wasHeard`: they said before that something arrived.
   */
  | { readonly type: "not_heard"; readonly wasHeard: boolean; readonly forMs: number }
  | { readonly type: "heard_again" }
  | TransferProgress
  | {
      readonly type: "ended";
      readonly cause: LegEndCause;
      /**
       * The final status that the network sent to end it. Null when it sent none, or when the end was our own decision: what
       * we conclude from silence or from a broken connection is never a status.
       */
      readonly code: number | null;
      /** The network's own words where there is a code, otherwise ours. */
      readonly reason: string;
      readonly by: LegEndedBy;
      readonly detail?: LegEndDetail;
      /** It is certain that no phone rang, so that another trunk or carrier may be tried. */
      readonly noPhoneRang?: true;
      /** RFC 3261 section 20.33: how long the network asks us to wait before the next request. */
      readonly retryAfterS?: number;
    };

export interface TransferProgress {
  readonly type: "transfer_progressed";
  readonly how: "refer" | "bridge";
  /** `completed` and `failed` are final. */
  readonly state: "trying" | "ringing" | "completed" | "failed";
  readonly code: number | null;
  readonly reason: string;
}

export type LegEnd = Extract<LegEvent, { readonly type: "ended" }>;

/** What is known about an end beyond its cause and code. */
export type LegEndDetail =
  /** The request was sent and no response arrived. */
  | "no_response"
  /** The request could not be delivered: the connection failed, or the other machine reported the port as closed. */
  | "not_delivered"
  /** The callee answered, but with an audio description that we cannot use. */
  | "unusable_answer"
  /** The same dial was placed before, so nothing was sent. */
  | "already_sent"
  /** The network asked for credentials, and none are configured. */
  | "credentials_missing"
  /** The network asked for credentials after a phone rang: sending the call again could ring it twice. */
  | "challenged_after_ringing"
  /** The network asked for credentials in a way that we cannot answer. */
  | "challenge_unsupported";

export type LegEndedBy = "callee" | "us" | "network";

export type LegEndCause =
  | "hangup"
  | "canceled"
  | "busy"
  | "no_answer"
  | "declined"
  /** Refused as unwanted, by the callee or by a service that blocks calls. */
  | "blocked"
  | "invalid_number"
  | "unreachable"
  | "rejected"
  | "unavailable"
  /** No audio was received for so long that the far end must be gone. */
  | "media_timeout"
  | "lost";
