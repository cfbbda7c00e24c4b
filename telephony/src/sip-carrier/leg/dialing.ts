import type { Dial, LegEnd } from "../../carrier.ts";
import { canceledByUs } from "../../leg-end.ts";
import type { MediaTerms } from "../../sdp/media-terms.ts";
import { isRinging } from "../../sip/invite/invite-attempts.ts";
import type { InviteEvent } from "../../sip/invite/invite-events.ts";
import type { HeaderLine } from "../../sip/message/message.ts";
import type { Hop } from "../../sip/transport/sip-transport.ts";
import type { CarrierDeps } from "../carrier-deps.ts";
import { chooseTrunks, type TrunkChoice } from "../trunks/choose-trunks.ts";
import { judgeTrunk } from "../trunks/circuit-breaker.ts";
import { isMachineFailure } from "../trunks/may-fail-over.ts";
import type { Trunk } from "../trunks/trunk.ts";
import { type AttemptEnd, endOfCall, endOfFailure } from "./attempt-end.ts";
import { attemptDialId } from "./dial-identity.ts";
import type { LegInput } from "./leg-machine.ts";
import { type AttemptStart, type SentAttempt, startAttempt } from "./start-attempt.ts";

export interface DialingDeps {
  readonly carrier: CarrierDeps;
  readonly dial: Dial;
  readonly rtpPort: number;
  /** Aborted when the call is no longer wanted. */
  readonly signal: AbortSignal;
  readonly onInput: FollowingDeps["onInput"];
  readonly onCallEvent: FollowingDeps["onCallEvent"];
  readonly onTerms: (terms: MediaTerms, isFinal: boolean) => void;
}

/** The default ring timeout. */
const RING_TIMEOUT_DEFAULT_MS = 60_000;
/** The maximum number of requests for one dial, whatever is left to try. */
const ATTEMPTS_MAX = 6;

/** The requests of one leg, one after the other and each on its own trunk, as requested by the leg's machine. */
export class Dialing {
  readonly #deps: DialingDeps;
  readonly #queue: TrunkQueue;
  readonly #noTrunk: string | null;
  #attempt: FollowedAttempt | null = null;
  #requests = 0;
  #ringUntilMs: number | null = null;
  #lastEnd: LegEnd | null = null;

  constructor(deps: DialingDeps) {
    const { carrier, dial } = deps;
    const { agent, watches, random } = carrier;
    const healthOf = (trunkId: string) => watches.health(trunkId);
    const selection = { directory: carrier.directory(), healthOf, fraction: () => random.fraction() };
    const { choices: all, obstacle } = chooseTrunks(selection, dial);
    const choices = dial.trunkIds === undefined ? all : inOrder(all, dial.trunkIds);
    this.#deps = deps;
    this.#noTrunk = obstacle;
    this.#queue = new TrunkQueue({
      choices,
      resolve: ({ sip }) => agent.resolveTrunk(sip),
      admit: (trunkId) => watches.admit(trunkId),
      onNoAddress: (trunkId) => watches.note(trunkId, "trouble", "Its name leads to no address."),
    });
  }

  /** The pending request, or the call it became. */
  get current(): SentAttempt | null {
    return this.#attempt?.sent ?? null;
  }

  /** Sends the next request, or says that there is none. Rejects when the journal does and nothing was sent before. */
  async tryNext(after: AttemptEnd | null): Promise<void> {
    const { onInput, carrier } = this.#deps;
    try {
      for (let next = await this.#next(after); next !== null; next = await this.#next(null)) {
        if (await this.#send(next)) return;
      }
    } catch (error) {
      if (this.#requests === 0) throw error;
      carrier.reportError(error);
    }
    // Only an attempt that rang no phone is followed by another.
    onInput({ type: "gave_up", end: { ...(this.#lastEnd ?? this.#nowhere()), noPhoneRang: true } });
  }

  /** Asks the network to end the pending request. */
  hangUp(reason: string | null): void {
    const headers: readonly HeaderLine[] = reason === null ? [] : [["Reason", reason]];
    this.#attempt?.sent.client.hangup(headers).catch(this.#deps.carrier.reportError);
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
    const { carrier, dial } = this.#deps;
    const { cause, code, reason } = end;
    const { choice, sip, record, dialId } = attempt.sent;
    const { hasRung: rang, isAnswered: answered, end: said } = attempt;
    const outcome = { cause, code, reason };
    const trunkId = choice.trunk.id;
    if (!attempt.isReached) carrier.watches.note(trunkId, said === null ? "unclear" : judgeTrunk(said), reason);
    // A silent trunk may still ring or answer later; no one would be there to talk.
    if (said === null || !attempt.isHeard) carrier.agent.settleLate(sip, record);
    carrier.attemptEnded({ trunkId, callerId: choice.callerId, rang, answered, end: outcome });
    try {
      dial.journal?.noteEnd(dialId, outcome);
    } catch (error) {
      carrier.reportError(error);
    }
  }

  async #next(after: AttemptEnd | null): Promise<NextTry | null> {
    if (this.#requests >= ATTEMPTS_MAX || this.#ringLeftMs() <= 0) return null;
    return this.#queue.next(after);
  }

  /** True if the leg needs no further attempt: it is sent, or no longer wanted. */
  async #send({ choice, hop }: NextTry): Promise<boolean> {
    const { watches } = this.#deps.carrier;
    let start: AttemptStart | null = null;
    try {
      start = await this.#start({ choice, hop });
    } finally {
      if (start?.kind === "unreachable") watches.note(choice.trunk.id, "trouble", start.reason);
      // A test call that was never sent says nothing about the trunk.
      else if (start?.kind !== "sent") watches.note(choice.trunk.id, "unclear", "");
    }
    switch (start.kind) {
      case "sent":
        this.#follow(start.attempt);
        return true;
      case "unwanted":
        return true;
      case "stopped":
        this.#deps.onInput({
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
    const { carrier, dial, rtpPort, signal, onTerms } = this.#deps;
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
    const { onInput, onCallEvent, carrier } = this.#deps;
    this.#requests += 1;
    this.#ringUntilMs ??= carrier.clock.now() + this.#ringTimeoutMs;
    const onReached = () => carrier.watches.note(sent.choice.trunk.id, "fine", "");
    this.#attempt = new FollowedAttempt(sent, { onInput, onCallEvent, onReached });
    onInput({ type: "sent" });
  }

  get #ringTimeoutMs(): number {
    return this.#deps.dial.ringTimeoutMs ?? RING_TIMEOUT_DEFAULT_MS;
  }

  #ringLeftMs(): number {
    if (this.#ringUntilMs === null) return this.#ringTimeoutMs;
    return this.#ringUntilMs - this.#deps.carrier.clock.now();
  }

  #nowhere(): LegEnd {
    const reason = this.#noTrunk ?? this.#queue.obstacle ?? "No trunk is left to try.";
    return { type: "ended", cause: "unavailable", code: null, reason, by: "network" };
  }
}

function inOrder(choices: readonly TrunkChoice[], trunkIds: readonly string[]): readonly TrunkChoice[] {
  return trunkIds.flatMap((trunkId) => choices.find(({ trunk }) => trunk.id === trunkId) ?? []);
}

export interface FollowingDeps {
  readonly onInput: (input: LegInput) => void;
  /** Events from the far end within the call: keys, and the progress of a transfer. */
  readonly onCallEvent: (event: Extract<InviteEvent, { type: "info" | "transfer" }>) => void;
  /** The trunk got as far as a phone, for the first time. */
  readonly onReached: () => void;
}

/** Follows a sent request, and translates its events into those of the leg machine. */
export class FollowedAttempt {
  readonly sent: SentAttempt;
  readonly #deps: FollowingDeps;
  #isHeard = false;
  #hasRung = false;
  #isAnswered = false;
  #end: AttemptEnd | null = null;
  #isIgnored = false;

  constructor(sent: SentAttempt, deps: FollowingDeps) {
    this.sent = sent;
    this.#deps = deps;
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

  /** Ignores everything that still arrives for it. */
  ignore(): void {
    this.#isIgnored = true;
  }

  #hear(event: InviteEvent): void {
    const { onInput, onCallEvent } = this.#deps;
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
      case "early_media":
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
        return onCallEvent(event);
    }
  }

  #answered(sdp: string | null): void {
    const { onInput } = this.#deps;
    this.#reach();
    const decision = this.sent.negotiator.takeFinal(sdp);
    if (!decision.ok) return onInput({ type: "unusable_answer", reason: decision.reason });
    this.#isAnswered = true;
    onInput({ type: "answered" });
  }

  #reach(): void {
    if (!this.isReached) this.#deps.onReached();
  }

  #ended(end: AttemptEnd): void {
    this.#end = end;
    this.#isHeard ||= end.kind === "refused" || end.kind === "hung_up";
    this.#deps.onInput({ type: "attempt_ended", end });
  }
}

