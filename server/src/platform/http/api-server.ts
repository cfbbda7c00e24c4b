import fastifyCookie from "@fastify/cookie";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { Route } from "@parley/contract/route";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { Database } from "../database/database.ts";
import type { Log } from "../telemetry/log.ts";
import type { Identities } from "./authenticate.ts";
import { BodyReader } from "./body.ts";
import type { BoundRoute } from "./handler.ts";
import { type RateLimiter, rateHeaders } from "./limits/rate-limit.ts";
import type { Pages } from "./pages.ts";
import { admit, readRequest, refusedBucket } from "./read-request.ts";
import { announceRequest, findState, stateOf } from "./request-state.ts";
import { addSecurityHeaders, allowOrigins, compressReplies, securityHeaders } from "./security-headers.ts";
import { answerBrokenHttp, refuseBrokenHttp, sendAnswer, sendRefusal } from "./send-reply.ts";
import { mayUpgrade, routeUpgrades } from "./web-socket.ts";

const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUT_CHECK_MS = 1000;

/**
 * Creates the HTTP server. Every reply, whatever went wrong, leaves in the envelope with a request id and the rate
 * headers.
 */
export function createApiServer(options: ApiServerOptions): FastifyInstance {
  const security = { https: options.https ?? false };
  // For replies that never reach a hook: broken HTTP, and paths that cannot be decoded.
  const plainHeaders = async (ip: string) => ({
    ...securityHeaders(security),
    ...rateHeaders(await options.addressLimiter(refusedBucket(ip))),
  });
  const requestTimeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const app = Fastify({
    logger: false,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    // RFC 9110 section 9.1: HEAD is supported wherever GET is.
    exposeHeadRoutes: true,
    requestTimeout: requestTimeoutMs,
    genReqId: () => makeId("request"),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    // Requests in progress are completed before the server closes; streams are ended by `closing`.
    forceCloseConnections: "idle",
    // Fastify's own refusal while it closes has neither envelope nor request id; `onRequest` refuses then.
    return503OnClosing: false,
    // Node's own refusal of a missing Host has no body; `refuseUnaddressed` says it in the envelope.
    http: {
      requireHostHeader: false,
      shouldUpgradeCallback: mayUpgrade,
      // Node swaps the two timeouts where the one for the headers is the longer: bodies would get its default of a minute.
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    frameworkErrors: (error, request, reply) =>
      void plainHeaders(request.ip).then((headers) => sendRefusal(options.log, error, request, reply.headers(headers))),
    clientErrorHandler: (error, socket) => refuseBrokenHttp(error, socket, plainHeaders),
  });
  answerBrokenHttp(app.server, plainHeaders);
  routeUpgrades(app);
  addSecurityHeaders(app, security);
  app.register(fastifyCookie);
  app.removeAllContentTypeParsers();
  const bodies = new BodyReader();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (/charset=(?!"?utf-?8)/i.test(request.headers["content-type"] ?? "")) {
        throw new AppError("unsupported_media_type", "The body must be application/json in UTF-8.");
      }
      // Many clients announce JSON on every request, even without a body.
      return bytes.length === 0 ? undefined : bodies.read(bytes);
    },
  );

  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  app.addHook("onRequest", async (request, reply) => {
    announceRequest(request, performance.now());
    reply.header("x-request-id", request.id);
    // Handlers may find the database closed by now.
    if (closing.signal.aborted)
      throw new AppError("unavailable", "This process is stopping. Nothing was done; try again.", {
        retryAfterSeconds: 1,
      });
    refuseUnaddressed(request);
    // Before the request is looked at: it is the first that must not find what is open to this machine alone.
    if (options.trustProxy.length === 0 && FORWARDED.some((name) => request.headers[name] !== undefined))
      options.onForwarded?.();
    // Said before the body is read: a faulty body does not matter where none is accepted.
    if (request.is404 && !options.pages?.has(request)) throw nothingHere(request);
  });
  app.addHook("onSend", async (request, reply) => {
    const rate = findState(request)?.rate ?? (await options.addressLimiter(refusedBucket(request.ip)));
    reply.headers(rateHeaders(rate));
  });
  app.addHook("onResponse", async (request, reply) => {
    const started = findState(request)?.startedMs ?? performance.now();
    options.onReply(request.routeOptions.url ?? "unknown", reply.statusCode, (performance.now() - started) / 1000);
  });
  compressReplies(app, options.cookieName);
  allowOrigins(app, options.corsOrigins ?? []);
  app.setErrorHandler((error, request, reply) => sendRefusal(options.log, error, request, reply));

  const allowedMethods = createRouteFinder(options.routes.map(({ route }) => route));
  const nothingHere = (request: FastifyRequest): AppError => {
    const methods = allowedMethods(request.url.split("?")[0] ?? "");
    if (methods.length === 0) return new AppError("not_found", "There is nothing at this path.");
    const headers = { allow: methods.join(", ") };
    return new AppError("method_not_allowed", `Use ${methods.join(" or ")} here.`, { headers });
  };
  app.setNotFoundHandler((request, reply) => {
    if (options.pages?.has(request)) return options.pages.send(request, reply);
    throw nothingHere(request);
  });

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
    onRequest: async (request) => {
      await admit(options, route, request);
      refuseEncodedBody(request);
    },
    handler: async (request, reply) => {
      const apiRequest = readRequest(options, route, request, closing);
      const answer = await handler(apiRequest);
      // A stream takes the reply over before `onSend` runs, so the rate headers are set here.
      reply.headers(rateHeaders(stateOf(request).rate ?? (await options.addressLimiter(refusedBucket(request.ip)))));
      return sendAnswer(reply, answer, route);
    },
  });
}

