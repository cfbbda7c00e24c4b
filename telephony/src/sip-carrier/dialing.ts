import type { Dial, LegEnd } from "../carrier.ts";
import { canceledByUs } from "../leg-end.ts";
import type { MediaTerms } from "../sdp/media-terms.ts";
import type { InviteEvent } from "../sip/invite-events.ts";
import type { HeaderLine } from "../sip/message.ts";
import { type AttemptEnd, endOfCall, endOfFailure } from "./attempt-end.ts";
import type { CarrierParts } from "./carrier-parts.ts";
import { chooseTrunks } from "./choose-trunks.ts";
import { judgeTrunk } from "./circuit-breaker.ts";
import { attemptDialId } from "./dial-identity.ts";
import type { LegInput } from "./leg-machine.ts";
import { type AttemptStart, type SentAttempt, startAttempt } from "./start-attempt.ts";
import { type NextTry, TrunkQueue } from "./trunk-queue.ts";

export interface DialingParts {
  readonly carrier: CarrierParts;
  readonly dial: Dial;
  readonly rtpPort: number;
  /** Aborted when nobody wants the call any more. */
  readonly signal: AbortSignal;
  readonly onInput: (input: LegInput) => void;
  readonly onTerms: (terms: MediaTerms, isFinal: boolean) => void;
  /** What the other end tells inside the call: keys, and how a transfer goes. */
  readonly onTold: (event: Extract<InviteEvent, { type: "info" | "transfer" }>) => void;
}

/** What was heard of the request that is on its way. */
interface FollowedAttempt extends SentAttempt {
  isHeard: boolean;
  hasRung: boolean;
  isAnswered: boolean;
  end: AttemptEnd | null;
}

/** It rings so long where nobody said how long. */
const RING_TIMEOUT_DEFAULT_MS = 60_000;
/** More requests are not sent for one dial, whatever is left to try. */
const ATTEMPTS_MAX = 6;

/** The requests of one leg, one after the other and each on its own trunk, as far as the leg's machine asks for them. */
export class Dialing {
  readonly #parts: DialingParts;
  readonly #queue: TrunkQueue;
  readonly #noTrunk: string | null;
  #attempt: FollowedAttempt | null = null;
  #requests = 0;
  #ringUntilMs: number | null = null;
  #lastEnd: LegEnd | null = null;

