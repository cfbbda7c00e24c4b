import { ERROR_CODES, ERRORS, type ErrorCode } from "../errors.ts";
import type { Access, Route } from "../route.ts";

/** Errors of every route: unknown query parameters, rate limits and outages. */
const ALWAYS: readonly ErrorCode[] = ["validation_failed", "rate_limited", "internal", "unavailable"];
const WITH_BODY: readonly ErrorCode[] = [
  "malformed_json",
  "bad_request",
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
];

/** All error codes of a route: those it declares, and those implied by its access, body and headers. */
export function errorsOfRoute(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...ALWAYS, ...errorsOfAccess(route.access), ...route.errors]);
  if (route.method !== "GET") codes.add("cross_site");
  if (route.body) for (const code of WITH_BODY) codes.add(code);
  if (route.takesRange) codes.add("range_not_satisfiable");
  if (takesIdempotencyKey(route)) codes.add("idempotency_in_progress").add("idempotency_mismatch");
  return ERROR_CODES.filter((code) => codes.has(code));
}

/** The same codes, grouped by the HTTP status that carries them, lowest first. */
export function errorsByStatus(route: Route): [status: number, codes: ErrorCode[]][] {
  const groups = Map.groupBy(errorsOfRoute(route), (code): number => ERRORS[code].status);
  return [...groups].sort(([a], [b]) => a - b);
}

export function takesIdempotencyKey(route: Route): boolean {
  return route.idempotent;
}

function errorsOfAccess(access: Access): ErrorCode[] {
  switch (access.by) {
    case "anyone":
      return [];
    case "operator_token":
      return ["not_signed_in"];
    case "member":
      return ["not_signed_in", "not_allowed"];
    case "key_or_member":
      return [
        ...(["missing_api_key", "invalid_api_key", "not_signed_in", "insufficient_scope", "ip_not_allowed"] as const),
        ...(access.role ? (["not_allowed"] as const) : []),
      ];
  }
}
