import type { AgentCore } from "../agent-core.ts";
import { answerOffer } from "../dialog/answer-offer.ts";
import { ConfirmedCall } from "../dialog/confirmed-call.ts";
import { dialogFromResponse } from "../dialog/dialog.ts";
import type { DialogRecord, InviteRecord } from "../dialog/dialog-record.ts";
import type { ReOfferResult } from "../dialog/re-offer.ts";
import { termsFromAnswer } from "../dialog/session-timer.ts";
import { buildResponse } from "../message/build-response.ts";
import type { HeaderLine, ReceivedRequest, ReceivedResponse, SipRequest } from "../message/message.ts";
import { cseqNumberOf, header, headerNumber, headerTokens, sdpOf } from "../message/read-headers.ts";
import { readReason } from "../message/reason-header.ts";
import type { Flow, Hop, TransportKind } from "../transport/sip-transport.ts";
import {
  buildInvite,
  contactOf,
  contactPlace,
  type InviteIdentity,
  type InviteOrder,
  MIN_SESSION_EXPIRES_S,
} from "./build-invite.ts";
import { InviteAttempts, type InviteOutcome } from "./invite-attempts.ts";
import type { FailureOrigin, InviteEvent, InviteFailed, MediaNegotiation } from "./invite-events.ts";
import { type InviteLeg, InviteLegs } from "./invite-legs.ts";

export interface InviteClientDeps {
  readonly core: AgentCore;
  readonly order: InviteOrder;
  readonly identity: InviteIdentity;
  readonly record: InviteRecord;
  readonly media: MediaNegotiation;
  /** The ring timeout, after which it is cancelled. */
  readonly ringTimeoutMs: number;
  /** Records the dialog. Only then is the answer acknowledged, so that every acknowledged call is known. */
  readonly commitAnswer: (record: DialogRecord) => Promise<void>;
  readonly onClosed: () => void;
}

/** An answer that is not acknowledged is dropped by the peer after 32 s; writing it down may take a part of that. */
const COMMIT_MAX_MS = 20_000;
/** A restarting trunk needs time; the call continues meanwhile. */
const RECONNECT_AFTER_MS = 2_000;
const RECONNECTIONS_MAX = 30;
const NOTHING = () => undefined;

/** Why we end the call ourselves before it is established. */
type LocalEnd = Extract<FailureOrigin, "canceled" | "no_answer" | "commit">;

/**
 * A call we place:
 *
 * - inviting: the INVITE is pending or it rings; perhaps we already want it to end.
 * - committing: it was answered, which is being written down; then it is acknowledged.
 * - talking: answered and acknowledged; ConfirmedCall has it.
 * - ended: final.
 */
export class InviteClient {
  readonly record: InviteRecord;
  readonly #deps: InviteClientDeps;
  readonly #events: EventQueue<InviteEvent>;
  readonly #attempts: InviteAttempts;
  readonly #legs: InviteLegs;
  readonly #whenEnded: Promise<void>;
  #resolveEnded: () => void = NOTHING;
  #state: "inviting" | "committing" | "talking" | "ended" = "inviting";
  #localEnd: LocalEnd | null = null;
  #chosen: InviteLeg | null = null;
  #call: ConfirmedCall | null = null;
  #inviteCSeq = 0;
  #hasTried = false;
  #earlySdp: string | null = null;
  /** Our end of the connection that Contact names. */
  #flow: Flow | null = null;
  #stopTimer: () => void = NOTHING;

