import { isProxyUri } from "@parley/contract/network-fields";
import { NewTrunk } from "@parley/contract/trunks";
import { parseUri, writeUri } from "@parley/telephony/sip/message/uri";
import { TRUNK_DEFAULTS } from "@parley/telephony/sip/sip-trunk";
import { describe, expect, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { toCarrierTrunk } from "./to-carrier-trunk.ts";
import { columnsOf, limitsOf, passwordPlace, settingsOf, type TrunkRow } from "./trunk-record.ts";

const secrets = deriveSecrets("a secret that is only used in tests");

function rowOf(fields: object, password: string | null = null): TrunkRow {
  const { password: _, ...settings } = NewTrunk.parse({ name: "One", host: "sip.example.com", ...fields });
  const at = new Date(0);
  return {
    id: "trk_1",
    managed_by: "operator",
    is_enabled: settings.isEnabled,
    ...columnsOf(settings),
    ...limitsOf(settings),
    password_sealed: password === null ? null : secrets.seal(password, passwordPlace("trk_1")),
    active_count: 0,
    created_at: at,
    updated_at: at,
  } as TrunkRow;
}

describe("a trunk for the carrier", () => {
  test("that only names its host behaves as the carrier's own default does", () => {
    const sip = { ...TRUNK_DEFAULTS, host: "sip.example.com" };
    expect(toCarrierTrunk(rowOf({}), secrets)).toMatchObject({ sip });
  });

  test("of a vendor has the account and its secret, and no SIP", () => {
    const username = `AC${"0123456789abcdef".repeat(2)}`;
    const row = rowOf({ kind: "twilio", host: null, username, callerIds: ["+15550100099"], channelsMax: 7 }, "a-token");
    expect(row.host).toBe("api.twilio.com");
    expect(settingsOf(row)).toMatchObject({ kind: "twilio", host: null, username });
    expect(toCarrierTrunk(row, secrets)).toEqual({
      id: "trk_1",
      kind: "twilio",
      name: "One",
      isEnabled: true,
      callerIds: ["+15550100099"],
      channelsMax: 7,
      callsPerSecond: null,
      accountId: username,
      secret: "a-token",
      publicKey: null,
    });
  });

  test("carries its password in clear, its times in milliseconds and everything else as it was entered", () => {
    const fields = {
      port: 5061,
      transport: "tls",
      outboundProxy: "sips:proxy.example.com",
      username: "u",
      registersAs: "u",
      fromHost: "from.example.com",
      publicAddress: { host: "203.0.113.9", port: 5070 },
      publicMediaHost: "203.0.113.10",
      numberFormat: "digits",
      dialPrefix: "9",
      callerIds: ["+4930100"],
      codecs: ["PCMA", "PCMU"],
      srtp: "optional",
      channelsMax: 7,
      callsPerSecond: 0.5,
      pingIntervalSeconds: 30,
      noResponseMs: 2_500,
      sessionTimerSeconds: 90,
    } as const;
    expect(toCarrierTrunk(rowOf(fields, "pw"), secrets)).toMatchObject({
      sip: {
        port: 5061,
        transport: "tls",
        outboundProxy: "sips:proxy.example.com",
        credentials: { username: "u", password: "pw" },
        fromHost: "from.example.com",
        publicAddress: { host: "203.0.113.9", port: 5070 },
        noResponseMs: 2_500,
        sessionExpiresS: 90,
      },
      numberFormat: "digits",
      dialPrefix: "9",
      callerIds: ["+4930100"],
      codecs: ["PCMA", "PCMU"],
      srtp: "optional",
      publicMediaHost: "203.0.113.10",
      registersAs: "u",
      pingIntervalMs: 30_000,
      channelsMax: 7,
      callsPerSecond: 0.5,
    });
  });

  test("loses nothing on its way through the database", () => {
    const { password: _, ...settings } = NewTrunk.parse({
      name: "One",
      host: "sip.example.com",
      publicAddress: { host: "203.0.113.9", port: 5070 },
      callsPerSecond: 3,
    });
    expect(settingsOf(rowOf(settings))).toEqual(settings);
  });
});

test("the carrier understands every proxy address that the API takes", () => {
  const taken = ["sip:p.example", "sips:p.example:5061;lr", "sip:[2001:db8::1]:5060;transport=TCP", "SIP:192.0.2.1"];
  for (const text of taken) {
    expect(isProxyUri(text), text).toBe(true);
    const uri = parseUri(text);
    expect(uri?.scheme, text).toMatch(/^sips?$/);
    expect(uri && writeUri(uri).toLowerCase(), text).toBe(text.toLowerCase());
  }
});
