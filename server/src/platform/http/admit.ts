import { AppError } from "@parley/contract/errors";
import type { Route } from "@parley/contract/route";
import type { FastifyRequest } from "fastify";
import type { ApiServerOptions } from "./api-server.ts";
import { type Actor, authenticate, authorize, type Credentials, chooseMode } from "./authenticate.ts";
import type { RateLimitDecision } from "./rate-limit.ts";
import { headerOf, modeInQuery, readCredentials, stateOf } from "./request-state.ts";
import { asksForWebSocket } from "./web-socket.ts";

/** Authenticates, rate-limits and authorizes a request before its body is read. */
export async function admit(options: ApiServerOptions, route: Route, request: FastifyRequest): Promise<void> {
  const state = stateOf(request);
  const credentials = readCredentials(request, options.cookieName);
  // A key is read only where keys are accepted; everywhere else the cookie counts, even beside a key.
  const isByKey = route.access.by === "key_or_member" && credentials.authorization !== undefined;
  const isKeyAlone = credentials.authorization !== undefined && credentials.cookieToken === undefined;
  // Where keys may not go at all that is the whole answer, wherever the request comes from.
  if (!isByKey && !(isKeyAlone && route.access.by === "member")) {
    refuseCrossSite({
      // RFC 6455 section 10.2: a browser lets any site open one, with the member's cookie, and read what comes.
      method: asksForWebSocket((name) => headerOf(request, name)) ? "UPGRADE" : route.method,
      origin: request.headers.origin,
      fetchSite: request.headers["sec-fetch-site"] as string | undefined,
      ownOrigins: options.ownOrigins(),
      hasCookie: credentials.cookieToken !== undefined,
    });
  }
  state.actor = await identify(options, route, credentials, (rate) => {
    state.rate = rate;
  });
  const mode = chooseMode(state.actor, headerOf(request, "x-parley-mode"), modeInQuery(request));
  state.rate = await (state.actor
    ? options.accountLimiter(`${state.actor.accountId}:${mode}`)
    : options.addressLimiter(request.ip));
  refuseAboveLimit(state.rate);
  authorize(route.access, state.actor);
}

/** Requests that prove nothing are counted per address, apart from those that sign in: neither can crowd out the other. */
export function refusedBucket(ip: string): string {
  return `refused ${ip}`;
}

async function identify(
  options: ApiServerOptions,
  route: Route,
  credentials: Credentials,
  setRate: (rate: RateLimitDecision) => void,
): Promise<Actor | null> {
  try {
    return await authenticate(options.identities, route.access, credentials, options.nowMs());
  } catch (error) {
    if (!(error instanceof AppError) || (error.status !== 401 && error.status !== 403)) throw error;
    const rate = await options.addressLimiter(refusedBucket(credentials.ip));
    setRate(rate);
    refuseAboveLimit(rate);
    throw error;
  }
}

function refuseAboveLimit(rate: RateLimitDecision): void {
  if (rate.allowed) return;
  throw new AppError("rate_limited", "Too many requests; slow down.", { retryAfterSeconds: rate.resetSeconds });
}

export interface SiteHeaders {
  readonly method: string;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  /** The origins under which people reach the dashboard. */
  readonly ownOrigins: readonly string[];
  readonly hasCookie: boolean;
}

/**
 * Refuses unsafe requests that another site makes in a member's name. With a cookie the `Origin` must be there and
 * match; without one it must match if it is there, so that no one is signed in from another site.
 */
export function refuseCrossSite(headers: SiteHeaders): void {
  if (headers.method === "GET") return;
  const siteIsFine =
    headers.fetchSite === undefined || headers.fetchSite === "same-origin" || headers.fetchSite === "none";
  const originIsFine = headers.origin === undefined ? !headers.hasCookie : headers.ownOrigins.includes(headers.origin);
  if (!siteIsFine || !originIsFine)
    throw new AppError("cross_site", "Cookie requests must come from this site: send a matching Origin.");
}
