import type { Dial, LegEnd } from "../carrier.ts";
import { canceledByUs } from "../leg-end.ts";
import type { MediaTerms } from "../sdp/media-terms.ts";
import type { HeaderLine } from "../sip/message.ts";
import type { AttemptEnd } from "./attempt-end.ts";
import type { CarrierParts } from "./carrier-parts.ts";
import { chooseTrunks } from "./choose-trunks.ts";
import { judgeTrunk } from "./circuit-breaker.ts";
import { attemptDialId } from "./dial-identity.ts";
import { FollowedAttempt, type FollowingParts } from "./followed-attempt.ts";
import { type AttemptStart, type SentAttempt, startAttempt } from "./start-attempt.ts";
import { type NextTry, TrunkQueue } from "./trunk-queue.ts";

export interface DialingParts {
  readonly carrier: CarrierParts;
  readonly dial: Dial;
  readonly rtpPort: number;
  /** Aborted when nobody wants the call any more. */
  readonly signal: AbortSignal;
  readonly onInput: FollowingParts["onInput"];
  readonly onTold: FollowingParts["onTold"];
  readonly onTerms: (terms: MediaTerms, isFinal: boolean) => void;
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
    return this.#attempt?.sent ?? null;
  }

  /** Sends the next request, or says that there is none. Rejects when the journal does and nothing was sent before. */
  async tryNext(after: AttemptEnd | null): Promise<void> {
    const { onInput, carrier } = this.#parts;
    try {
      for (let next = await this.#next(after); next !== null; next = await this.#next(null)) {
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
    this.#attempt?.sent.client.hangup(headers).catch(this.#parts.carrier.reportError);
  }

  /** Stops waiting for the network. */
  abandon(): void {
    this.#attempt?.sent.client.abandon();
  }

  /** Writes down how the request ended, once. */
  noteEnd(end: LegEnd): void {
    const attempt = this.#attempt;
    if (attempt === null) return;
    attempt.ignore();
    this.#attempt = null;
    this.#lastEnd = end;
    const { carrier, dial } = this.#parts;
    const { cause, code, reason } = end;
    const { choice, sip, record, dialId } = attempt.sent;
    const { hasRung: rang, isAnswered: answered, end: said } = attempt;
    const told = { cause, code, reason };
    const trunkId = choice.trunk.id;
    if (!attempt.isReached) carrier.watches.note(trunkId, said === null ? "unclear" : judgeTrunk(said), reason);
    // Whoever was silent may yet ring or answer; nobody would speak there any more.
    if (said === null || !attempt.isHeard) carrier.agent.settleLate(sip, record);
    carrier.attemptEnded({ trunkId, callerId: choice.callerId, rang, answered, end: told });
    try {
      dial.journal?.noteEnd(dialId, told);
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
      if (start?.kind === "unreachable") watches.note(choice.trunk.id, "trouble", start.reason);
      // A trial that never left tells nothing about the trunk.
      else if (start?.kind !== "sent") watches.note(choice.trunk.id, "unclear", "");
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
          end: canceledByUs("The call may not be dialed any more."),
        });
        return true;
      case "full":
        this.#queue.passOver("Every trunk that may carry this call has all its channels in use.");
        return false;
      case "not_sent":
      case "unreachable":
        this.#queue.passOver(start.reason);
        return false;
    }
  }

  async #start({ choice, hop }: NextTry): Promise<AttemptStart> {
    const { carrier, dial, rtpPort, signal, onTerms } = this.#parts;
    if (signal.aborted) return { kind: "unwanted" };
    const addressed = await carrier.addressTrunk(choice.trunk, hop).catch(() => null);
    if (addressed === null) {
      const reason = `No way leads to ${hop.address}.`;
      return { kind: "unreachable", reason };
    }
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
    const { onInput, onTold, carrier } = this.#parts;
    this.#requests += 1;
    this.#ringUntilMs ??= carrier.clock.now() + this.#ringTimeoutMs;
    const onReached = () => carrier.watches.note(sent.choice.trunk.id, "fine", "");
    this.#attempt = new FollowedAttempt(sent, { onInput, onTold, onReached });
    onInput({ type: "sent" });
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
