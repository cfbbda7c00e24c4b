import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulatedNetwork, type SimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { TelnyxServer, type TelnyxServerOptions } from "@parley/telephony/telnyx/testing/telnyx-server";
import { TwilioServer } from "@parley/telephony/twilio/testing/twilio-server";
import { systemClock } from "@parley/time/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { VendorTrunk } from "../trunks/to-carrier-trunk.ts";
import { examineVendorTrunk } from "./examine-vendor-trunk.ts";

const SID = `AC${"1".repeat(32)}`;
const TRUNK: VendorTrunk = {
  ...{ id: "trk_t", name: "Twilio", isEnabled: true, channelsMax: null, callsPerSecond: null },
  ...{ kind: "twilio", accountId: SID, secret: "right", callerIds: ["+15550100097", "+15550100098"] },
  publicKey: null,
};
const NUMBERS = { own: ["+15550100097"], verified: ["+15550100098"] };

describe("a trunk of Twilio under examination", () => {
  let network: SimulatedNetwork;
  let twilio: TwilioServer;
  let ours: Server;
  let ownReply: { status: number; body: string };
  let ownRequests: string[];

  beforeEach(async () => {
    network = createSimulatedNetwork({ clock: systemClock, audio: false });
    const account = { accountSid: SID, authToken: "right", numbers: NUMBERS };
    twilio = await TwilioServer.open({ clock: systemClock, ...account, network });
    ownReply = { status: 403, body: '{"error":{"code":"not_signed"}}' };
    ownRequests = [];
    ours = createServer((request, response) => {
      ownRequests.push(`${request.method} ${request.url}`);
      response.writeHead(ownReply.status).end(ownReply.body);
    });
    ours.listen(0, "127.0.0.1");
    await once(ours, "listening");
  });
  afterEach(async () => {
    await twilio.close();
    await network.close();
    ours.close();
  });

  async function examine(
    changes: Partial<VendorTrunk> = {},
    settings: { routes?: number; apiUrl?: string; port?: number } = {},
  ) {
    const port = settings.port ?? (ours.address() as AddressInfo).port;
    const publicUrl = `http://127.0.0.1:${port}`;
    const reach = { publicUrl, vendorUrls: { twilio: settings.apiUrl ?? twilio.url, telnyx: null } };
    const { signal } = new AbortController();
    const trunk = { ...TRUNK, ...changes };
    const report = await examineVendorTrunk(
      { clock: systemClock, reach, fetch },
      { trunk, routes: settings.routes ?? 1, signal },
    );
    const found = Object.fromEntries(
      report.findings.map(({ step, verdict, finding }) => [step, `${verdict}: ${finding}`]),
    );
    return { ...report, found };
  }

  it("is healthy if the account, its numbers and the public address are right, and no phone rings", async () => {
    const { isHealthy, found } = await examine();
    expect(isHealthy).toBe(true);
    expect(found).toMatchObject({
      settings: "ok: The settings are consistent.",
      connection: "ok: Twilio answers.",
      registration: "ok: The account is active, and the caller ids of the trunk are its own.",
      addresses: expect.stringMatching(/^ok: Requests to http:\S+ arrive at this service, seen from here\.$/),
      call: "skipped: Only SIP trunks are tested with a call.",
    });
    expect(ownRequests).toEqual(["POST /carriers/twilio/doctor/trk_t/calls/doctor"]);
    expect(twilio.createRequests).toBe(0);
  });

  it("has the wrong auth token", async () => {
    const { isHealthy, found, findings } = await examine({ secret: "wrong" });
    expect(isHealthy).toBe(false);
    expect(found["registration"]).toBe("fault: Twilio refuses the credentials.");
    expect(findings.find(({ step }) => step === "registration")?.remedy).toBe("Replace the auth token.");
    expect(JSON.stringify(findings)).not.toContain("wrong");
  });

  it("has a caller id that is not the account's", async () => {
    const { found } = await examine({ callerIds: ["+15550100097", "+15550100011"] });
    expect(found["registration"]).toBe("fault: The account may not show +15550100011, so calls from it are refused.");
  });

  it("cannot reach Twilio", async () => {
    const { found } = await examine({}, { apiUrl: "http://127.0.0.1:9" });
    expect(found["connection"]).toMatch(/^fault: Twilio did not answer: .*ECONNREFUSED/);
    expect(found["registration"]).toMatch(/^skipped/);
  });

  it("has a proxy in front of the public address that sends requests elsewhere", async () => {
    ownReply = { status: 404, body: "not here" };
    const { isHealthy, found } = await examine();
    expect(isHealthy).toBe(false);
    expect(found["addresses"]).toMatch(/^fault: .* answers, but not as this service does \(HTTP status 404\)\.$/);
  });

  it("has a public address where nothing answers, and no route", async () => {
    const { port } = ours.address() as AddressInfo;
    ours.close();
    const { found } = await examine({}, { routes: 0, port });
    expect(found["settings"]).toMatch(/^warning: No route/);
    expect(found["addresses"]).toMatch(/^warning: http:\S+ cannot be reached from here: .*ECONNREFUSED/);
  });
});

