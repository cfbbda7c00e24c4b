import type { FastifyRequest } from "fastify";
import type { Actor, Credentials } from "./authenticate.ts";
import type { RateLimitDecision } from "./limits/rate-limit.ts";

/** What is known about a request during its processing. */
export interface RequestState {
  actor: Actor | null;
  rate: RateLimitDecision | null;
  readonly startedMs: number;
}

const states = new WeakMap<FastifyRequest, RequestState>();

export function announceRequest(request: FastifyRequest, startedMs: number): void {
  states.set(request, { actor: null, rate: null, startedMs });
}

/** Null for a request that was refused before any hook ran. */
export function findState(request: FastifyRequest): RequestState | null {
  return states.get(request) ?? null;
}

export function stateOf(request: FastifyRequest): RequestState {
  const state = states.get(request);
  if (!state) throw new Error("the request was not announced");
  return state;
}

export function readCredentials(request: FastifyRequest, cookieName: string): Credentials {
  return {
    authorization: request.headers.authorization,
    cookieToken: request.cookies[cookieName],
    ip: request.ip,
  };
}

/** The mode a cookie request names in its query. */
export function modeInQuery(request: FastifyRequest): string | undefined {
  const { mode } = request.query as { mode?: string | string[] };
  // Named twice it is a list, which as text is neither of the two modes.
  return mode === undefined ? undefined : String(mode);
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