// RFC 7239, and what most proxies send instead.
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** RFC 9110 section 15.5.16: the reply says which encodings would have been taken. */
function refuseEncodedBody({ headers }: FastifyRequest): void {
  if (headers["content-encoding"] === undefined) return;
  throw new AppError("unsupported_media_type", "Send the body as it is, without Content-Encoding.", {
    headers: { "accept-encoding": "identity" },
  });
}

// RFC 3986 section 3.2.2, without user information: a name, an IPv4 address or an IPv6 address in brackets, and a port.
const HOST = /^(?:[\w.~!$&'()*+,;=-]|%[\dA-F]{2})+(?::\d*)?$|^\[[\dA-F:.]+\](?::\d*)?$/i;

/**
 * RFC 9112 sections 2.3 and 3.2: a request speaks HTTP/1.0 or 1.1, and one of 1.1 names its host exactly once. Proxies
 * and the service must never disagree on which of two hosts was meant.
 */
function refuseUnaddressed({ raw }: FastifyRequest): void {
  if (raw.httpVersion !== "1.1" && raw.httpVersion !== "1.0")
    throw new AppError("bad_request", "Only HTTP/1.1 and HTTP/1.0 are spoken on this connection.");
  const hosts = raw.rawHeaders.filter((_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === "host");
  if (hosts.length > 1) throw new AppError("bad_request", "The request has more than one Host header.");
  const [host] = hosts;
  if (host === undefined) {
    if (raw.httpVersion === "1.0") return;
    throw new AppError("bad_request", "The request has no Host header.");
  }
  if (!HOST.test(host)) throw new AppError("bad_request", "The Host header is not a host name with an optional port.");
}

/** Answers which methods a path has, to tell "no such path" from "not by this method". */
function createRouteFinder(routes: readonly Route[]): (path: string) => string[] {
  const patterns = routes.map((route) => ({
    methods: route.method === "GET" ? ["GET", "HEAD"] : [route.method],
    pattern: new RegExp(`^${route.path.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
  }));
  return (path) =>
    [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))].sort();
}

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
  /** Origins whose pages may use the API by key. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** Whether people reach the service by https. */
  readonly https?: boolean;
  /** What people see at paths that no route has. */
  readonly pages?: Pages;
  /** How long a client may take to send a whole request. Default: 30 seconds. */
  readonly requestTimeoutMs?: number;
  /** Called with each request that says that a proxy passed it on, where no proxy is trusted. */
  readonly onForwarded?: () => void;
  readonly nowMs: () => number;
  onReply(route: string, status: number, seconds: number): void;
}
