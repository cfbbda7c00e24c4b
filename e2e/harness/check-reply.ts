import { ERRORS, type ErrorCode, ErrorReply } from "@parley/contract/errors";
import type { Route } from "@parley/contract/route";
import { expect } from "vitest";
import { type HttpReply, send } from "./http-client.ts";

export interface ReplyCheck {
  /** Checks a reply against everything the contract says of every reply, and returns it. */
  (reply: HttpReply, route?: Route): HttpReply;
  /** The codes met so far. */
  readonly seen: Set<ErrorCode>;
}

/** What must hold for every reply. Reads the page of error codes once, to follow `docUrl`. */
export async function createReplyCheck(base: string): Promise<ReplyCheck> {
  const page = (await send(base, { path: "/docs/errors" })).text;
  const seen = new Set<ErrorCode>();

  function check(reply: HttpReply, route?: Route): HttpReply {
    const shown = `${reply.status} ${reply.text.slice(0, 500)}`;
    expect(reply.headers["x-request-id"], shown).toMatch(/^req_[0-9a-z]{26}$/);
    expect(reply.headers["ratelimit-policy"], shown).toMatch(/^"\w+";q=\d+;w=1$/);
    expect(reply.headers["ratelimit"], shown).toMatch(/^"\w+";r=\d+;t=\d+$/);
    expect(reply.headers["x-content-type-options"], shown).toBe("nosniff");
    checkPolicy(reply, route);
    if (reply.status === 200) checkSuccess(reply, route);
    else if (reply.text !== "") checkRefusal(reply, shown);
    return reply;
  }

  function checkRefusal(reply: HttpReply, shown: string): void {
    expect(reply.headers["content-type"], shown).toBe("application/json; charset=utf-8");
    expect(reply.headers["cache-control"], shown).toBe("no-store");
    const { error } = ErrorReply.parse(reply.body);
    seen.add(error.code);
    expect(reply.status, shown).toBe(ERRORS[error.code].status);
    expect(error.code, shown).not.toBe("internal");
    expect(error.retryable, shown).toBe(ERRORS[error.code].retryable);
    expect(error.requestId, shown).toBe(reply.headers["x-request-id"]);
    expect(error.docUrl).toBe(`/docs/errors#${error.code}`);
    expect(page).toContain(`id="${error.code}"`);
    expect(error.message.length).toBeGreaterThan(5);
    if (error.details) expect(error.param ?? "").toBe(error.details[0]?.param);
    if (reply.status === 401) expect(reply.headers["www-authenticate"], shown).toMatch(/^Bearer/);
    if (reply.status === 429) expect(Number(reply.headers["retry-after"]), shown).toBeGreaterThan(0);
  }

  return Object.assign(check, { seen });
}

/** No other site may load a reply and nothing may load from it, with one exception: a recording that a signed link plays. */
function checkPolicy({ status, headers }: HttpReply, route: Route | undefined): void {
  const isPlayed = route?.id === "followRecordingLink" && (status === 200 || status === 206);
  expect(headers["cross-origin-resource-policy"]).toBe(isPlayed ? "cross-origin" : "same-origin");
  expect(headers["content-security-policy"]).toBe(
    isPlayed
      ? "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
      : "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  );
  expect(headers["access-control-allow-origin"]).toBeUndefined();
}

function checkSuccess(reply: HttpReply, route: Route | undefined): void {
  const type = reply.headers["content-type"] ?? "";
  if (!type.startsWith("application/json")) {
    expect(route?.alsoProduces ?? ["text/csv", "text/event-stream"]).toContain(type.split(";")[0]);
    return;
  }
  expect(Object.keys(reply.body).sort()).toEqual(
    (route?.paged ?? "nextCursor" in reply.body) ? ["data", "nextCursor", "success"] : ["data", "success"],
  );
  expect(reply.body.success).toBe(true);
  if (!route) return;
  const rows: unknown[] = route.paged ? reply.body.data : [reply.body.data];
  for (const row of rows) expect(route.data.safeParse(row).error).toBeUndefined();
}