export interface TrunkQueueDeps {
  readonly choices: readonly TrunkChoice[];
  /** The machines of a trunk, best first. */
  readonly resolve: (trunk: Trunk) => Promise<readonly Hop[]>;
  /** Whether the trunk takes a call right now. */
  readonly admit: (trunkId: string) => boolean;
  /** The name of the trunk leads nowhere. */
  readonly onNoAddress: (trunkId: string) => void;
}

export interface NextTry {
  readonly choice: TrunkChoice;
  readonly hop: Hop;
}

/** More machines of one trunk are not tried: a callee waits. */
const HOPS_MAX = 3;

/** What is left to try for one dial, and in which order. */
export class TrunkQueue {
  readonly #deps: TrunkQueueDeps;
  readonly #choices: TrunkChoice[];
  #current: TrunkChoice | null = null;
  #hops: Hop[] = [];
  #obstacle: string | null = null;

  constructor(deps: TrunkQueueDeps) {
    this.#deps = deps;
    this.#choices = [...deps.choices];
  }

  /** Why the last skipped trunk was skipped, human-readable. */
  get obstacle(): string | null {
    return this.#obstacle;
  }

  /** After a machine that failed the next one of its trunk; else the next trunk. Null when there is none. */
  async next(after: AttemptEnd | null): Promise<NextTry | null> {
    const another = after !== null && isMachineFailure(after) ? this.#hops.shift() : undefined;
    if (another !== undefined && this.#current !== null && this.#deps.admit(this.#current.trunk.id)) {
      return { choice: this.#current, hop: another };
    }
    for (let choice = this.#choices.shift(); choice !== undefined; choice = this.#choices.shift()) {
      if (!this.#deps.admit(choice.trunk.id)) {
        this.passOver("Every trunk for this number is out of order.");
        continue;
      }
      const [hop, ...others] = (await this.#deps.resolve(choice.trunk)).slice(0, HOPS_MAX);
      if (hop === undefined) {
        this.#deps.onNoAddress(choice.trunk.id);
        this.passOver(`No address was found for ${choice.trunk.sip.host}.`);
        continue;
      }
      this.#current = choice;
      this.#hops = others;
      return { choice, hop };
    }
    return null;
  }

  passOver(obstacle: string): void {
    this.#obstacle = obstacle;
    this.#hops = [];
  }
}
