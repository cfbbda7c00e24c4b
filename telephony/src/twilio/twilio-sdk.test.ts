import { systemClock } from "@parley/time/clock";
import twilio, { validateRequest } from "twilio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { becomesTrue } from "../rtp/testing/threaded-end.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../simulated-network/simulated-network.ts";
import { ACCOUNT_SID, AUTH_TOKEN } from "./testing/open-twilio-rig.ts";
import { openTwilioEndpoint, type TwilioEndpoint } from "./testing/twilio-endpoint.ts";
import { TwilioServer } from "./testing/twilio-server.ts";
import { TwilioRest } from "./twilio-rest.ts";
import { isSignedByTwilio, signTwilioRequest } from "./twilio-signature.ts";

/** Sends the SDK's requests to the stand-in. Everything else about them is the SDK's own. */
class RedirectedClient extends twilio.RequestClient {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    super();
    this.#baseUrl = baseUrl;
  }

  override request<Data>(options: Parameters<typeof twilio.RequestClient.prototype.request<Data>>[0]) {
    options.uri = options.uri.replace("https://api.twilio.com", this.#baseUrl);
    return super.request<Data>(options);
  }
}

const EVENTS = ["initiated", "ringing", "answered", "completed"];
const FROM = "+15550199999";
const HANGS_UP = "+15550100001";
const RINGS = "+15550100003";

