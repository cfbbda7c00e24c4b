import { expect, test } from "vitest";
import { redactText } from "../../platform/telemetry/log.ts";
import { looksLikeToken, makeToken } from "./make-token.ts";

test("a token is 256 random bits behind a prefix that says what it opens", () => {
  expect(makeToken("st")).toMatch(/^st_[0-9A-Za-z_-]{43}$/);
  expect(makeToken("lt")).toMatch(/^lt_[0-9A-Za-z_-]{43}$/);
  expect(new Set(Array.from({ length: 100 }, () => makeToken("st"))).size).toBe(100);
});

test("a link's token opens no sign-in, and half a token opens nothing", () => {
  expect(looksLikeToken("st", makeToken("lt"))).toBe(false);
  expect(looksLikeToken("lt", makeToken("lt").slice(0, -1))).toBe(false);
  expect(looksLikeToken("lt", `${makeToken("lt")}\n`)).toBe(false);
});

test("a token that gets into a log line is taken out of it", () => {
  const token = makeToken("lt");
  expect(redactText(`GET /claim?token=${token}`)).not.toContain(token.slice(3));
});
