import type { AgentCore } from "../agent-core.ts";
import {
  type AuthState,
  authenticate,
  forNextRequest,
  NOT_CHALLENGED,
  takeChallenge,
  type UnansweredChallenge,
  whyUnanswered,
} from "../authentication/authenticate.ts";
import type { Credentials } from "../authentication/digest.ts";
import { writeCSeq } from "../message/cseq.ts";
import { NO_BODY, type ReceivedResponse, type SipRequest } from "../message/message.ts";
import { headerNumber } from "../message/read-headers.ts";
import type { ClientTransaction } from "../transaction/client-transaction.ts";
import { TRANSACTION_MAX_MS } from "../transaction/timer-values.ts";
import type { Flow, Hop } from "../transport/sip-transport.ts";
import type { InviteVariation } from "./build-invite.ts";

/** Sendings of one INVITE: the first, two challenges, a stale nonce or an interval too small. */
export const INVITE_SENDINGS_MAX = 5;

export type InviteOutcome =
  | {
      readonly kind: "refused";
      readonly response: ReceivedResponse;
      /** Why a challenge was not answered; null when it was, or when there was none. */
      readonly unanswered: UnansweredChallenge | null;
    }
  /** Not a single response came to the last sending. */
  | { readonly kind: "timeout" }
  | { readonly kind: "transport"; readonly reason: string }
  /** We cancelled, and no final response arrived in time. */
  | { readonly kind: "silent" };

export interface InviteAttemptsDeps {
  readonly core: AgentCore;
  readonly hop: Hop;
  readonly sentBy: string;
  readonly branchBase: string;
  readonly credentials: Credentials | null;
  /** How long each sending may stay without any response. */
  readonly noResponseMs: number;
  /** `flow` is our end of the connection it goes by, null where there is none. */
  readonly build: (variation: InviteVariation, flow: Flow | null) => SipRequest;
  readonly firstVariation: InviteVariation;
  readonly onProvisional: (response: ReceivedResponse, invite: SipRequest) => void;
  /** Every 2xx: the first, its repetitions, and those of other forks. */
  readonly onAnswer: (response: ReceivedResponse, invite: SipRequest) => void;
  /** Every 2xx to a sending that was refused before. */
  readonly onLateAnswer: (response: ReceivedResponse, invite: SipRequest) => void;
  /** Called once, unless there was a 2xx. */
  readonly onOutcome: (outcome: InviteOutcome) => void;
}

/** The branch of the n-th sending, which another process can name as well (see InviteRecord). */
export function branchOfSending(branchBase: string, cseqNumber: number): string {
  return `${branchBase}-${cseqNumber}`;
}

/**
 * One INVITE until its end: sent again with a higher CSeq when it is challenged or its session interval is too small, and
 * cancelled when it is no longer wanted.
 */
export class InviteAttempts {
  readonly #deps: InviteAttemptsDeps;
  #variation: InviteVariation;
  #auth: AuthState = NOT_CHALLENGED;
  #sent: SipRequest | null = null;
  #transaction: ClientTransaction | null = null;
  #hasProvisional = false;
  #hasRung = false;
  #wantsCancel = false;
  #stopWaiting: () => void = () => undefined;
  #stopSilence: () => void = () => undefined;
  #stopConnecting: () => void = () => undefined;
  #isConnecting = false;
  #flow: Flow | null = null;

  constructor(deps: InviteAttemptsDeps) {
    this.#deps = deps;
    this.#variation = deps.firstVariation;
  }

  /** For the requests that follow in the dialog. */
  get auth(): AuthState {
    return forNextRequest(this.#auth);
  }

  /** Our end of the connection of the last sending. */
  get flow(): Flow | null {
    return this.#flow;
  }

  send(): void {
    const { core, hop, onOutcome } = this.#deps;
    this.#hasProvisional = false;
    this.#watchSilence();
    this.#isConnecting = true;
    this.#stopConnecting = core.layer.withFlow(
      hop,
      (flow) => this.#sendBy(flow),
      (reason) => {
        this.#isConnecting = false;
        this.#stopSilence();
        onOutcome({ kind: "transport", reason });
      },
    );
  }