describe("Twilio's own SDK against the stand-in", { timeout: 30_000 }, () => {
  let network: SimulatedNetwork;
  let server: TwilioServer;
  let endpoint: TwilioEndpoint;

  beforeEach(async () => {
    network = createSimulatedNetwork({ clock: systemClock, audio: false, speed: 10 });
    server = await TwilioServer.open({
      clock: systemClock,
      accountSid: ACCOUNT_SID,
      authToken: AUTH_TOKEN,
      network,
      numbers: { own: [FROM], verified: ["+15550177777"] },
    });
    endpoint = await openTwilioEndpoint();
  });

  afterEach(async () => {
    await server.close();
    await network.close();
    await endpoint.close();
  });

  function connect(authToken = AUTH_TOKEN) {
    return twilio(ACCOUNT_SID, authToken, { httpClient: new RedirectedClient(server.url) });
  }

  function streamTwiml(): string {
    const response = new twilio.twiml.VoiceResponse();
    const stream = response.connect().stream({ url: `${endpoint.url.replace("http", "ws")}/stream` });
    stream.parameter({ name: "token", value: 'a "quoted" & <strange> token' });
    return response.toString();
  }

  function call(to: string) {
    const statusCallback = `${endpoint.url}/calls/token-1`;
    return connect().calls.create({
      to,
      from: FROM,
      twiml: streamTwiml(),
      statusCallback,
      statusCallbackEvent: EVENTS,
      statusCallbackMethod: "POST",
      timeout: 600,
    });
  }

  it("creates, fetches, lists and ends a call", async () => {
    const created = await call(RINGS);
    expect(created.sid).toMatch(/^CA[0-9a-f]{32}$/);
    expect([created.status, created.to, created.from, created.direction]).toEqual([
      "queued",
      RINGS,
      FROM,
      "outbound-api",
    ]);
    expect(created.dateCreated.getTime()).toBeGreaterThan(0);
    const client = connect();
    expect((await client.calls(created.sid).fetch()).sid).toBe(created.sid);
    const startTimeAfter = new Date(Date.now() - 86_400_000);
    expect(
      (await client.calls.list({ to: RINGS, from: FROM, startTimeAfter, limit: 20 })).map(({ sid }) => sid),
    ).toEqual([created.sid]);
    expect(await client.calls.list({ to: HANGS_UP, limit: 20 })).toEqual([]);
    await client.calls(created.sid).update({ status: "completed" });
    expect((await client.calls(created.sid).fetch()).status).toBe("canceled");
    await expect(client.calls(created.sid).update({ status: "completed" })).rejects.toMatchObject({
      status: 400,
      code: 21_220,
    });
  });

  it("finds the numbers of the account and those that it has verified, as ours does", async () => {
    const client = connect();
    const rest = new TwilioRest({
      ...{ clock: systemClock, accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN },
      baseUrl: server.url,
    });
    for (const phoneNumber of [FROM, "+15550177777", "+15550111111"]) {
      const own = await client.incomingPhoneNumbers.list({ phoneNumber });
      const verified = await client.outgoingCallerIds.list({ phoneNumber });
      const found = [...own, ...verified].map((each) => each.phoneNumber);
      expect(found).toEqual(phoneNumber === "+15550111111" ? [] : [phoneNumber]);
      expect(await rest.mayShow(phoneNumber)).toBe(found.length > 0);
    }
    rest.close();
  });

  it("lists the callbacks that a call caused", async () => {
    const created = await call("+15550100002");
    await becomesTrue(() => endpoint.callbacks.some(({ parameters }) => parameters["CallStatus"] === "busy"));
    await becomesTrue(() => server.isIdle);
    const events = await connect().calls(created.sid).events.list({ limit: 20 });
    expect(events.map(({ request }) => (request as { url: string }).url)).toContain(`${endpoint.url}/calls/token-1`);
  });

  it("gets the errors of a wrong auth token, of too many requests, of a bad number and of an unknown call", async () => {
    await expect(connect("wrong").calls.list({ limit: 1 })).rejects.toMatchObject({ status: 401, code: 20_003 });
    server.faults.onCreate = () => "too_many_requests";
    await expect(call(RINGS)).rejects.toMatchObject({ status: 429, code: 20_429 });
    server.faults.onCreate = () => null;
    await expect(call("12")).rejects.toMatchObject({ status: 400, code: 21_211 });
    await expect(
      connect()
        .calls(`CA${"0".repeat(32)}`)
        .fetch(),
    ).rejects.toMatchObject({ status: 404, code: 20_404 });
    expect(server.calls).toEqual([]);
  });

  it("accepts the signature of every callback, as our validator does, and refuses a changed one as ours does", async () => {
    await call(HANGS_UP);
    const isOver = () => endpoint.callbacks.some(({ parameters }) => parameters["CallStatus"] === "completed");
    expect(await becomesTrue(isOver)).toBe(true);
    expect(endpoint.callbacks.map(({ parameters }) => parameters["CallStatus"])).toEqual([
      "initiated",
      "ringing",
      "in-progress",
      "completed",
    ]);
    for (const { url, signature, parameters } of endpoint.callbacks) {
      expect(validateRequest(AUTH_TOKEN, signature, url, parameters)).toBe(true);
      expect(isSignedByTwilio(AUTH_TOKEN, signature, url, parameters)).toBe(true);
      const changed = { ...parameters, CallStatus: "completed ", To: "+1" };
      expect(validateRequest(AUTH_TOKEN, signature, url, changed)).toBe(false);
      expect(isSignedByTwilio(AUTH_TOKEN, signature, url, changed)).toBe(false);
      expect(isSignedByTwilio("another", signature, url, parameters)).toBe(false);
      expect(isSignedByTwilio(AUTH_TOKEN, undefined, url, parameters)).toBe(false);
    }
  });

  it("signs as we do, whatever the URL and the parameters contain", () => {
    for (const [url, parameters] of [
      ["https://example.com/twilio/calls/abc", {}],
      ["https://example.com/a?b=c&d=%20e", { B: "2", A: "1", a: "ü & é", empty: "" }],
      ["https://example.com:8443/a", { CallSid: "CA1", Body: "line\nbreak" }],
    ] as const) {
      const signature = signTwilioRequest(AUTH_TOKEN, url, parameters);
      expect(validateRequest(AUTH_TOKEN, signature, url, { ...parameters })).toBe(true);
    }
  });
});
