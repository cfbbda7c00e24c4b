import type { DoctorFinding } from "@parley/contract/doctor";
import type { LegEnd } from "@parley/telephony/carrier";
import { legEndFromCode, lost } from "@parley/telephony/leg-end";
import { trunkTo } from "@parley/telephony/sip-carrier/testing/trunk-to";
import { describe, expect, test } from "vitest";
import { addressKindOf, isOutOfReach } from "./address-kind.ts";
import type { CallFacts } from "./facts.ts";
import { judgeCall, judgeHangup, judgeKeys, judgeSound } from "./judge-call.ts";
import { judgeAddresses, judgeSettings } from "./judge-settings.ts";
import { judgeConnection, judgeNames, judgeOptions, judgeRegistration } from "./judge-signalling.ts";

const trunk = trunkTo(5060, { callerIds: ["+15550100099"] }, { host: "sip.example.com", port: null });
const PUBLIC = "198.51.100.20";
const said = ({ verdict, finding, remedy }: DoctorFinding) => `${verdict}: ${finding} ${remedy ?? ""}`;

describe("addresses", () => {
  test("are known by who can reach them", () => {
    expect(["127.0.0.1", "::1", "10.1.2.3", "100.64.0.1", "fd00::1", "169.254.1.1", PUBLIC].map(addressKindOf)).toEqual(
      ["loopback", "loopback", "private", "private", "private", "private", "public"],
    );
    expect(addressKindOf("::ffff:192.168.1.1")).toBe("private");
    expect(addressKindOf("sip.example.com")).toBe("public");
    expect(isOutOfReach("192.168.1.5", PUBLIC)).toBe(true);
    expect(isOutOfReach("192.168.1.5", "10.0.0.1")).toBe(false);
  });
});

describe("the settings", () => {
  const judge = (changes: object, sip: object = {}, sipHost = "0.0.0.0", routes = 1) =>
    judgeSettings({ trunk: { ...trunk, ...changes, sip: { ...trunk.sip, ...sip } }, routes, sipHost }).map(said);

  test("that fit together are said to", () => {
    expect(judge({})).toEqual(["ok: The settings are consistent. "]);
  });

  test.each<[string, string[]]>([
    ["disabled", judge({ isEnabled: false })],
    ["No route leads", judge({}, {}, "0.0.0.0", 0)],
    ["PARLEY_SIP_HOST", judge({}, { host: PUBLIC }, "127.0.0.1")],
    ["Try port 5061", judge({}, { transport: "tls", port: 5060 })],
    ["Set the transport to tls", judge({}, { port: 5061 })],
    ["can read", judge({ srtp: "required" })],
  ])("show what does not fit: %s", (words, found) => {
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(words);
    expect(found[0]).not.toMatch(/^ok/);
  });
});

describe("the way there", () => {
  test("a name that DNS does not know is a fault, and so is DNS itself", () => {
    expect(said(judgeNames(trunk.sip, { kind: "unknown" }))).toMatch(/^fault: DNS knows no address of sip.example.com/);
    expect(said(judgeNames(trunk.sip, { kind: "failed", reason: "queryA ETIMEOUT" }))).toContain("name servers");
  });

  const tls = { ...trunk.sip, transport: "tls" } as const;
  test.each([
    ["ECONNREFUSED", "usually 5061"],
    ["timeout", "firewall"],
    ["EHOSTUNREACH", "no route to it"],
    ["CERT_HAS_EXPIRED", "expired"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "another name"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "PARLEY_SIP_TLS_CA"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "does not accept our TLS"],
    ["SOMETHING_NEW", "Ask the carrier"],
  ])("a connection that fails with %s has its own remedy", (code, words) => {
    const finding = judgeConnection(tls, { kind: "failed", code, reason: "as Node says it" });
    expect(finding.verdict).toBe("fault");
    expect(finding.finding).toContain("as Node says it");
    expect(finding.remedy).toContain(words);
  });

  test("a certificate that soon expires is a warning", () => {
    const open = (daysLeft: number) =>
      judgeConnection(tls, { kind: "open", tookMs: 35, certificate: { issuedTo: "sip.example.com", daysLeft } })
        .verdict;
    expect([open(90), open(3)]).toEqual(["ok", "warning"]);
  });

  test("a trunk that does not answer OPTIONS is at fault only when nothing else was tried", () => {
    const silent = { kind: "silent", waitedMs: 5000, unreadable: null } as const;
    expect(judgeOptions(trunk.sip, silent, true).verdict).toBe("fault");
    expect(judgeOptions(trunk.sip, silent, false).verdict).toBe("warning");
  });
});

