import type { Route } from "@parley/contract/route";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Log } from "../telemetry/log.ts";
import { toErrorReply } from "./error-reply.ts";
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

/** Sends what was thrown, in the one error shape; what is our fault is logged. */
export function sendRefusal(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = toErrorReply(error, request.id);
  if (refused.bug)
    log.error({ error: refused.bug, requestId: request.id, path: request.url.split("?")[0] }, "request failed");
  return reply
    .code(refused.status)
    .headers({ ...refused.headers, "x-request-id": request.id, "cache-control": "no-store" })
    .type(JSON_TYPE)
    .send(JSON.stringify(refused.body));
}
