import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulatedNetwork, type SimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { TwilioServer } from "@parley/telephony/twilio/testing/twilio-server";
import { systemClock } from "@parley/time/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { VendorTrunk } from "../trunks/to-carrier-trunk.ts";
import { examineVendorTrunk } from "./examine-vendor-trunk.ts";

const SID = `AC${"1".repeat(32)}`;
const TRUNK: VendorTrunk = {
  ...{ id: "trk_t", name: "Twilio", isEnabled: true, channelsMax: null, callsPerSecond: null },
  ...{ kind: "twilio", accountId: SID, secret: "right", callerIds: ["+15550100097", "+15550100098"] },
};

describe("a trunk of Twilio under examination", () => {
  let network: SimulatedNetwork;
  let twilio: TwilioServer;
  let ours: Server;
  let ownReply: { status: number; body: string };
  let ownRequests: string[];

  beforeEach(async () => {
    network = createSimulatedNetwork({ clock: systemClock, audio: false });
    const numbers = { own: ["+15550100097"], verified: ["+15550100098"] };
    twilio = await TwilioServer.open({ clock: systemClock, accountSid: SID, authToken: "right", network, numbers });
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
    const reach = { publicUrl, vendorUrls: { twilio: settings.apiUrl ?? twilio.url } };
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
      settings: "ok: The settings fit together.",
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