describe("the registration", () => {
  const registering = { ...trunk, registersAs: "us" };
  const answered = (status: number, contacts = 0) =>
    judgeRegistration(registering, {
      kind: "answered",
      status,
      reason: "Said So",
      tookMs: 20,
      seenAs: { host: null, port: null },
      unanswered: null,
      contacts,
    });

  test("that is accepted says how many addresses are on record", () => {
    expect(said(answered(200, 1))).toContain("1 on record");
    expect(answered(200).verdict).toBe("ok");
  });

  test.each([
    [401, "fault", "password"],
    [407, "fault", "password"],
    [403, "fault", "forbids"],
    [404, "fault", "does not know"],
    [405, "warning", "registersAs"],
    [500, "fault", "refused"],
  ])("that is answered %i is a %s", (status, verdict, words) => {
    expect(answered(status).verdict).toBe(verdict);
    expect(said(answered(status))).toContain(words);
  });

  test("that is not required is not checked", () => {
    expect(judgeRegistration(trunk, null).verdict).toBe("skipped");
  });
});

describe("our addresses", () => {
  const judge = (mediaHost: string, sipHost: string, host: string | null = null, port: number | null = null) =>
    judgeAddresses({ trunkAddress: PUBLIC, offered: { sipHost, sipPort: 5060, mediaHost }, seenAs: { host, port } });

  test("that a public trunk cannot reach are a fault, with the address that it sees as the remedy", () => {
    const [media, signalling] = judge("192.168.1.5", "192.168.1.5", "203.0.113.9", 5060);
    expect(media).toMatchObject({ verdict: "fault", step: "addresses" });
    expect(media?.remedy).toContain("to 203.0.113.9");
    expect(signalling?.verdict).toBe("warning");
    expect(judge("192.168.1.5", "203.0.113.9")[0]?.remedy).toContain("the public address of this network");
  });

  test("that are not those the trunk sees are a warning, and so is a translated port", () => {
    const found = judge("203.0.113.8", "203.0.113.8", "203.0.113.9", 61_001);
    expect(found.map(({ verdict }) => verdict)).toEqual(["warning", "warning"]);
    expect(found[1]?.finding).toContain("61001");
  });

  test("are right where trunk and machine are in one network, or the trunk sees the configured address", () => {
    expect(judge("203.0.113.9", "203.0.113.9", "203.0.113.9", 5060)).toMatchObject([{ verdict: "ok" }]);
    const inside = { sipHost: "10.0.0.2", sipPort: 5060, mediaHost: "10.0.0.2" };
    expect(
      judgeAddresses({ trunkAddress: "10.0.0.1", offered: inside, seenAs: { host: null, port: null } }),
    ).toMatchObject([{ verdict: "ok" }]);
  });
});