  constructor(deps: InviteClientDeps) {
    this.#deps = deps;
    this.record = deps.record;
    this.#events = new EventQueue(deps.core.reportError);
    this.#whenEnded = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    const { trunk } = deps.order;
    this.#legs = new InviteLegs({
      core: deps.core,
      trunk,
      firstHop: deps.record.hop,
      auth: () => this.#attempts.auth,
    });
    this.#attempts = new InviteAttempts({
      core: deps.core,
      hop: deps.record.hop,
      sentBy: deps.record.sentBy,
      branchBase: deps.record.branchBase,
      credentials: trunk.credentials,
      noResponseMs: trunk.noResponseMs,
      firstVariation: {
        cseqNumber: 1,
        sessionExpiresS: trunk.sessionExpiresS,
        minSessionExpiresS: MIN_SESSION_EXPIRES_S,
      },
      build: (variation, flow) => buildInvite(deps.core, deps.order, this.#identityOn(flow), variation),
      onProvisional: (response, invite) => this.#onProvisional(response, invite),
      onAnswer: (response, invite) => this.#onAnswer(response, invite),
      onLateAnswer: (response, invite) => this.#onLateAnswer(response, invite),
      onOutcome: (outcome) => this.#onOutcome(outcome),
    });
  }

  start(): void {
    this.#stopTimer = this.#deps.core.clock.setTimer(this.#deps.ringTimeoutMs, () => this.#endLocally("no_answer"));
    this.#attempts.send();
  }

  /** One listener. What happened before it listens is kept for it. */
  onEvent(listener: (event: InviteEvent) => void): void {
    this.#events.listen(listener);
  }

  /** Cancels or hangs up. Resolves with the end, at most 32 s later, and never rejects. */
  hangup(headers: readonly HeaderLine[] = []): Promise<void> {
    if (this.#call !== null) this.#call.hangup(headers);
    else this.#endLocally("canceled");
    return this.#whenEnded;
  }

  /** Offers another description inside the call. */
  offer(sdp: string): Promise<ReOfferResult> {
    return new Promise((resolve) => {
      if (this.#call === null) resolve({ kind: "refused", status: 491 });
      else this.#call.offer(sdp, resolve);
    });
  }

  /** Asks the peer to call `target`, a URI, instead of us. `transfer` events report the progress. */
  refer(target: string, headers: readonly HeaderLine[] = []): void {
    this.#call?.refer(target, headers);
  }

  /** The status of the answer, or null when there was none. */
  info(type: string, body: Buffer): Promise<number | null> {
    return new Promise((resolve) => {
      if (this.#call === null) resolve(null);
      else this.#call.info(type, body, resolve);
    });
  }

  /** Takes a request that bears our Call-ID. False when it belongs to none of its dialogs. */
  receive(request: ReceivedRequest, source: Hop): boolean {
    const leg = this.#legs.find(request);
    if (leg === null) return false;
    if (leg === this.#chosen && this.#call !== null) this.#call.receive(request, source);
    else {
      const isOver = answerEarly({ core: this.#deps.core, leg, media: this.#deps.media, request, source });
      if (isOver && leg === this.#chosen) {
        leg.acknowledge(this.#inviteCSeq);
        this.#fail({ status: null, reason: "the peer hung up", origin: "peer", reasonHeader: readReason(request) });
      }
    }
    return true;
  }

  /**
   * A connection broke. Where it is the one that our Contact names, the other end could not reach us any more: another one is
   * opened, and the far end is notified (RFC 3261 section 12.2.1.1).
   */
  flowLost(transport: TransportKind, { host, port }: Flow): void {
    const { hop } = this.record;
    if (hop.transport !== transport || this.#flow?.host !== host || this.#flow.port !== port) return;
    this.#reconnect(RECONNECTIONS_MAX);
  }

  #reconnect(triesLeft: number): void {
    const { core, order } = this.#deps;
    const call = this.#call;
    if (this.#state !== "talking" || call === null || order.trunk.listensForTrunk || triesLeft === 0) return;
    core.layer.withFlow(
      this.record.hop,
      (flow) => {
        this.#flow = flow;
        call.moveTo(contactOf(order, this.#identityOn(flow)));
      },
      () => {
        this.#stopTimer();
        this.#stopTimer = core.clock.setTimer(RECONNECT_AFTER_MS, () => this.#reconnect(triesLeft - 1));
      },
    );
  }

  /** The part of our identity that the peer is sent when the INVITE uses this connection. */
  #identityOn(flow: Flow | null): InviteIdentity {
    const { identity, order } = this.#deps;
    const { contactHost, contactPort } = identity;
    const { host, port, isFlow } = contactPlace(order.trunk, { host: contactHost, port: contactPort }, flow);
    return { ...identity, contactHost: host, contactPort: port, isContactFlow: isFlow };
  }

  /** Forgets the call without notifying the peer. */
  abandon(): void {
    this.#attempts.abandon();
    this.#call?.abandon();
    if (this.#state !== "ended") this.#close();
  }

  #onProvisional(response: ReceivedResponse, invite: SipRequest): void {
    if (this.#state !== "inviting") return;
    const leg = this.#legs.of(response, invite);
    if (leg?.ring(response) === false || this.#localEnd !== null) return;
    const { status, reason } = response;
    if (status === 100) {
      if (!this.#hasTried) this.#events.emit({ type: "trying" });
      this.#hasTried = true;
      return;
    }
    const sdp = sdpOf(response);
    this.#events.emit({ type: "provisional", status, reason, sdp });
    if (sdp !== null && sdp !== this.#earlySdp) this.#events.emit({ type: "early_media", sdp });
    this.#earlySdp = sdp ?? this.#earlySdp;
  }

  #onAnswer(response: ReceivedResponse, invite: SipRequest): void {
    const leg = this.#legs.of(response, invite);
    if (leg === null) {
      // Without a dialog there is nothing to acknowledge; unless another phone has answered, the call must end nevertheless.
      if (this.#chosen === null)
        this.#fail({ ...refusalOf(response), origin: this.#localEnd ?? "peer", reason: "the answer makes no dialog" });
      return;
    }
    if (leg.isAcknowledged) leg.acknowledge();
    else if (this.#chosen === null) this.#choose(leg, response, invite);
    // RFC 3261 section 13.2.2.4: another phone answered too. It is sent a BYE.
    else if (leg !== this.#chosen) this.#dismiss(leg, cseqNumberOf(invite) ?? 0, NOTHING);
  }

  /**
   * A sending that was refused is answered after all, as when a proxy was too quick to refuse for one of several phones.
   * RFC 3261 section 13.2.2.4: every 2xx is acknowledged, and an unwanted one is ended.
   */
  #onLateAnswer(response: ReceivedResponse, invite: SipRequest): void {
    const leg = this.#legs.of(response, invite);
    if (leg === null) return;
    if (leg.isAcknowledged) leg.acknowledge();
    else this.#dismiss(leg, cseqNumberOf(invite) ?? 0, NOTHING);
  }

  #choose(leg: InviteLeg, response: ReceivedResponse, invite: SipRequest): void {
    this.#stopTimer();
    this.#chosen = leg;
    this.#inviteCSeq = cseqNumberOf(invite) ?? 0;
    const dialog = dialogFromResponse(invite, response);
    if (dialog !== null) leg.peer.confirm(dialog);
    leg.answer(response);
    if (this.#localEnd !== null) {
      this.#giveBack(leg);
      return;
    }
    this.#state = "committing";
    const { core, commitAnswer, record } = this.#deps;
    this.#stopTimer = core.clock.setTimer(COMMIT_MAX_MS, () => this.#endLocally("commit"));
    const answered: DialogRecord = {
      kind: "dialog",
      dialog: leg.peer.dialog,
      inviteCSeq: this.#inviteCSeq,
      hop: record.hop,
    };
    commitAnswer(answered).then(
      () => this.#proceed(leg, response, header(invite, "Contact") ?? ""),
      (error: unknown) => {
        core.reportError(error);
        this.#endLocally("commit");
      },
    );
  }

  #proceed(leg: InviteLeg, response: ReceivedResponse, contact: string): void {
    if (this.#state !== "committing") return;
    this.#stopTimer();
    this.#state = "talking";
    this.#flow = this.#attempts.flow;
    leg.acknowledge(this.#inviteCSeq);
    this.#call = new ConfirmedCall({
      core: this.#deps.core,
      peer: leg.peer,
      media: this.#deps.media,
      contact,
      terms: termsFromAnswer(response, this.#deps.order.trunk.sessionExpiresS),
      peerAllows: headerTokens(response, "Allow"),
      emit: (event) => this.#emit(event),
    });
    this.#events.emit({ type: "answered", sdp: leg.sdp });
  }

  #endLocally(cause: LocalEnd): void {
    if (this.#state === "inviting") {
      this.#localEnd ??= cause;
      this.#stopTimer();
      this.#attempts.cancel();
    } else if (this.#state === "committing" && this.#chosen !== null && this.#localEnd === null) {
      this.#localEnd = cause;
      this.#giveBack(this.#chosen);
    }
  }

  /** An answer we do not want: RFC 3261 section 15 says that it is acknowledged and then ended. */
  #giveBack(leg: InviteLeg): void {
    this.#stopTimer();
    this.#state = "inviting";
    this.#dismiss(leg, this.#inviteCSeq, () => {
      this.#fail({ status: null, reason: "the answer came too late", origin: this.#localEnd ?? "canceled" });
    });
  }

  #dismiss(leg: InviteLeg, inviteCSeq: number, onDone: () => void): void {
    leg.acknowledge(inviteCSeq);
    leg.peer.send({ method: "BYE" }, onDone);
  }

  #onOutcome(outcome: InviteOutcome): void {
    if (this.#state !== "inviting" || this.#chosen !== null) return;
    const isUnheard = outcome.kind === "timeout" || outcome.kind === "transport";
    // A trunk that never responded did not ring a phone, however long we were ready to wait.
    if (this.#localEnd !== null && !(this.#localEnd === "no_answer" && isUnheard)) {
      const said = outcome.kind === "refused" ? refusalOf(outcome.response) : { status: null, reason: "" };
      this.#fail({ ...said, origin: this.#localEnd });
    } else if (outcome.kind === "refused")
      this.#fail({ ...refusalOf(outcome.response), unanswered: outcome.unanswered, origin: "peer" });
    else if (outcome.kind === "transport") this.#fail({ status: null, reason: outcome.reason, origin: "transport" });
    else {
      const { noResponseMs } = this.#deps.order.trunk;
      this.#fail({ status: null, reason: `No response within ${noResponseMs} ms`, origin: "timeout" });
    }
  }

  #fail(failure: Pick<InviteFailed, "status" | "reason" | "origin"> & Partial<InviteFailed>): void {
    if (this.#state === "ended") return;
    this.#emit({ reasonHeader: null, retryAfterS: null, unanswered: null, ...failure, type: "failed" });
  }

  #emit(event: InviteEvent): void {
    this.#events.emit(event);
    if (event.type === "failed" || event.type === "ended") this.#close();
  }

  #close(): void {
    this.#state = "ended";
    this.#stopTimer();
    this.#deps.onClosed();
    this.#resolveEnded();
  }
}

function refusalOf(response: ReceivedResponse): Omit<InviteFailed, "type" | "origin" | "unanswered"> {
  const { status, reason } = response;
  return { status, reason, reasonHeader: readReason(response), retryAfterS: headerNumber(response, "Retry-After") };
}

interface EarlyRequest {
  readonly core: AgentCore;
  readonly leg: InviteLeg;
  readonly media: MediaNegotiation;
  readonly request: ReceivedRequest;
  readonly source: Hop;
}

/** Answers a request of a peer that rings, or whose answer we have not acknowledged. True when it hung up. */
function answerEarly({ core, leg, media, request, source }: EarlyRequest): boolean {
  if (request.method === "ACK") return false;
  const transaction = core.layer.accept(request, source);
  const respond = (status: number) => transaction.respond(buildResponse(request, status));
  if (!leg.peer.take(request)) respond(500);
  else if (request.method === "UPDATE") {
    // RFC 3311 section 5.2: while our own offer has no answer there is no room for another.
    if (sdpOf(request) !== null && !leg.hasReliableSdp) respond(491);
    else transaction.respond(answerOffer(request, media, ownContact(request)).response);
  } else if (["BYE", "INFO", "OPTIONS"].includes(request.method)) respond(200);
  // RFC 3261 section 14.2: an INVITE must wait until the first one is settled.
  else respond(request.method === "INVITE" ? 491 : 481);
  return request.method === "BYE";
}

/** The peer addressed us by the Contact it knows. */
function ownContact(request: ReceivedRequest): string {
  return `<${request.uri}>`;
}

/**
 * Events for one listener, in order. What happens before it listens is kept for it. Delivery is always in a microtask of
 * its own, so that a listener may act on what it hears without meeting a half-finished step.
 */
export class EventQueue<Event> {
  readonly #reportError: (error: unknown) => void;
  readonly #waiting: Event[] = [];
  #listener: ((event: Event) => void) | null = null;
  #isScheduled = false;

  constructor(reportError: (error: unknown) => void) {
    this.#reportError = reportError;
  }

  emit(event: Event): void {
    this.#waiting.push(event);
    this.#schedule();
  }

  listen(listener: (event: Event) => void): void {
    this.#listener = listener;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#listener === null || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#isScheduled = false;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      try {
        this.#listener?.(event);
      } catch (error) {
        this.#reportError(error);
      }
    }
  }
}
