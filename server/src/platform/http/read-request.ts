import { AppError, invalidField } from "@parley/contract/errors";
import type { Route } from "@parley/contract/route";
import type { FastifyRequest } from "fastify";
import { inTransaction } from "../database/database.ts";
import type { ApiServerOptions } from "./api-server.ts";
import { authenticate, authorize, chooseMode } from "./authenticate.ts";
import type { ApiRequest } from "./handler.ts";
import { readIdempotencyKey, runOnce } from "./idempotency.ts";
import { headerOf, modeInQuery, readCredentials, stateOf } from "./request-state.ts";
import { refuseBadText, validate } from "./validate.ts";

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
