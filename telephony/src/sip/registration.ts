import type { AgentCore } from "./agent-core.ts";
import { type AuthState, NOT_CHALLENGED } from "./authentication/authenticate.ts";
import { contactPlace, contactUri } from "./invite/build-invite.ts";
import { writeCSeq } from "./message/cseq.ts";
import { type HeaderLine, NO_BODY, type ReceivedResponse, type SipRequest } from "./message/message.ts";
import { param } from "./message/params.ts";
import { headerNumber, readAddresses } from "./message/read-headers.ts";
import { bracketed, escapeUser } from "./message/uri.ts";
import { type RequestResult, sendRequest } from "./send-request.ts";
import { preloadedRoute, publicSentBy, type SipTrunk, trunkUri } from "./sip-trunk.ts";
import type { Flow, Hop } from "./transport/sip-transport.ts";

export type RegistrationState =
  | { readonly kind: "registered"; readonly expiresS: number }
  | { readonly kind: "failed"; readonly status: number | null; readonly reason: string; readonly retryInMs: number }
  | { readonly kind: "unregistered" };

export interface RegistrationDeps {
  readonly core: AgentCore;
  readonly trunk: SipTrunk;
  /** The name to register, usually that of the credentials. */
  readonly user: string;
  readonly expiresS: number;
  readonly hops: () => Promise<readonly Hop[]>;
  readonly onState: (state: RegistrationState) => void;
  /** Nothing more will be sent but, perhaps, the goodbye. */
  readonly onStopped?: () => void;
}

const RETRY_FIRST_MS = 30_000;
const RETRY_MAX_MS = 10 * 60_000;

/** RFC 3261 section 10.2: registers our address with a trunk, renews it before it expires, and unregisters at the end. */
export class Registration {
  readonly #deps: RegistrationDeps;
  readonly #callId: string;
  readonly #localTag: string;
  #cseq = 0;
  #expiresS: number;
  #auth: AuthState = NOT_CHALLENGED;
  #failures = 0;
  #isStopped = false;
  #isRegistered = false;
  #cancelTimer: () => void = () => undefined;
  #giveUp: () => void = () => undefined;

  constructor(deps: RegistrationDeps) {
    this.#deps = deps;
    this.#expiresS = deps.expiresS;
    this.#callId = deps.core.random.hex(16);
    this.#localTag = deps.core.random.hex(8);
  }

  start(): void {
    this.#send(this.#expiresS, (result) => this.#onResult(result));
  }

  /** Unregisters. Resolves on the response or a timeout. */
  stop(): Promise<void> {
    const wasRegistered = this.#isRegistered;
    this.abandon();
    if (!wasRegistered) return Promise.resolve();
    return new Promise((resolve) => {
      this.#send(0, () => {
        this.#deps.onState({ kind: "unregistered" });
        resolve();
      });
    });
  }

  abandon(): void {
    this.#isStopped = true;
    this.#isRegistered = false;
    this.#cancelTimer();
    this.#giveUp();
    this.#deps.onStopped?.();
  }

  #send(expiresS: number, onResult: (result: RequestResult) => void): void {
    const { core, trunk, hops } = this.#deps;
    hops()
      .then((found) => this.#withFlow(found[0]).then((flow) => [found, flow] as const))
      .then(([found, flow]) => {
        if (this.#isStopped && expiresS > 0) return;
        this.#giveUp = sendRequest(core, {
          build: () => this.#build(expiresS, found[0], flow),
          hops: found,
          ...publicSentBy(trunk),
          credentials: trunk.credentials,
          auth: this.#auth,
          onDone: (result, auth) => {
            this.#auth = auth;
            onResult(result);
          },
        });
      })
      .catch(core.reportError);
  }

  #onResult(result: RequestResult): void {
    if (this.#isStopped) return;
    if (result.kind !== "response") {
      this.#retry(null, result.kind === "timeout" ? "no answer" : result.reason, null);
      return;
    }
    const { response } = result;
    const minS = headerNumber(response, "Min-Expires");
    if (response.status < 300) this.#registered(response);
    // RFC 3261 section 10.2.8.
    else if (response.status === 423 && minS !== null && minS > this.#expiresS && minS <= 86_400) {
      this.#expiresS = minS;
      this.start();
    } else this.#retry(response.status, response.reason, headerNumber(response, "Retry-After"));
  }

  #registered(response: ReceivedResponse): void {
    this.#failures = 0;
    this.#isRegistered = true;
    const expiresS = this.#grantedS(response);
    this.#deps.onState({ kind: "registered", expiresS });
    // Early enough for a lost request to be repeated before the trunk forgets us.
    this.#later(Math.max(expiresS - 40, expiresS / 2) * 1_000);
  }

  /** RFC 3261 section 10.2.4: the interval of our Contact; else Expires; else what we requested. */
  #grantedS(response: ReceivedResponse): number {
    const contacts = readAddresses(response, "Contact");
    const own = contacts.find(
      ({ uri }) => uri.scheme !== "other" && uri.scheme !== "tel" && uri.user === escapeUser(this.#deps.user),
    );
    const said = Number(param((own ?? contacts[0])?.params ?? [], "expires") ?? Number.NaN);
    const granted = Number.isFinite(said) && said > 0 ? said : (headerNumber(response, "Expires") ?? this.#expiresS);
    return Math.max(10, granted);
  }

  #retry(status: number | null, reason: string, retryAfterS: number | null): void {
    this.#isRegistered = false;
    const backoffMs = Math.min(RETRY_FIRST_MS * 2 ** this.#failures, RETRY_MAX_MS);
    const retryInMs = Math.max(backoffMs, Math.min((retryAfterS ?? 0) * 1_000, RETRY_MAX_MS));
    this.#failures = Math.min(this.#failures + 1, 10);
    this.#deps.onState({ kind: "failed", status, reason, retryInMs });
    this.#later(retryInMs);
  }

  #later(delayMs: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#deps.core.clock.setTimer(delayMs, () => this.start());
  }

  /** Also null if there is no connection, which the sending itself reports. */
  #withFlow(hop: Hop | undefined): Promise<Flow | null> {
    const { layer } = this.#deps.core;
    return new Promise((resolve) => {
      if (hop === undefined) resolve(null);
      else layer.withFlow(hop, resolve, () => resolve(null));
    });
  }

  #build(expiresS: number, hop: Hop | undefined, flow: Flow | null): SipRequest {
    const { core, trunk, user } = this.#deps;
    this.#cseq += 1;
    const local = (hop === undefined ? null : core.layer.transportTo(hop)?.local) ?? { host: "invalid", port: 0 };
    const address = `<sip:${escapeUser(user)}@${bracketed(trunk.fromHost ?? trunk.host)}>`;
    const contact = contactUri(
      `${escapeUser(user)}@`,
      contactPlace(trunk, local, flow),
      hop?.transport ?? trunk.transport,
    );
    const headers: HeaderLine[] = [
      ...preloadedRoute(trunk).map((route): HeaderLine => ["Route", route]),
      ["Max-Forwards", "70"],
      ["From", `${address};tag=${this.#localTag}`],
      ["To", address],
      ["Call-ID", this.#callId],
      ["CSeq", writeCSeq({ number: this.#cseq, method: "REGISTER" })],
      ["Contact", contact],
      ["Expires", String(expiresS)],
      ["User-Agent", core.softwareName],
    ];
    return { kind: "request", method: "REGISTER", uri: trunkUri(trunk, null), headers, body: NO_BODY };
  }
}
