import { expect, test } from "vitest";
import { readSettings } from "../platform/config/read-settings.ts";
import { outboundWords } from "./outbound-words.ts";

const allowed = (environment: Record<string, string>) =>
  outboundWords(readSettings({ PARLEY_DATA_DIR: "d", ...environment }, "/"), { flag: new Int32Array(1) }).allow;

test("an installation for this machine alone may send webhooks to this machine", () => {
  expect(allowed({})).toEqual(["loopback"]);
  expect(allowed({ PARLEY_HOST: "::1" })).toEqual(["loopback"]);
});

test.each([
  ["listens to others", { PARLEY_HOST: "0.0.0.0" }],
  ["has a public address", { PARLEY_PUBLIC_URL: "https://parley.example" }],
  ["stands behind a proxy", { PARLEY_TRUST_PROXY: "127.0.0.1" }],
  ["shares a database", { DATABASE_URL: "postgresql://db.example/parley" }],
])("an installation that %s reaches only the public internet", (_what, environment) => {
  expect(allowed(environment)).toEqual([]);
});

test("the operator's setting applies, whatever kind of installation it is", () => {
  expect(allowed({ PARLEY_OUTBOUND_ALLOW: "none" })).toEqual([]);
  expect(allowed({ PARLEY_HOST: "0.0.0.0", PARLEY_OUTBOUND_ALLOW: "10.1.0.0/16" })).toEqual(["10.1.0.0/16"]);
});