describe("a test call", () => {
  const statistics = {
    packetsSent: 150,
    packetsReceived: 150,
    packetsLost: 0,
    jitterMs: 2,
    roundTripMs: 12,
    isHeard: true,
    mos: 4.4,
  };
  const facts: CallFacts = {
    to: "+15550100001",
    rangAfterMs: 400,
    hadEarlyMedia: false,
    answeredAfterMs: 2100,
    end: { type: "ended", cause: "hangup", code: null, reason: "", by: "us" },
    unreadable: null,
    endedFirst: false,
    statistics,
    heardDbfs: -20,
    heardTone: true,
    keysHeard: "5",
    offeredMedia: "192.168.1.5",
    answeredMedia: PUBLIC,
  };
  const surroundings = { trunkAddress: PUBLIC, rtpPorts: { firstPort: 16_384, lastPort: 32_767 } };
  const refused = (end: LegEnd) => judgeCall(trunk, { ...facts, answeredAfterMs: null, rangAfterMs: null, end }, true);

  test("that was answered says how long it took", () => {
    expect(judgeCall(trunk, facts, true).finding).toBe("+15550100001 rang after 0.4 s and was answered after 2.1 s.");
  });

  test.each([
    [401, "username and password again"],
    [403, "the caller id +15550100099"],
    [404, "numberFormat is e164"],
    [488, "PCMU, PCMA with srtp off"],
    [500, "on the carrier's side"],
    [503, "on the carrier's side"],
    [607, "blocked"],
  ])("that is refused with %i has its own remedy", (code, words) => {
    const finding = refused(legEndFromCode(code, "Said So", false));
    expect(finding.verdict).toBe("fault");
    expect(finding.finding).toContain(`"${code} Said So"`);
    expect(finding.remedy).toContain(words);
  });

  test("that reached a phone which did not answer does not blame the trunk", () => {
    expect(refused(legEndFromCode(486, "Busy Here", false)).verdict).toBe("warning");
  });

  test("whose tone returned proves audio both ways", () => {
    expect(judgeSound(facts, surroundings)).toMatchObject([{ verdict: "ok" }]);
    expect(judgeKeys("5", facts).verdict).toBe("ok");
    expect(judgeKeys("5", { ...facts, keysHeard: "" }).verdict).toBe("warning");
  });

  test("without an audio packet blames the address where that is wrong, else the ports", () => {
    const mute = { ...facts, statistics: { ...statistics, packetsReceived: 0 } };
    expect(judgeSound(mute, surroundings).map(said)).toEqual([expect.stringContaining("publicMediaHost")]);
    expect(judgeSound({ ...mute, offeredMedia: "203.0.113.9" }, surroundings).map(said)).toEqual([
      expect.stringContaining("16384 to 32767"),
    ]);
  });

  test("to a person says that the person is heard, and what cannot be known", () => {
    const person = { ...facts, heardTone: false, keysHeard: "" };
    expect(judgeSound(person, surroundings)[0]?.finding).toContain("reports that it gets our sound");
    const unreported = { ...person, statistics: { ...statistics, isHeard: null } };
    expect(judgeSound(unreported, surroundings)[0]?.finding).toContain("Only a number that echoes");
    const unheard = { ...person, statistics: { ...statistics, isHeard: false } };
    expect(judgeSound(unheard, surroundings)[0]).toMatchObject({
      verdict: "warning",
      finding: expect.stringContaining("receives nothing of what we send"),
    });
    expect(judgeSound({ ...person, heardDbfs: -75 }, surroundings)[0]).toMatchObject({ verdict: "warning" });
    expect(judgeKeys("5", person).verdict).toBe("skipped");
  });

  test("over a bad line says how bad it was", () => {
    const bad = { ...facts, statistics: { ...statistics, packetsLost: 15, jitterMs: 55 } };
    expect(judgeSound(bad, surroundings)[1]).toMatchObject({
      verdict: "warning",
      finding: "9.1 % of the sound was lost and it came 55 ms out of step.",
    });
  });

  test("whose hang-up was not confirmed is a fault, because it may continue and cost money", () => {
    expect(judgeHangup(facts).verdict).toBe("ok");
    expect(judgeHangup({ ...facts, endedFirst: true }).finding).toContain("callee hung up");
    expect(judgeHangup({ ...facts, end: lost("no answer to BYE") }).verdict).toBe("fault");
    expect(judgeHangup({ ...facts, end: null }).remedy).toContain("staysOnFirstHop");
  });
});
