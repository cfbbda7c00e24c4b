import { AppError, invalidField } from "@parley/contract/errors";
import type { Route } from "@parley/contract/route";
import type { FastifyRequest } from "fastify";
import { inTransaction } from "../database/database.ts";
import type { ApiServerOptions } from "./api-server.ts";
import { type Actor, authenticate, authorize, type Credentials, chooseMode } from "./authenticate.ts";
import type { ApiRequest } from "./handler.ts";
import { readIdempotencyKey, runOnce } from "./idempotency.ts";
import type { RateLimitDecision } from "./limits/rate-limit.ts";
import { headerOf, modeInQuery, readCredentials, stateOf } from "./request-state.ts";
import { refuseBadText, validate } from "./validate.ts";
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

/** Converts an admitted request into the input of a handler, or throws the validation error. */
export function readRequest(
  options: ApiServerOptions,
  route: Route,
  request: FastifyRequest,
  closing: AbortSignal,
): ApiRequest {
  const { actor } = stateOf(request);
  const mode = chooseMode(actor, headerOf(request, "x-parley-mode"), modeInQuery(request));
  const { mode: _mode, ...query } = request.query as Record<string, unknown>;
  const given = actor?.kind === "key" ? (request.query as Record<string, unknown>) : query;
  const params = request.params as Record<string, string>;
  if (Object.values(params).includes("")) throw new AppError("not_found", "There is nothing at this path.");
  refuseBadText(params);
  refuseBadText(given);
  const body = route.body ? validate(route.body, readBody(route, request)) : undefined;
  return {
    route,
    requestId: request.id,
    isHead: request.method === "HEAD",
    ip: request.ip,
    client: request.headers["user-agent"]?.slice(0, 300) ?? null,
    accept: request.headers.accept ?? "",
    header: (name) => headerOf(request, name),
    cookieToken: readCredentials(request, options.cookieName).cookieToken,
    params: validate(route.params, request.params),
    query: validate(route.query, given),
    body: body as undefined,
    mode,
    actor,
    closing,
    get accountId() {
      if (!actor) throw new Error(`${route.id} is open to anyone and has no account`);
      return actor.accountId;
    },
    get member() {
      if (actor?.kind !== "member") throw new Error(`${route.id} has no signed-in member`);
      return actor;
    },
    async stillAllowed() {
      try {
        authorize(
          route.access,
          await authenticate(
            options.identities,
            route.access,
            readCredentials(request, options.cookieName),
            options.nowMs(),
          ),
        );
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        throw error;
      }
    },
    once(effect) {
      const key = route.idempotent ? readIdempotencyKey(onlyHeader(request, "idempotency-key")) : null;
      if (!key || !actor) {
        return inTransaction(options.db, async (tx) => {
          const answer = await effect(tx);
          await answer.beforeCommit?.(tx);
          return answer;
        });
      }
      // The path as it was understood, so that another way to write it is not another request.
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
      const askedBy = actor.kind === "member" ? actor.memberId : "key";
      const scope = { accountId: actor.accountId, mode, method: route.method, path, key, askedBy };
      return runOnce(options.db, scope, body, effect);
    },
  };
}

function readBody(route: Route, request: FastifyRequest): unknown {
  if (request.body !== undefined) return request.body;
  if (route.bodyOptional) return {};
  if (request.headers["content-type"] !== undefined) throw new AppError("malformed_json", "The body is empty.");
  throw new AppError("unsupported_media_type", "Send a JSON body with `Content-Type: application/json`.");
}

/** A header that must not be sent twice: which of the two would count? */
function onlyHeader(request: FastifyRequest, name: string): string | undefined {
  const times = request.raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
  if (times > 1) throw invalidField("Idempotency-Key", "sent_twice", "Idempotency-Key must be sent once.");
  return headerOf(request, name);
}
