import type { Clock } from "@parley/time/clock";
import { type AgentCore, ALLOWED_METHODS } from "../agent-core.ts";
import type { InviteEnded, InviteEvent, MediaNegotiation } from "../invite/invite-events.ts";
import { buildResponse } from "../message/build-response.ts";
import { type HeaderLine, KNOWN_METHODS, type ReceivedRequest } from "../message/message.ts";
import { contentType, sdpOf } from "../message/read-headers.ts";
import { readReason } from "../message/reason-header.ts";
import type { ServerTransaction } from "../transaction/server-transaction.ts";
import { T1_MS, T2_MS, TRANSACTION_MAX_MS } from "../transaction/timer-values.ts";
import type { Hop } from "../transport/sip-transport.ts";
import { answerOffer, unknownDemands } from "./answer-offer.ts";
import type { DialogPeer } from "./dialog-peer.ts";
import { type ReOfferResult, reOffer } from "./re-offer.ts";
import { type SessionTerms, SessionTimer } from "./session-timer.ts";
import { TransferOut } from "./transfer-out.ts";

export interface ConfirmedCallDeps {
  readonly core: AgentCore;
  readonly peer: DialogPeer;
  readonly media: MediaNegotiation;
  /** The value of our Contact. */
  readonly contact: string;
  readonly terms: SessionTerms | null;
  readonly peerAllows: ReadonlySet<string>;
  /** Takes the events of the call; `ended` comes last and once. */
  readonly emit: (event: InviteEvent) => void;
}

/** After a refresh that was refused for no reason we understand. */
const REFRESH_AGAIN_MS = 10_000;
const NOTHING = () => undefined;

/**
 * An answered call, until its end:
 *
 * - talking: both ends may send requests.
 * - ending: our BYE is pending.
 * - ended: final. No timer is left.
 */
export class ConfirmedCall {
  readonly #deps: ConfirmedCallDeps;
  readonly #timer: SessionTimer;
  #state: "talking" | "ending" | "ended" = "talking";
  #stopOffer: (() => void) | null = null;
  #stopRepeating: (() => void) | null = null;
  #answerComesWithAck = false;
  readonly #transfer: TransferOut;
  #stopRetry: () => void = NOTHING;
  #canUpdate: boolean;
  #contact: string;
  /** Whether the peer has not been notified of our new Contact yet. */
  #hasMoved = false;

