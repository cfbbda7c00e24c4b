import { expect, test } from "vitest";
import { z } from "zod";
import { defineRoute } from "../route.ts";
import { errorsByStatus, errorsOfRoute } from "./errors-of-route.ts";

const base = { id: "probe", path: "/probe", tag: "Calls", summary: "Probe", data: z.string() } as const;
const reading = defineRoute({ ...base, method: "GET", access: { by: "key_or_member", scope: "calls:read" } });
const writing = defineRoute({
  ...base,
  method: "POST",
  access: { by: "key_or_member", scope: "calls:write" },
  body: z.strictObject({}),
  idempotent: true,
  errors: ["call_not_found"],
});

test("a route for keys can report a missing, wrong or insufficient key, or one used from elsewhere", () => {
  expect(errorsOfRoute(reading)).toEqual(
    expect.arrayContaining(["missing_api_key", "invalid_api_key", "insufficient_scope", "ip_not_allowed"]),
  );
});

test("only a body can be malformed, too large or of the wrong type", () => {
  const ofBody = ["malformed_json", "payload_too_large", "unsupported_media_type"];
  expect(errorsOfRoute(writing)).toEqual(expect.arrayContaining(ofBody));
  for (const code of ofBody) expect(errorsOfRoute(reading)).not.toContain(code);
});

test("idempotency adds its own two errors", () => {
  expect(errorsOfRoute(writing)).toEqual(expect.arrayContaining(["idempotency_in_progress", "idempotency_mismatch"]));
  expect(errorsOfRoute({ ...writing, idempotent: false })).not.toContain("idempotency_mismatch");
});

test("a role can be refused where one is required, and a key where only members are admitted", () => {
  const asRole = (role: "member" | "owner") =>
    errorsOfRoute(defineRoute({ ...base, method: "GET", access: { by: "member", role } }));
  expect(asRole("owner")).toContain("not_allowed");
  expect(asRole("member")).toContain("not_allowed");
  const byKey = (role: { role?: "owner" }) =>
    errorsOfRoute(
      defineRoute({ ...base, method: "GET", access: { by: "key_or_member", scope: "settings:read", ...role } }),
    );
  expect(byKey({ role: "owner" })).toContain("not_allowed");
  expect(byKey({})).not.toContain("not_allowed");
});

test("a cross-site request may be refused for writing but never for reading", () => {
  expect(errorsOfRoute(reading)).not.toContain("cross_site");
  expect(errorsOfRoute(writing)).toContain("cross_site");
});

test("codes are grouped by status, lowest first, and a declared code is among them", () => {
  const groups = errorsByStatus(writing);
  const statuses = groups.map(([status]) => status);
  expect(statuses).toEqual(statuses.toSorted((a, b) => a - b));
  expect(new Map(groups).get(404)).toEqual(["call_not_found"]);
});
