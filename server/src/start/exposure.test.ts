import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSettings } from "../platform/config/read-settings.ts";
import { judgeAddress } from "../platform/outbound-http/judge-address.ts";
import { makePolicy } from "../platform/outbound-http/outbound-policy.ts";
import { watchExposure } from "./exposure.ts";
import { outboundWords, signUpOf } from "./outbound-words.ts";

let folder: string;
let warned: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-exposure-"));
  warned = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const log = { warn: (_fields: object, message: string) => void warned.push(message) };

function open(environment: Record<string, string> = {}) {
  const settings = readSettings({ PARLEY_DATA_DIR: folder, ...environment }, folder);
  const exposure = watchExposure(settings, log);
  // As a thread gets it: a copy, but for the memory that is shared.
  const policy = makePolicy(structuredClone(outboundWords(settings, exposure)));
  return {
    exposure,
    signUp: () => signUpOf(settings, exposure),
    loopback: () => judgeAddress("127.0.0.1", policy),
  };
}

test("a default start is open until a proxy forwards a request, then both are closed, even after a restart", () => {
  const service = open();
  expect([service.signUp(), service.loopback()]).toEqual(["open", "opened"]);
  service.exposure.noteForwarded();
  service.exposure.noteForwarded();
  expect([service.signUp(), service.loopback()]).toEqual(["closed", "refused"]);
  expect(warned).toEqual(["request received through an undeclared proxy"]);
  expect(service.exposure.notice()).toContain("PARLEY_TRUST_PROXY");
  const again = open();
  expect([again.signUp(), again.loopback()]).toEqual(["closed", "refused"]);
});

test("access that an operator opened by a setting stays open", () => {
  const service = open({ PARLEY_SIGN_UP: "open", PARLEY_OUTBOUND_ALLOW: "loopback" });
  service.exposure.noteForwarded();
  expect([service.signUp(), service.loopback(), warned.length]).toEqual(["open", "opened", 0]);
});

test.each([
  ["PARLEY_TRUST_PROXY", "127.0.0.1"],
  ["PARLEY_PUBLIC_URL", "https://parley.example"],
])("with %s nothing is open by default, and nothing needs to be closed", (name, value) => {
  const service = open({ [name]: value });
  expect([service.signUp(), service.loopback()]).toEqual(["closed", "refused"]);
});

test("a service with an external database keeps sign-up open until a proxy is seen", () => {
  const service = open({ DATABASE_URL: "postgresql://db.example/parley" });
  expect([service.signUp(), service.loopback()]).toEqual(["open", "refused"]);
  service.exposure.noteForwarded();
  expect(service.signUp()).toBe("closed");
});
