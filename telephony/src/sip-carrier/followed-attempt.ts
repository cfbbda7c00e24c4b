import { isRinging } from "../sip/invite-attempts.ts";
import type { InviteEvent } from "../sip/invite-events.ts";
import { type AttemptEnd, endOfCall, endOfFailure } from "./attempt-end.ts";
import type { LegInput } from "./leg-machine.ts";
import type { SentAttempt } from "./start-attempt.ts";

export interface FollowingParts {
  readonly onInput: (input: LegInput) => void;
  /** What the other end tells inside the call: keys, and how a transfer goes. */
  readonly onTold: (event: Extract<InviteEvent, { type: "info" | "transfer" }>) => void;
  /** The trunk got as far as a phone, for the first time. */
  readonly onReached: () => void;
}

/** Listens to a request that has left, and translates what becomes of it into what the machine of a leg knows. */
export class FollowedAttempt {
  readonly sent: SentAttempt;
  readonly #parts: FollowingParts;
  #isHeard = false;
  #hasRung = false;
  #isAnswered = false;
  #end: AttemptEnd | null = null;
  #isIgnored = false;

  constructor(sent: SentAttempt, parts: FollowingParts) {
    this.sent = sent;
    this.#parts = parts;
    sent.client.onEvent((event) => {
      if (!this.#isIgnored) this.#hear(event);
    });
  }

  /** Whether a single response came before we wanted it to end. */
  get isHeard(): boolean {
    return this.#isHeard;
  }

  get hasRung(): boolean {
    return this.#hasRung;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Null until the network said so. */
  get end(): AttemptEnd | null {
    return this.#end;
  }

  /** Whether the trunk got as far as a phone. */
  get isReached(): boolean {
    return this.#hasRung || this.#isAnswered;
  }

  /** Nothing that still comes of it concerns anybody. */
  ignore(): void {
    this.#isIgnored = true;
  }

  #hear(event: InviteEvent): void {
    const { onInput, onTold } = this.#parts;
    switch (event.type) {
      case "trying":
        this.#isHeard = true;
        return;
      case "provisional":
        this.#isHeard = true;
        if (!isRinging(event.status)) return;
        this.#reach();
        this.#hasRung = true;
        return onInput({ type: "rang" });
      case "earlyMedia":
        if (this.sent.negotiator.takeEarly(event.sdp)) onInput({ type: "early_media" });
        return;
      case "answered":
        return this.#answered(event.sdp);
      case "failed":
        return this.#ended(endOfFailure(event, { isHeard: this.#isHeard, hasRung: this.#hasRung }));
      case "ended":
        return this.#ended(endOfCall(event));
      case "info":
      case "transfer":
        return onTold(event);
    }
  }

  #answered(sdp: string | null): void {
    const { onInput } = this.#parts;
    this.#reach();
    const verdict = this.sent.negotiator.takeFinal(sdp);
    if (!verdict.ok) return onInput({ type: "unusable_answer", reason: verdict.reason });
    this.#isAnswered = true;
    onInput({ type: "answered" });
  }

  #reach(): void {
    if (!this.isReached) this.#parts.onReached();
  }

  #ended(end: AttemptEnd): void {
    this.#end = end;
    this.#isHeard ||= end.kind === "refused" || end.kind === "hung_up";
    this.#parts.onInput({ type: "attempt_ended", end });
  }
}
