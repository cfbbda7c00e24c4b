import fastifyCookie from "@fastify/cookie";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { Route } from "@parley/contract/route";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Database } from "../database/database.ts";
import { inTransaction } from "../database/database.ts";
import type { Log } from "../telemetry/log.ts";
import type { Actor } from "./actor.ts";
import { authenticate, authorize, type Credentials, chooseMode, type Identities } from "./authenticate.ts";
import { parseJsonBody } from "./body.ts";
import { answerBrokenHttp, refuseBrokenHttp } from "./broken-http.ts";
import { refuseCrossSite } from "./cross-site.ts";
import { toErrorReply } from "./error-reply.ts";
import type { Answer, ApiRequest, BoundRoute } from "./handler.ts";
import { readIdempotencyKey, runOnce } from "./idempotency.ts";
import { createRouteFinder } from "./method-finder.ts";
import { type RateLimiter, type RateVerdict, rateHeaders } from "./rate-limit.ts";
import { addSecurityHeaders, securityHeaders } from "./security-headers.ts";
import { refuseBadText, validate } from "./validate.ts";

export interface ApiServerOptions {
  readonly db: Database;
  readonly log: Log;
  readonly identities: Identities;
  readonly routes: readonly BoundRoute[];
  readonly cookieName: string;
  readonly ownOrigins: () => readonly string[];
  readonly trustProxy: readonly string[];
  /** Per account and mode, over all processes. */
  readonly accountLimiter: RateLimiter;
  /** Per address, for requests that name no account. */
  readonly addressLimiter: RateLimiter;
  /** Whether people reach the service by https. */
  readonly https?: boolean;
  readonly nowMs: () => number;
  onReply(route: string, status: number, seconds: number): void;
}

interface RequestState {
  actor: Actor | null;
  rate: RateVerdict | null;
  startedMs: number;
}

const states = new WeakMap<FastifyRequest, RequestState>();
const REQUEST_TIMEOUT_MS = 30_000;

/** Makes the HTTP server. Every reply, whatever went wrong, leaves in the envelope with a request id and the rate headers. */
export function createApiServer(options: ApiServerOptions): FastifyInstance {
  const security = { https: options.https ?? false };
  // For replies that never reach a hook: broken HTTP, and paths that cannot be decoded.
  const plainHeaders = async (ip: string) => ({
    ...securityHeaders(security),
    ...rateHeaders(await options.addressLimiter(ip)),
  });
  const app = Fastify({
    logger: false,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: () => makeId("request"),
    routerOptions: { maxParamLength: 200 },
    // Requests under way are answered before the server closes; streams are told to end by `closing`.
    forceCloseConnections: "idle",
    // Node's own refusal of a missing Host has no body; `refuseUnaddressed` says it in the envelope.
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) =>
      void plainHeaders(request.ip).then((headers) => refuse(options, error, request, reply.headers(headers))),
    clientErrorHandler: (error, socket) => refuseBrokenHttp(error, socket, plainHeaders),
  });
  answerBrokenHttp(app.server, plainHeaders);
  addSecurityHeaders(app, security);
  app.register(fastifyCookie);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    try {
      if (/charset=(?!"?utf-?8)/i.test(request.headers["content-type"] ?? "")) {
        throw new AppError("unsupported_media_type", "The body must be application/json in UTF-8.");
      }
      // Many clients announce JSON on every request, also on those that carry nothing.
      done(null, bytes.length === 0 ? undefined : parseJsonBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });

  app.addHook("onRequest", async (request, reply) => {
    states.set(request, { actor: null, rate: null, startedMs: performance.now() });
    reply.header("x-request-id", request.id);
    refuseUnaddressed(request);
    // Said before the body is read: what is wrong with a body does not matter where nobody takes one.
    if (request.is404) throw nothingHere(request);
  });
  app.addHook("onSend", async (request, reply) => {
    const rate = states.get(request)?.rate ?? (await options.addressLimiter(request.ip));
    reply.headers(rateHeaders(rate));
  });
  app.addHook("onResponse", async (request, reply) => {
    const started = states.get(request)?.startedMs ?? performance.now();
    options.onReply(request.routeOptions.url ?? "unknown", reply.statusCode, (performance.now() - started) / 1000);
  });
  app.setErrorHandler((error, request, reply) => refuse(options, error, request, reply));

  const allowedMethods = createRouteFinder(options.routes.map(({ route }) => route));
  const nothingHere = (request: FastifyRequest): AppError => {
    const methods = allowedMethods(request.url.split("?")[0] ?? "");
    if (methods.length === 0) return new AppError("not_found", "There is nothing at this path.");
    const headers = { allow: methods.join(", ") };
    return new AppError("method_not_allowed", `Use ${methods.join(" or ")} here.`, { headers });
  };
  app.setNotFoundHandler((request) => {
    throw nothingHere(request);
  });

  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  for (const bound of options.routes) addRoute(app, options, bound, closing.signal);
  return app;
}

