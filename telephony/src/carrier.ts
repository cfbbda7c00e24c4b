/**
 * The port to the telephone network. A carrier places a leg; the leg reports what happens to it as events and
 * always ends: after `ended` nothing more is reported.
 */
export interface Carrier {
  readonly name: string;
  /**
   * Dials. Resolves as soon as the request has left, before anything rang; rejects only when nothing was sent.
   * `dialId` is chosen by the caller and was written down before this call: the network sees it at most once.
   * A `dialId` placed again rings nobody and gives a leg that ends at once as `rejected`. That is an end and not a
   * rejection of the promise, because the first placing may well have rung: the caller must not dial in its stead.
   */
  place(dial: Dial): Promise<CallLeg>;
  /**
   * Ends a leg that another process placed and lost. Resolves true when the network confirmed that it is gone, which
   * includes a leg it never heard of; false when nothing could be confirmed and it is worth asking again.
   */
  endOrphan(orphan: OrphanedLeg): Promise<boolean>;
  /**
   * Hangs up every leg this object placed and gives back its timers and sockets. Takes a bounded time; a leg whose end
   * the network did not confirm by then ends as `lost`. Afterwards `place` rejects.
   */
  close(): Promise<void>;
}

export interface Dial {
  readonly callId: string;
  readonly dialId: string;
  readonly to: string;
  readonly from: string | null;
  /** What a simulated callee is asked to do. Only the simulated network reads it. */
  readonly simulation?: SimulatedCalleePlan;
}

/** What is known about a leg whose owner died. */
export interface OrphanedLeg {
  readonly callId: string;
  readonly dialId: string;
}

export interface SimulatedCalleePlan {
  readonly answerAfterMs?: number;
  readonly script?: readonly SimulatedCalleeStep[];
}
export type SimulatedCalleeStep = { readonly waitMs: number } | { readonly hangUp: true };

export interface CallLeg {
  readonly dialId: string;
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
}

export type LegEvent =
  | { readonly type: "ringing" }
  | { readonly type: "answered" }
  | {
      readonly type: "ended";
      readonly cause: LegEndCause;
      readonly code: number | null;
      readonly reason: string;
      readonly by: LegEndedBy;
    };

export type LegEnd = Extract<LegEvent, { readonly type: "ended" }>;

export type LegEndedBy = "callee" | "us" | "network";

export type LegEndCause =
  | "hangup"
  | "canceled"
  | "busy"
  | "no_answer"
  | "declined"
  | "invalid_number"
  | "unreachable"
  | "rejected"
  | "unavailable"
  | "lost";
