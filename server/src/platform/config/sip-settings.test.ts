import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readSettings } from "./read-settings.ts";
import { readSipTls } from "./sip-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-sip-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (environment: Record<string, string> = {}) =>
  readSettings({ PARLEY_DATA_DIR: "data", ...environment }, folder).sip;

describe("the settings of telephony", () => {
  test("have working defaults, even where the API listens only on loopback", () => {
    const sip = read();
    expect(sip).toMatchObject({
      host: "0.0.0.0",
      secondHost: "::",
      port: 5060,
      publicHost: null,
      rtpPorts: { first: 16_384, last: 32_767 },
      tlsPaths: { key: null, cert: null, ca: null },
    });
    expect(sip.mediaThreads).toBeGreaterThanOrEqual(1);
    expect(sip.mediaThreads).toBeLessThanOrEqual(8);
  });

  test("are taken as they were set", () => {
    expect(
      read({
        PARLEY_SIP_HOST: "::",
        PARLEY_SIP_PORT: "5080",
        PARLEY_SIP_PUBLIC_HOST: "203.0.113.10",
        PARLEY_RTP_PORTS: "20000-20003",
        PARLEY_MEDIA_THREADS: "3",
      }),
    ).toMatchObject({
      host: "::",
      secondHost: null,
      port: 5080,
      publicHost: "203.0.113.10",
      rtpPorts: { first: 20_000, last: 20_003 },
      mediaThreads: 3,
    });
  });

  test.each([
    ["PARLEY_SIP_HOST", { PARLEY_SIP_HOST: "sip.example.com" }],
    ["PARLEY_SIP_HOST", { PARLEY_SIP_HOST: "10.0.0.1,10.0.0.2" }],
    ["PARLEY_SIP_HOST", { PARLEY_SIP_HOST: "10.0.0.1,::1,::2" }],
    ["PARLEY_SIP_PORT", { PARLEY_SIP_PORT: "65535" }],
    ["PARLEY_SIP_PUBLIC_HOST", { PARLEY_SIP_PUBLIC_HOST: "voice.example.com" }],
    ["PARLEY_SIP_PUBLIC_HOST", { PARLEY_SIP_PUBLIC_HOST: "203.0.113.10", PARLEY_SIP_PORT: "0" }],
    ["PARLEY_RTP_PORTS", { PARLEY_RTP_PORTS: "20000" }],
    ["PARLEY_RTP_PORTS", { PARLEY_RTP_PORTS: "20001-20002" }],
    ["PARLEY_RTP_PORTS", { PARLEY_RTP_PORTS: "30000-20000" }],
    ["PARLEY_RTP_PORTS", { PARLEY_RTP_PORTS: "100-200" }],
    ["PARLEY_RTP_PORTS", { PARLEY_RTP_PORTS: "60000-70000" }],
    ["PARLEY_SIP_TLS_CERT", { PARLEY_SIP_TLS_KEY: "key.pem" }],
    ["PARLEY_MEDIA_THREADS", { PARLEY_MEDIA_THREADS: "0" }],
  ])("are refused by the name %s when set to %j", (name, environment) => {
    expect(() => read(environment)).toThrow(name);
  });

  test("name files that are read only when they are needed, and one that cannot be read is named by its setting", () => {
    writeFileSync(join(folder, "ca.pem"), "the authorities");
    expect(readSipTls(read({ PARLEY_SIP_TLS_CA: "ca.pem" }))).toEqual({ ca: "the authorities" });
    const missing = read({ PARLEY_SIP_TLS_CERT: "cert.pem", PARLEY_SIP_TLS_KEY: "key.pem" });
    expect(() => readSipTls(missing)).toThrow(/^PARLEY_SIP_TLS_KEY: .*key\.pem/);
    expect(readSipTls(read())).toEqual({});
  });
});
