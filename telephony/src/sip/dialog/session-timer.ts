import type { Clock } from "@parley/time/clock";
import { MIN_SESSION_EXPIRES_S } from "../invite/build-invite.ts";
import type { HeaderLine, ReceivedRequest, ReceivedResponse } from "../message/message.ts";
import { param } from "../message/params.ts";
import { headerNumber, headerTokens, headerWithParams } from "../message/read-headers.ts";

/** RFC 4028: how long a call lives without a refresh, and who refreshes. */
export interface SessionTerms {
  readonly intervalS: number;
  readonly weRefresh: boolean;
  /** False when the peer knows nothing of it: then we only look whether it is still there. */
  readonly isAgreed: boolean;
}

/** RFC 4028 section 7.2: reads the response to our request. Null if neither side wants a timer. */
export function termsFromAnswer(response: ReceivedResponse, requestedS: number | null): SessionTerms | null {
  const intervalS = headerNumber(response, "Session-Expires");
  if (intervalS === null || intervalS < 1) {
    return requestedS === null ? null : { intervalS: requestedS, weRefresh: true, isAgreed: false };
  }
  const refresher = param(headerWithParams(response, "Session-Expires")?.params ?? [], "refresher")?.toLowerCase();
  // RFC 4028 section 4: the minimum. With a lower value the call would end before a refresh.
  const lifeS = Math.max(intervalS, MIN_SESSION_EXPIRES_S);
  return { intervalS: lifeS, weRefresh: refresher !== "uas", isAgreed: true };
}

/** RFC 4028 section 9: reads a request of the peer. Null when it names no interval. */
export function termsFromRequest(request: ReceivedRequest): SessionTerms | "too_small" | null {
  const intervalS = headerNumber(request, "Session-Expires");
  if (intervalS === null) return null;
  const knowsTimers = headerTokens(request, "Supported").has("timer");
  if (intervalS < MIN_SESSION_EXPIRES_S) return knowsTimers ? "too_small" : null;
  const refresher = param(headerWithParams(request, "Session-Expires")?.params ?? [], "refresher")?.toLowerCase();
  // Where it is left to us the peer refreshes if it can: it seems to care.
  return { intervalS, weRefresh: refresher === "uas" || (refresher !== "uac" && !knowsTimers), isAgreed: true };
}

/** What our 2xx to such a request says. */
export function termsHeaders({ intervalS, weRefresh }: SessionTerms): readonly HeaderLine[] {
  const expires: HeaderLine = ["Session-Expires", `${intervalS};refresher=${weRefresh ? "uas" : "uac"}`];
  // RFC 4028 section 9: the peer that refreshes must know that it has to.
  return weRefresh ? [expires] : [["Require", "timer"], expires];
}

export interface SessionTimerEvents {
  readonly onRefresh: () => void;
  readonly onExpired: () => void;
}

/** Keeps the two timers of the terms in force. */
export class SessionTimer {
  readonly #clock: Clock;
  readonly #events: SessionTimerEvents;
  #terms: SessionTerms | null = null;
  #cancels: (() => void)[] = [];

  constructor(clock: Clock, events: SessionTimerEvents) {
    this.#clock = clock;
    this.#events = events;
  }

  get terms(): SessionTerms | null {
    return this.#terms;
  }

  /** Starts afresh: something showed that the other end is alive. */
  restart(terms: SessionTerms | null = this.#terms): void {
    this.stop();
    this.#terms = terms;
    if (terms === null) return;
    const intervalMs = terms.intervalS * 1_000;
    // RFC 4028 section 10: the end is sent before the interval passes, by 32 s or a third of it.
    const expiryMs = intervalMs - Math.min(32_000, intervalMs / 3);
    if (terms.weRefresh) this.#cancels.push(this.#clock.setTimer(intervalMs / 2, this.#events.onRefresh));
    if (terms.isAgreed) this.#cancels.push(this.#clock.setTimer(expiryMs, this.#events.onExpired));
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels = [];
  }
}