  #sendBy(flow: Flow | null): void {
    const { core, hop, sentBy, credentials, build } = this.#deps;
    this.#isConnecting = false;
    this.#flow = flow;
    const { request, state } = authenticate(build(this.#variation, flow), this.#auth, credentials, core.random);
    this.#auth = state;
    this.#sent = request;
    let isRefused = false;
    this.#transaction = core.layer.request(
      request,
      hop,
      {
        onResponse: (response) => {
          if (isRefused) this.#deps.onLateAnswer(response, request);
          else {
            isRefused = response.status >= 300;
            this.#onResponse(response, request);
          }
        },
        onFailure: (failure) => {
          this.#stopSilence();
          this.#deps.onOutcome(failure);
        },
      },
      { branch: branchOfSending(this.#deps.branchBase, this.#variation.cseqNumber), sentBy },
    );
  }

  /**
   * RFC 3261 section 9.1: a CANCEL may leave only after a provisional response; before, it waits for one. What comes in
   * the end is a 487, an answer that crossed it, or nothing.
   */
  cancel(): void {
    if (this.#wantsCancel) return;
    this.#wantsCancel = true;
    if (this.#hasProvisional) this.#sendCancel();
    else if (this.#isConnecting) {
      // It waits for a connection, so there is nothing to cancel.
      this.#stopConnecting();
      this.#stopSilence();
      this.#deps.onOutcome({ kind: "silent" });
    }
  }

  /** Forgets the INVITE and all its later responses. */
  abandon(): void {
    this.#stopWaiting();
    this.#stopSilence();
    this.#stopConnecting();
    this.#transaction?.abandon();
  }

  /**
   * A silent trunk is abandoned long before timer B of RFC 3261 section 17.1.1.2. The INVITE is not sent again
   * then; later responses belong to no transaction any more, and the caller that gave up must end it.
   */
  #watchSilence(): void {
    const { core, noResponseMs } = this.#deps;
    this.#stopSilence();
    this.#stopSilence = core.clock.setTimer(noResponseMs, () => {
      this.#stopConnecting();
      this.#transaction?.abandon();
      this.#deps.onOutcome({ kind: "timeout" });
    });
  }

  #onResponse(response: ReceivedResponse, request: SipRequest): void {
    this.#stopSilence();
    if (response.status < 200) this.#onProvisional(response, request);
    else {
      this.#stopWaiting();
      if (response.status < 300) this.#deps.onAnswer(response, request);
      else if (!this.#sendAgain(response))
        this.#deps.onOutcome({ kind: "refused", response, unanswered: this.#unanswered(response) });
    }
  }

  #onProvisional(response: ReceivedResponse, request: SipRequest): void {
    const isFirst = !this.#hasProvisional;
    this.#hasProvisional = true;
    this.#hasRung ||= isRinging(response.status);
    this.#deps.onProvisional(response, request);
    if (isFirst && this.#wantsCancel) this.#sendCancel();
  }

  #sendAgain(response: ReceivedResponse): boolean {
    const { cseqNumber, sessionExpiresS } = this.#variation;
    // Another INVITE could ring a phone that already rang, whatever its purpose.
    if (this.#wantsCancel || this.#hasRung || cseqNumber >= INVITE_SENDINGS_MAX) return false;
    const next = { ...this.#variation, cseqNumber: cseqNumber + 1 };
    if (response.status === 401 || response.status === 407) {
      const auth = this.#deps.credentials === null ? null : takeChallenge(this.#auth, response);
      if (auth === null) return false;
      this.#auth = auth;
    } else if (response.status === 422 && sessionExpiresS !== null) {
      // RFC 4028 section 7.4: try again with the interval the peer can live with.
      const minS = headerNumber(response, "Min-SE") ?? 0;
      if (minS <= sessionExpiresS || minS > 86_400) return false;
      Object.assign(next, { sessionExpiresS: minS, minSessionExpiresS: minS });
    } else return false;
    this.#variation = next;
    this.send();
    return true;
  }

  /** After it rang no challenge is answered. */
  #unanswered(response: ReceivedResponse): UnansweredChallenge | null {
    const why = whyUnanswered(this.#auth, response, this.#deps.credentials);
    return why === "not_supported" && this.#hasRung ? "phone_rang" : why;
  }

  #sendCancel(): void {
    const { core, hop, sentBy, branchBase } = this.#deps;
    if (this.#sent === null) return;
    const branch = branchOfSending(branchBase, this.#variation.cseqNumber);
    const ignore = () => undefined;
    core.layer.request(
      buildCancel(this.#sent, this.#variation.cseqNumber),
      hop,
      { onResponse: ignore, onFailure: ignore },
      { branch, sentBy },
    );
    // RFC 3261 section 9.1: without a final response in 64*T1 the INVITE counts as cancelled.
    this.#stopWaiting = core.clock.setTimer(TRANSACTION_MAX_MS, () => {
      this.#transaction?.abandon();
      this.#deps.onOutcome({ kind: "silent" });
    });
  }
}

/** RFC 3261 section 21.1: of the provisional responses those from 180 to 189 say that a phone may ring. */
export function isRinging(status: number): boolean {
  return status >= 180 && status <= 189;
}

/** RFC 3261 section 9.1: Request-URI, Call-ID, To, From, Route and the CSeq number are those of the INVITE. */
export function buildCancel(invite: SipRequest, cseqNumber: number): SipRequest {
  const kept = invite.headers.filter(([name]) => ["Route", "Max-Forwards", "From", "To", "Call-ID"].includes(name));
  const cseq = ["CSeq", writeCSeq({ number: cseqNumber, method: "CANCEL" })] as const;
  return { kind: "request", method: "CANCEL", uri: invite.uri, headers: [...kept, cseq], body: NO_BODY };
}