  constructor(deps: ConfirmedCallDeps) {
    this.#deps = deps;
    this.#contact = deps.contact;
    this.#canUpdate = deps.peerAllows.has("UPDATE");
    this.#transfer = new TransferOut({ ...deps, contact: () => this.#contact });
    this.#timer = new SessionTimer(deps.core.clock, {
      onRefresh: () => this.#refresh(),
      onExpired: () => this.#giveUp("the session timer ran out", false),
    });
    this.#timer.restart(deps.terms);
  }

  /** Sends BYE. `ended` comes when it was answered, or after 32 s. */
  hangup(headers: readonly HeaderLine[] = []): void {
    if (this.#state !== "talking") return;
    this.#state = "ending";
    this.#stopTimers();
    this.#deps.peer.send({ method: "BYE", headers }, (result) => {
      // Whatever the response is: RFC 3261 section 15.1.1 ends the dialog with it.
      this.#end({ by: "us", reason: "Normal Clearing", reasonHeader: null, isConfirmed: result.kind === "response" });
    });
  }

  /** Sends a new offer: hold, another codec, another address. */
  offer(sdp: string, onResult: (result: ReOfferResult) => void): void {
    if (this.#state !== "talking" || this.#stopOffer !== null || this.#stopRepeating !== null) {
      queueMicrotask(() => onResult({ kind: "refused", status: 491 }));
      return;
    }
    const deps = { ...this.#deps, contact: this.#contact, terms: this.#timer.terms };
    this.#stopOffer = reOffer(deps, "INVITE", sdp, (result) => {
      this.#stopOffer = null;
      if (result.kind === "accepted") {
        this.#timer.restart(result.terms);
        if (result.sdp !== null) this.#deps.media.acceptAnswer(result.sdp);
      }
      onResult(result);
      if (result.kind === "gone") this.#giveUp(result.reason, result.isForgotten);
    });
  }

  /** Our address has changed, and the peer is notified (RFC 3261 section 12.2.1.1, RFC 3311 section 5.1). */
  moveTo(contact: string): void {
    if (this.#state !== "talking" || contact === this.#contact) return;
    this.#contact = contact;
    this.#hasMoved = true;
    this.#refresh();
  }

  /** Asks the peer to call another party instead of us (RFC 3515). `transfer` events report the progress. */
  refer(target: string, headers: readonly HeaderLine[] = []): void {
    if (this.#state === "talking") this.#transfer.start(target, headers);
  }

  info(type: string, body: Buffer, onStatus: (status: number | null) => void): void {
    this.#deps.peer.send({ method: "INFO", headers: [["Content-Type", type]], body }, (result) => {
      onStatus(result.kind === "response" ? result.response.status : null);
    });
  }

  /** Takes a request of the peer that belongs to this dialog. */
  receive(request: ReceivedRequest, source: Hop): void {
    if (request.method === "ACK") this.#acknowledged(request);
    else {
      const transaction = this.#deps.core.layer.accept(request, source, (ack) => this.#acknowledged(ack));
      const status = this.#handle(transaction, request);
      if (status !== null)
        transaction.respond(buildResponse(request, status, { headers: headersFor(status, request) }));
    }
  }

  /** Forgets the call without notifying the peer. */
  abandon(): void {
    this.#state = "ended";
    this.#stopTimers();
  }

  /** The status to answer with, or null where the answer was sent. */
  #handle(transaction: ServerTransaction, request: ReceivedRequest): number | null {
    const { method } = request;
    // We answer everything immediately, so a CANCEL always comes too late and changes nothing.
    if (method === "CANCEL") return 200;
    if (!this.#deps.peer.take(request)) return 500;
    if (unknownDemands(request).length > 0) return 420;
    switch (method) {
      case "BYE":
        transaction.respond(buildResponse(request, 200));
        this.#end({ by: "peer", reason: "Normal Clearing", reasonHeader: readReason(request), isConfirmed: true });
        return null;
      case "INVITE":
      case "UPDATE":
        return this.#answer(transaction, request);
      case "INFO":
        this.#deps.emit({ type: "info", contentType: contentType(request), body: request.body });
        return 200;
      case "OPTIONS":
        return 200;
      case "NOTIFY":
        return this.#transfer.notified(request);
      case "PRACK":
        return 481;
      case "REFER":
        return 603;
      default:
        return KNOWN_METHODS.has(method) ? 405 : 501;
    }
  }

  #answer(transaction: ServerTransaction, request: ReceivedRequest): number | null {
    // RFC 3261 section 14.2 and RFC 3311 section 5.2: two concurrent offers are not allowed.
    const isOffer = request.method === "INVITE" || sdpOf(request) !== null;
    if (this.#state !== "talking") return 481;
    if (isOffer && (this.#stopOffer !== null || this.#stopRepeating !== null)) return 491;
    const { response, terms, offersInAnswer } = answerOffer(request, this.#deps.media, this.#contact);
    if (response.status >= 300 || request.method === "UPDATE") transaction.respond(response);
    else {
      this.#answerComesWithAck = offersInAnswer;
      this.#stopRepeating = repeatAnswer(
        this.#deps.core.clock,
        () => transaction.respond(response),
        () => this.#giveUp("our answer was never acknowledged", false),
      );
    }
    if (response.status < 300) this.#timer.restart(terms ?? this.#timer.terms);
    return null;
  }

  #acknowledged(ack: ReceivedRequest): void {
    if (this.#stopRepeating === null) return;
    this.#stopRepeating();
    this.#stopRepeating = null;
    const sdp = sdpOf(ack);
    if (this.#answerComesWithAck && sdp !== null) this.#deps.media.acceptAnswer(sdp);
  }

  /** RFC 4028 section 7.4: an UPDATE where the peer knows it, because it does not affect audio; else an INVITE. */
  #refresh(): void {
    if (this.#state !== "talking") return;
    if (this.#stopOffer !== null || this.#stopRepeating !== null) {
      // The pending request refreshes the call as well; check again soon.
      this.#retryRefresh();
      return;
    }
    const method = this.#canUpdate ? "UPDATE" : "INVITE";
    const offer = method === "UPDATE" ? null : this.#deps.media.currentOffer();
    const terms = this.#timer.terms;
    const contact = this.#contact;
    this.#stopOffer = reOffer({ ...this.#deps, contact, terms }, method, offer, (result) => {
      this.#stopOffer = null;
      if (result.kind === "accepted") {
        if (contact === this.#contact) this.#hasMoved = false;
        this.#timer.restart(result.terms);
        if (offer !== null && result.sdp !== null) this.#deps.media.acceptAnswer(result.sdp);
      } else if (result.kind === "gone") this.#giveUp(result.reason, result.isForgotten);
      else if (method === "UPDATE" && result.kind === "refused" && [405, 501].includes(result.status)) {
        this.#canUpdate = false;
        this.#refresh();
      } else if (terms?.isAgreed || this.#hasMoved) this.#retryRefresh();
      // A refusal shows that the peer is alive, which is all we need.
      else this.#timer.restart();
    });
  }

  #retryRefresh(): void {
    this.#stopRetry();
    this.#stopRetry = this.#deps.core.clock.setTimer(REFRESH_AGAIN_MS, () => this.#refresh());
  }

  /** The call has ended for us. The peer is notified unless it no longer knows the call. */
  #giveUp(reason: string, isForgotten: boolean): void {
    if (this.#state !== "talking") return;
    if (!isForgotten) this.#deps.peer.send({ method: "BYE" }, NOTHING);
    this.#end({ by: "network", reason, reasonHeader: null, isConfirmed: isForgotten });
  }

  #end(end: Omit<InviteEnded, "type">): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    this.#stopTimers();
    this.#deps.emit({ type: "ended", ...end });
  }

  #stopTimers(): void {
    this.#timer.stop();
    this.#stopRetry();
    this.#stopOffer?.();
    this.#stopRepeating?.();
    this.#transfer.stop();
    this.#stopOffer = null;
    this.#stopRepeating = null;
  }
}

function headersFor(status: number, request: ReceivedRequest): readonly HeaderLine[] {
  if (status === 405 || (status === 200 && request.method === "OPTIONS")) return [["Allow", ALLOWED_METHODS]];
  if (status === 420) return [["Unsupported", unknownDemands(request).join(", ")]];
  if (status === 489) return [["Allow-Events", "refer"]];
  return [];
}

/**
 * RFC 3261 section 13.3.1.4: a 2xx to an INVITE is sent again and again until its ACK comes, on every transport, because
 * only the two ends can repair its loss. Returns the function that stops it.
 */
function repeatAnswer(clock: Clock, send: () => void, onGivenUp: () => void): () => void {
  let repeatAfterMs = T1_MS;
  let cancelRepeat: () => void = () => undefined;
  const cancelGivingUp = clock.setTimer(TRANSACTION_MAX_MS, () => {
    cancelRepeat();
    onGivenUp();
  });

  function again(): void {
    cancelRepeat = clock.setTimer(repeatAfterMs, () => {
      repeatAfterMs = Math.min(repeatAfterMs * 2, T2_MS);
      send();
      again();
    });
  }

  send();
  again();
  return () => {
    cancelRepeat();
    cancelGivingUp();
  };
}