function addRoute(
  app: FastifyInstance,
  options: ApiServerOptions,
  { route, handler }: BoundRoute,
  closing: AbortSignal,
): void {
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    bodyLimit: route.bodyLimitBytes,
    onRequest: (request) => admit(options, route, request),
    handler: async (request, reply) => {
      const apiRequest = readRequest(options, route, request, closing);
      const answer = await handler(apiRequest);
      // A stream takes the reply over before `onSend` runs, so the rate headers are set here.
      reply.headers(rateHeaders(stateOf(request).rate ?? (await options.addressLimiter(request.ip))));
      return send(reply, answer, route);
    },
  });
}

/** Lets a request in before its body is read: who is it, within the limit, and may they? */
async function admit(options: ApiServerOptions, route: Route, request: FastifyRequest): Promise<void> {
  const state = stateOf(request);
  const credentials = readCredentials(options, request);
  const usesCookie = credentials.authorization === undefined && credentials.cookieToken !== undefined;
  if (route.access.by !== "key_or_member" || credentials.authorization === undefined) {
    refuseCrossSite({
      method: route.method,
      origin: request.headers.origin,
      fetchSite: request.headers["sec-fetch-site"] as string | undefined,
      ownOrigins: options.ownOrigins(),
      hasCookie: usesCookie,
    });
  }
  state.actor = await authenticate(options.identities, route.access, credentials, options.nowMs());
  const mode = chooseMode(state.actor, headerOf(request, "x-parley-mode"), modeInQuery(request));
  state.rate = await (state.actor
    ? options.accountLimiter(`${state.actor.accountId}:${mode}`)
    : options.addressLimiter(request.ip));
  if (!state.rate.allowed) {
    throw new AppError("rate_limited", "Too many requests; slow down.", { retryAfterSeconds: state.rate.resetSeconds });
  }
  authorize(route.access, state.actor);
}

function readRequest(
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
    ip: request.ip,
    client: request.headers["user-agent"]?.slice(0, 300) ?? null,
    accept: request.headers.accept ?? "",
    header: (name) => headerOf(request, name),
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
          await authenticate(options.identities, route.access, readCredentials(options, request), options.nowMs()),
        );
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        throw error;
      }
    },
    once(effect) {
      const key =
        route.idempotent && actor?.kind === "key" ? readIdempotencyKey(headerOf(request, "idempotency-key")) : null;
      if (!key || !actor) return inTransaction(options.db, effect);
      const path = request.url.split("?")[0] ?? "";
      return runOnce(options.db, { accountId: actor.accountId, mode, method: route.method, path, key }, body, effect);
    },
  };
}

function readBody(route: Route, request: FastifyRequest): unknown {
  if (request.body !== undefined) return request.body;
  if (route.bodyOptional) return {};
  if (request.headers["content-type"] !== undefined) throw new AppError("malformed_json", "The body is empty.");
  throw new AppError("unsupported_media_type", "Send a JSON body with `Content-Type: application/json`.");
}

function send(reply: FastifyReply, answer: Answer<unknown>, route: Route): FastifyReply | Promise<FastifyReply> {
  reply.headers(answer.headers ?? {});
  if (answer.stream) return answer.stream(reply).then(() => reply);
  const envelope = route.paged
    ? { success: true, data: answer.data, nextCursor: answer.nextCursor ?? null }
    : { success: true, data: answer.data };
  return reply
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(answer.envelopeText ?? JSON.stringify(envelope));
}

function refuse(options: ApiServerOptions, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = toErrorReply(error, request.id);
  if (refused.bug)
    options.log.error({ error: refused.bug, requestId: request.id, path: request.url.split("?")[0] }, "request failed");
  return reply
    .code(refused.status)
    .headers({ ...refused.headers, "x-request-id": request.id, "cache-control": "no-store" })
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(refused.body));
}

/** RFC 9112 section 3.2: a request of HTTP/1.1 names its host. */
function refuseUnaddressed({ raw }: FastifyRequest): void {
  if (raw.httpVersion === "1.1" && raw.headers.host === undefined)
    throw new AppError("bad_request", "The request has no Host header.");
}

function stateOf(request: FastifyRequest): RequestState {
  const state = states.get(request);
  if (!state) throw new Error("the request was not announced");
  return state;
}

function readCredentials(options: ApiServerOptions, request: FastifyRequest): Credentials {
  return {
    authorization: request.headers.authorization,
    cookieToken: request.cookies[options.cookieName],
    ip: request.ip,
  };
}

function modeInQuery(request: FastifyRequest): string | undefined {
  const { mode } = request.query as { mode?: string | string[] };
  // Named twice it is a list, which as text is neither of the two modes.
  return mode === undefined ? undefined : String(mode);
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