describe("a trunk of Telnyx under examination", () => {
  const APPLICATION = "1684641123236054244";
  let network: SimulatedNetwork;
  let telnyx: TelnyxServer | null = null;

  beforeEach(() => {
    network = createSimulatedNetwork({ clock: systemClock, audio: false });
  });
  afterEach(async () => {
    await telnyx?.close();
    await network.close();
  });

  /** What is found about the account. */
  async function examine(
    changes: Partial<VendorTrunk> = {},
    application: NonNullable<TelnyxServerOptions["application"]> = {},
  ): Promise<string> {
    const { privateKey } = generateKeyPairSync("ed25519");
    const account = { apiKey: "right", privateKey, connectionId: APPLICATION, application, numbers: NUMBERS };
    telnyx = await TelnyxServer.open({ clock: systemClock, ...account, network });
    const trunk: VendorTrunk = { ...TRUNK, kind: "telnyx", accountId: APPLICATION, publicKey: "A=", ...changes };
    const reach = { publicUrl: "http://127.0.0.1:9", vendorUrls: { twilio: null, telnyx: telnyx.url } };
    const { signal } = new AbortController();
    const { findings } = await examineVendorTrunk({ clock: systemClock, reach, fetch }, { trunk, routes: 1, signal });
    expect(findings.find(({ step }) => step === "connection")?.finding).toBe("Telnyx answers.");
    expect(telnyx.createRequests).toBe(0);
    const found = findings.find(({ step }) => step === "registration");
    return `${found?.verdict}: ${found?.finding}`;
  }

  it("is right", async () => {
    expect(await examine()).toBe("ok: The account is active, and the caller ids of the trunk are its own.");
  });

  it.each<[string, Partial<VendorTrunk>, NonNullable<TelnyxServerOptions["application"]>, string]>([
    ["the wrong API key", { secret: "wrong" }, {}, "Telnyx refuses the credentials."],
    [
      "the ID of no application",
      { accountId: "42" },
      {},
      "Telnyx says that the account has no Voice API application with this ID.",
    ],
    ["an application that is off", {}, { active: false }, "Telnyx says that the application is not active."],
    [
      "an application that may not call out",
      {},
      { profileId: null },
      "Telnyx says that the application has no outbound voice profile.",
    ],
    [
      "an application with webhooks of another form",
      {},
      { webhooks: "1" },
      "Telnyx says that the application sends webhooks of another API version than 2.",
    ],
    [
      "a number that is not the account's",
      { callerIds: ["+15550100097", "+15550100011"] },
      {},
      "The account may not show +15550100011, so calls from it are refused.",
    ],
  ])("has %s", async (_, changes, application, finding) => {
    expect(await examine(changes, application)).toBe(`fault: ${finding}`);
  });
});