  constructor(parts: DialingParts) {
    const { carrier, dial } = parts;
    const { agent, watches, random } = carrier;
    const healthOf = (trunkId: string) => watches.health(trunkId);
    const selection = { directory: carrier.directory(), healthOf, fraction: () => random.fraction() };
    const { choices, obstacle } = chooseTrunks(selection, dial);
    this.#parts = parts;
    this.#noTrunk = obstacle;
    this.#queue = new TrunkQueue({
      choices,
      resolve: ({ sip }) => agent.resolveTrunk(sip),
      admit: (trunkId) => watches.admit(trunkId),
      onNoAddress: (trunkId) => watches.note(trunkId, "trouble", "Its name leads to no address."),
    });
  }

  /** The request that is on its way, or the call it became. */
  get current(): SentAttempt | null {
    return this.#attempt;
  }

  /** Sends the next request, or says that there is none. Rejects when the journal does and nothing was sent before. */
  async tryNext(after: AttemptEnd | null): Promise<void> {
    const { signal, onInput, carrier } = this.#parts;
    try {
      for (let next = await this.#next(after); next !== null && !signal.aborted; next = await this.#next(null)) {
        if (await this.#send(next)) return;
      }
    } catch (error) {
      if (this.#requests === 0) throw error;
      carrier.reportError(error);
    }
    onInput({ type: "gave_up", end: this.#lastEnd ?? this.#nowhere() });
  }

  /** Asks the network to end what is on its way. */
  hangUp(reason: string | null): void {
    const headers: readonly HeaderLine[] = reason === null ? [] : [["Reason", reason]];
    this.#attempt?.client.hangup(headers).catch(this.#parts.carrier.reportError);
  }

  /** Stops waiting for the network. An answer that comes all the same is ended. */
  abandon(): void {
    const attempt = this.#attempt;
    if (attempt === null) return;
    attempt.client.abandon();
    if (!attempt.isAnswered) this.#parts.carrier.agent.settleLate(attempt.sip, attempt.record);
  }

  /** Writes down how the request ended, once. */
  noteEnd(end: LegEnd): void {
    const attempt = this.#attempt;
    if (attempt === null) return;
    this.#attempt = null;
    this.#lastEnd = end;
    const { carrier, dial } = this.#parts;
    const { cause, code, reason } = end;
    const { choice, hasRung: rang, isAnswered: answered } = attempt;
    const outcome = {
      trunkId: choice.trunk.id,
      callerId: choice.callerId,
      rang,
      answered,
      end: { cause, code, reason },
    };
    carrier.attemptEnded(outcome);
    // A trunk that let a phone ring has already been judged.
    if (!rang)
      carrier.watches.note(choice.trunk.id, attempt.end === null ? "unclear" : judgeTrunk(attempt.end), reason);
    try {
      dial.journal?.noteEnd(attempt.dialId, { cause, code, reason });
    } catch (error) {
      carrier.reportError(error);
    }
  }

  async #next(after: AttemptEnd | null): Promise<NextTry | null> {
    if (this.#requests >= ATTEMPTS_MAX || this.#ringLeftMs() <= 0) return null;
    return this.#queue.next(after);
  }

  /** True when the leg goes on without another try: it is sent, or nobody wants it. */
  async #send({ choice, hop }: NextTry): Promise<boolean> {
    const { watches } = this.#parts.carrier;
    let start: AttemptStart | null = null;
    try {
      start = await this.#start({ choice, hop });
    } finally {
      // A trial that never left tells nothing about the trunk.
      if (start?.kind !== "sent") watches.note(choice.trunk.id, "unclear", "");
    }
    switch (start.kind) {
      case "sent":
        this.#follow(start.attempt);
        return true;
      case "unwanted":
        return true;
      case "stopped":
        this.#parts.onInput({
          type: "gave_up",
          end: { ...canceledByUs(), reason: "The call may not be dialed any more." },
        });
        return true;
      case "full":
        this.#queue.passOver("Every trunk that may carry this call has all its channels in use.");
        return false;
      case "not_sent":
        this.#queue.passOver(start.reason);
        return false;
    }
  }

  async #start({ choice, hop }: NextTry): Promise<AttemptStart> {
    const { carrier, dial, rtpPort, signal, onTerms } = this.#parts;
    const addressed = await carrier.addressTrunk(choice.trunk, hop).catch(() => null);
    if (addressed === null) return { kind: "not_sent", reason: `No way leads to ${hop.address}.` };
    const { sip, mediaHost } = addressed;
    return startAttempt(carrier, {
      dialId: attemptDialId(dial.dialId, this.#requests + 1),
      ordinal: this.#requests + 1,
      to: dial.to,
      headers: dial.headers ?? [],
      choice,
      hop,
      sip,
      mediaHost,
      rtpPort,
      ringTimeoutMs: this.#ringLeftMs(),
      journal: dial.journal ?? null,
      signal,
      onTerms,
      onUnusable: (reason) => carrier.observer.refused?.("bad_media", reason, hop),
    });
  }

  #follow(sent: SentAttempt): void {
    const { clock } = this.#parts.carrier;
    const attempt = { ...sent, isHeard: false, hasRung: false, isAnswered: false, end: null };
    this.#attempt = attempt;
    this.#requests += 1;
    this.#ringUntilMs ??= clock.now() + this.#ringTimeoutMs;
    this.#parts.onInput({ type: "sent" });
    sent.client.onEvent((event) => {
      if (this.#attempt === attempt) this.#hear(attempt, event);
    });
  }

  #hear(attempt: FollowedAttempt, event: InviteEvent): void {
    const { onInput, onTold, carrier } = this.#parts;
    switch (event.type) {
      case "trying":
        attempt.isHeard = true;
        return;
      case "provisional":
        attempt.isHeard = true;
        // RFC 3261 section 21.1: of the provisional responses those from 180 to 189 say that a phone may ring.
        if (event.status < 180 || event.status > 189) return;
        if (!attempt.hasRung) carrier.watches.note(attempt.choice.trunk.id, "fine", "");
        attempt.hasRung = true;
        return onInput({ type: "rang" });
      case "earlyMedia":
        if (attempt.negotiator.takeEarly(event.sdp)) onInput({ type: "early_media" });
        return;
      case "answered": {
        const verdict = attempt.negotiator.takeFinal(event.sdp);
        if (!verdict.ok) return onInput({ type: "unusable_answer", reason: verdict.reason });
        attempt.isAnswered = true;
        return onInput({ type: "answered" });
      }
      case "failed":
        return this.#ended(attempt, endOfFailure(event, attempt));
      case "ended":
        return this.#ended(attempt, endOfCall(event));
      case "info":
      case "transfer":
        return onTold(event);
    }
  }

  #ended(attempt: FollowedAttempt, end: AttemptEnd): void {
    attempt.end = end;
    // Whoever was silent may yet answer; nobody would speak there any more.
    if (end.kind === "no_response") this.#parts.carrier.agent.settleLate(attempt.sip, attempt.record);
    this.#parts.onInput({ type: "attempt_ended", end });
  }

  get #ringTimeoutMs(): number {
    return this.#parts.dial.ringTimeoutMs ?? RING_TIMEOUT_DEFAULT_MS;
  }

  #ringLeftMs(): number {
    if (this.#ringUntilMs === null) return this.#ringTimeoutMs;
    return this.#ringUntilMs - this.#parts.carrier.clock.now();
  }

  #nowhere(): LegEnd {
    const reason = this.#noTrunk ?? this.#queue.obstacle ?? "No trunk is left to try.";
    return { type: "ended", cause: "unavailable", code: null, reason, by: "network" };
  }
}
