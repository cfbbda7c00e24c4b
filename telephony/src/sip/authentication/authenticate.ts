import type { HeaderLine, ReceivedResponse, SipRequest } from "../message/message.ts";
import { headerLines, withoutHeader } from "../message/read-headers.ts";
import type { RandomSource } from "../random-source.ts";
import { type Challenge, chooseChallenge } from "./challenge.ts";
import { answerChallenge, type Credentials } from "./digest.ts";

/** A challenge, how often its nonce was used, and whether it came in answer to the current request. */
interface Faced {
  readonly challenge: Challenge;
  readonly nonceCount: number;
  readonly isFresh: boolean;
}

/**
 * What a peer and a proxy before it have challenged us with so far, as a value. Both answers go into every later request,
 * because a call may need both (RFC 3261 section 22.3).
 */
export interface AuthState {
  readonly peer: Faced | null;
  readonly proxy: Faced | null;
  /** How often the current request was sent again because of a challenge. */
  readonly retries: number;
}

/** Why a challenge was left unanswered, so that a refusal says nothing about the credentials we have. */
export type UnansweredChallenge = "no_credentials" | "phone_rang" | "not_supported";

export const NOT_CHALLENGED: AuthState = { peer: null, proxy: null, retries: 0 };

/** One for each side and one for a nonce that grew stale in between; a peer that asks on is not playing fair. */
const RETRIES_MAX = 3;

/**
 * Takes a 401 or 407 in. Null when answering makes no sense: there is no challenge we can answer, or the same side
 * challenges the same request again without saying that the nonce was stale, which means that the password is wrong.
 */
export function takeChallenge(state: AuthState, response: ReceivedResponse): AuthState | null {
  const side = response.status === 407 ? "proxy" : "peer";
  const name = response.status === 407 ? "Proxy-Authenticate" : "WWW-Authenticate";
  const challenge = chooseChallenge(headerLines(response, name));
  const before = state[side];
  if (challenge === null || state.retries >= RETRIES_MAX) return null;
  if (before?.isFresh && !challenge.isStale && before.challenge.realm === challenge.realm) return null;
  return { ...state, retries: state.retries + 1, [side]: { challenge, nonceCount: 0, isFresh: true } };
}

/** Why a final 401 or 407 says nothing about our credentials; null when they were sent and refused, or for another response. */
export function whyUnanswered(
  state: AuthState,
  { status }: Pick<ReceivedResponse, "status">,
  credentials: Credentials | null,
): Exclude<UnansweredChallenge, "phone_rang"> | null {
  if (status !== 401 && status !== 407) return null;
  if (credentials === null) return "no_credentials";
  return state[status === 407 ? "proxy" : "peer"] === null ? "not_supported" : null;
}

/** The answers are offered again with the next request; whether they still hold is for the peer to say. */
export function forNextRequest({ peer, proxy }: AuthState): AuthState {
  return {
    peer: peer === null ? null : { ...peer, isFresh: false },
    proxy: proxy === null ? null : { ...proxy, isFresh: false },
    retries: 0,
  };
}

export interface Authenticated {
  readonly request: SipRequest;
  /** With the nonce counts moved on. */
  readonly state: AuthState;
}

/** Adds the answers to what challenged us; without a challenge or credentials the request is unchanged. */
export function authenticate(
  request: SipRequest,
  state: AuthState,
  credentials: Credentials | null,
  random: RandomSource,
): Authenticated {
  if (credentials === null) return { request, state };
  const sides = [
    ["peer", "Authorization"],
    ["proxy", "Proxy-Authorization"],
  ] as const;
  let next = state;
  let headers: readonly HeaderLine[] = request.headers;
  for (const [side, name] of sides) {
    const faced = state[side];
    if (faced === null) continue;
    const nonceCount = faced.nonceCount + 1;
    const { challenge } = faced;
    const { method, uri } = request;
    const value = answerChallenge({ challenge, credentials, method, uri, nonceCount, cnonce: random.hex(8) });
    headers = [...withoutHeader(headers, name), [name, value]];
    next = { ...next, [side]: { ...faced, nonceCount } };
  }
  return { request: { ...request, headers }, state: next };
}
