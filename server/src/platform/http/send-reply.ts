import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import {
  AppError,
  ERROR_DETAILS_MAX,
  ERRORS,
  type ErrorCode,
  type ErrorDetail,
  type ErrorReply,
} from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { Route } from "@parley/contract/route";
import type { FastifyReply, FastifyRequest } from "fastify";
import { CommitOutcomeUnknown, isDatabaseAway } from "../database/failures.ts";
import type { Log } from "../telemetry/log.ts";
import type { Answer } from "./handler.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Sends what a handler gave back, in the envelope. */
export function sendAnswer(
  reply: FastifyReply,
  answer: Answer<unknown>,
  route: Route,
): FastifyReply | Promise<FastifyReply> {
  reply.headers(answer.headers ?? {});
  if (answer.stream) return answer.stream(reply).then(() => reply);
  const envelope = route.paged
    ? { success: true, data: answer.data, nextCursor: answer.nextCursor ?? null }
    : { success: true, data: answer.data };
  return reply
    .header("cache-control", "no-store")
    .type(JSON_TYPE)
    .send(answer.envelopeText ?? JSON.stringify(envelope));
}

/** Sends a thrown error in the one error shape; internal errors are logged. */
export function sendRefusal(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = toErrorReply(error, request.id);
  if (refused.bug) {
    // A database that is lost while committing is no defect of the service.
    const level = refused.bug instanceof CommitOutcomeUnknown ? "warn" : "error";
    log[level]({ error: refused.bug, requestId: request.id, path: request.url.split("?")[0] }, "request failed");
  }
  return reply
    .code(refused.status)
    .headers({ ...refused.headers, "x-request-id": request.id, "cache-control": "no-store" })
    .type(JSON_TYPE)
    .send(JSON.stringify(refused.body));
}

export interface RefusedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorReply;
  /** Set when the error is ours and belongs in the log. */
  readonly bug: unknown;
}

const FRAMEWORK_CODES: Readonly<Record<string, [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large", "The body is larger than this route takes."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "The body must be application/json."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["bad_request", "The body does not have the length that Content-Length says."],
  FST_ERR_CTP_EMPTY_JSON_BODY: ["malformed_json", "The body is empty."],
  FST_ERR_BAD_URL: ["bad_request", "The path is not a valid URL."],
  FST_ERR_MAX_PARAM_LENGTH: ["bad_request", "A part of the path is too long."],
};

/** Turns whatever was thrown into the one error shape. What we did not foresee becomes a plain `internal`. */
export function toErrorReply(error: unknown, requestId: string): RefusedReply {
  const known = asAppError(error);
  const { code, param, retryAfterSeconds } = known;
  const details = boundDetails(known.details);
  const headers: Record<string, string> = { ...known.headers };
  if (known.status === 401)
    headers["www-authenticate"] = code === "invalid_api_key" ? 'Bearer error="invalid_token"' : "Bearer";
  if (code === "insufficient_scope") headers["www-authenticate"] = 'Bearer error="insufficient_scope"';
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  return {
    status: known.status,
    headers,
    bug: code === "internal" ? (known.cause ?? error) : null,
    body: {
      success: false,
      error: {
        code,
        message: clip(known.message, MESSAGE_CHARS_MAX),
        ...(param ? { param: clip(param, PARAM_CHARS_MAX) } : {}),
        ...(details.length > 0 ? { details } : {}),
        requestId,
        docUrl: `/docs/errors#${code}`,
        retryable: ERRORS[code].retryable,
      },
    },
  };
}

// Names and messages quote what was sent: a field of a megabyte must not be echoed three times.
const PARAM_CHARS_MAX = 200;
const MESSAGE_CHARS_MAX = 1000;
const DETAILS_BYTES_MAX = 20 * 1024;

function clip(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax).toWellFormed()}...`;
}

function boundDetails(given: readonly ErrorDetail[]): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  let bytes = 0;
  for (const { param, code, message } of given.slice(0, ERROR_DETAILS_MAX)) {
    const detail = { param: clip(param, PARAM_CHARS_MAX), code, message: clip(message, MESSAGE_CHARS_MAX) };
    bytes += Buffer.byteLength(JSON.stringify(detail));
    // The first is always there: it is the one that `message` and `param` are about.
    if (details.length > 0 && bytes > DETAILS_BYTES_MAX) break;
    details.push(detail);
  }
  return details;
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error)) {
    return new AppError("unavailable", "The database is unavailable. Nothing was changed; try again.", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
  if (error instanceof CommitOutcomeUnknown) {
    return new AppError(
      "internal",
      "The connection to the database was lost while saving, and it is not known whether it was saved.",
      { cause: error },
    );
  }
  const framework = (error as { code?: unknown } | null)?.code;
  const mapped = typeof framework === "string" ? FRAMEWORK_CODES[framework] : undefined;
  if (mapped) return new AppError(mapped[0], mapped[1]);
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (typeof status === "number" && status >= 400 && status < 500)
    return new AppError("bad_request", "The request could not be understood.");
  return new AppError("internal", "Something went wrong on our side.", { cause: error });
}

/** The headers of a reply that no hook sees: rate limit and security, for one address. */
export type PlainHeaders = (ip: string) => Promise<Readonly<Record<string, string>>>;

/**
 * What Node itself answers or drops before there is a request: bytes that are not HTTP, CONNECT, and an
 * unknown `Expect`. All of it gets the envelope too.
 */
export function answerBrokenHttp(server: Server, headersFor: PlainHeaders): void {
  server.on("connect", (_request, socket: Socket) => {
    const refusal = new AppError("method_not_allowed", "This is not a proxy: CONNECT is not supported.", {
      headers: { allow: "GET, POST, PATCH, DELETE" },
    });
    void refuseOnSocket(socket, refusal, headersFor);
  });
  // RFC 9110 section 10.1.1 lets a server ignore an expectation it does not know.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/** Refuses what could not be parsed, or did not arrive in time. */
export function refuseBrokenHttp(error: Error & { code?: string }, socket: Socket, headersFor: PlainHeaders): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? new AppError("request_timeout", "The request did not arrive in time.")
      : new AppError("bad_request", "This is not a request we can read as HTTP.");
  void refuseOnSocket(socket, refusal, headersFor);
}

async function refuseOnSocket(socket: Socket, error: AppError, headersFor: PlainHeaders): Promise<void> {
  // The client may be gone before the reply; nothing is left to do then.
  socket.on("error", () => socket.destroy());
  const requestId = makeId("request");
  const { status, headers, body } = toErrorReply(error, requestId);
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...(await headersFor(socket.remoteAddress ?? "")),
    ...headers,
    "x-request-id": requestId,
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable) socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`);
}
