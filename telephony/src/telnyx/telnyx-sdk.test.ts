import { systemClock } from "@parley/time/clock";
import Telnyx from "telnyx";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { becomesTrue } from "../rtp/testing/threaded-end.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../simulated-network/simulated-network.ts";
import { parseObject } from "../stream-carrier/stream-message.ts";
import { type Endpoint, openEndpoint, type ReceivedCallback } from "../stream-carrier/testing/open-endpoint.ts";
import { TelnyxApi } from "./telnyx-api.ts";
import { isSignedByTelnyx } from "./telnyx-webhook.ts";
import { API_KEY, CALLER_ID, CONNECTION_ID, PRIVATE_KEY } from "./testing/open-telnyx-rig.ts";
import { publicKeyOf, TelnyxServer } from "./testing/telnyx-server.ts";

const HANGS_UP = "+15550100001";
const RINGS = "+15550100003";
const OWN_NUMBER = "+15550100097";
const VERIFIED_NUMBER = "+15550100098";
const PUBLIC_KEY = publicKeyOf(PRIVATE_KEY);

describe("Telnyx's own SDK against the stand-in", { timeout: 30_000 }, () => {
  let network: SimulatedNetwork;
  let server: TelnyxServer;
  let endpoint: Endpoint;

  beforeEach(async () => {
    network = createSimulatedNetwork({ clock: systemClock, audio: false, speed: 10 });
    const account = { apiKey: API_KEY, privateKey: PRIVATE_KEY, connectionId: CONNECTION_ID };
    const numbers = { own: [OWN_NUMBER], verified: [VERIFIED_NUMBER] };
    server = await TelnyxServer.open({ clock: systemClock, ...account, network, numbers });
    endpoint = await openEndpoint();
  });

  afterEach(async () => {
    await server.close();
    await network.close();
    await endpoint.close();
  });

  function connect(apiKey = API_KEY) {
    return new Telnyx({ apiKey, publicKey: PUBLIC_KEY, baseURL: server.url, maxRetries: 0 });
  }

  async function dial(to: string, commandId?: string) {
    const command = commandId === undefined ? {} : { command_id: commandId };
    const { data } = await connect().calls.dial({
      connection_id: CONNECTION_ID,
      to,
      from: CALLER_ID,
      client_state: Buffer.from("ours").toString("base64"),
      webhook_url: `${endpoint.url}/calls/token-1`,
      timeout_secs: 600,
      ...command,
    });
    return data?.call_control_id ?? "";
  }

  const typesOf = (received: readonly ReceivedCallback[]) =>
    received.map(({ body }) => (parseObject(body)["data"] as { event_type: string }).event_type);

  it("dials, asks about, lists and hangs up a call", async () => {
    const id = await dial(RINGS);
    const client = connect();
    const { data } = await client.calls.retrieveStatus(id);
    expect(data).toMatchObject({ call_control_id: id, is_alive: false, record_type: "call" });
    expect(data?.end_time).toBeUndefined();
    const listed: string[] = [];
    for await (const call of client.connections.listActiveCalls(CONNECTION_ID)) {
      listed.push(`${call.call_control_id} ${Buffer.from(call.client_state, "base64")}`);
    }
    expect(listed).toEqual([`${id} ours`]);
    expect((await client.calls.actions.hangup(id, {})).data?.result).toBe("ok");
    expect((await client.calls.retrieveStatus(id)).data?.end_time).toMatch(/Z$/);
    await expect(client.calls.actions.hangup(id, {})).rejects.toMatchObject({ status: 422 });
    expect((await client.connections.listActiveCalls(CONNECTION_ID)).data).toEqual([]);
  });

  it("pages through the active calls", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => dial(RINGS)));
    const listed: string[] = [];
    for await (const call of connect().connections.listActiveCalls(CONNECTION_ID, { "page[size]": 2 })) {
      listed.push(call.call_control_id);
    }
    expect(listed.sort()).toEqual(ids.sort());
  });

  it("transfers a call, and sends keys to it", async () => {
    const id = await dial("+15550100013");
    expect(await becomesTrue(() => typesOf(endpoint.received).includes("call.answered"))).toBe(true);
    const { actions } = connect().calls;
    expect((await actions.sendDtmf(id, { digits: "12#" })).data?.result).toBe("ok");
    await expect(actions.sendDtmf(id, { digits: "xyz" })).rejects.toMatchObject({ status: 422 });
    const target_leg_client_state = Buffer.from("party").toString("base64");
    const webhook_url = `${endpoint.url}/calls/token-1`;
    await actions.transfer(id, { to: "+15550100013", from: CALLER_ID, target_leg_client_state, webhook_url });
    expect(await becomesTrue(() => typesOf(endpoint.received).includes("call.bridged"))).toBe(true);
  });

  it("dials once for a command that is repeated", async () => {
    const [first, second] = [await dial(RINGS, "command-1"), await dial(RINGS, "command-1")];
    expect(second).toBe(first);
    expect(await dial(RINGS, "command-2")).not.toBe(first);
    expect(server.calls).toHaveLength(2);
  });

  it("gets the errors of a wrong API key, of too many requests, of a bad number and of an unknown call", async () => {
    await expect(connect("wrong").calls.retrieveStatus("v3:x")).rejects.toBeInstanceOf(Telnyx.AuthenticationError);
    server.faults.onCreate = () => "too_many_requests";
    await expect(dial(RINGS)).rejects.toBeInstanceOf(Telnyx.RateLimitError);
    server.faults.onCreate = () => null;
    await expect(dial("12")).rejects.toBeInstanceOf(Telnyx.UnprocessableEntityError);
    await expect(connect().calls.retrieveStatus("v3:unknown")).rejects.toBeInstanceOf(Telnyx.NotFoundError);
    expect(server.calls).toEqual([]);
  });

  it("reads the application and its numbers as we do", async () => {
    const client = connect();
    const { data } = await client.callControlApplications.retrieve(CONNECTION_ID);
    expect(data).toMatchObject({ id: CONNECTION_ID, active: true, webhook_api_version: "2" });
    expect(data?.outbound?.outbound_voice_profile_id).toMatch(/^\d+$/);
    await expect(client.callControlApplications.retrieve("1")).rejects.toBeInstanceOf(Telnyx.NotFoundError);
    const owned: unknown[] = [];
    for await (const entry of client.phoneNumbers.list({ filter: { phone_number: OWN_NUMBER.slice(1) } })) {
      owned.push(entry.phone_number);
    }
    expect(owned).toEqual([OWN_NUMBER]);
    expect((await client.verifiedNumbers.retrieve(VERIFIED_NUMBER)).data?.phone_number).toBe(VERIFIED_NUMBER);
    await expect(client.verifiedNumbers.retrieve(OWN_NUMBER)).rejects.toBeInstanceOf(Telnyx.NotFoundError);
    const api = new TelnyxApi({ clock: systemClock, apiKey: API_KEY, baseUrl: server.url });
    expect(await api.fetchApplication(CONNECTION_ID)).toEqual({
      isKeyRight: true,
      application: { isActive: true, hasOutboundProfile: true, webhookVersion: "2" },
    });
    expect(await api.fetchApplication("1")).toEqual({ isKeyRight: true, application: null });
    const shown = [OWN_NUMBER, VERIFIED_NUMBER, "+15550100011", OWN_NUMBER.slice(0, -1)];
    expect(await Promise.all(shown.map((number) => api.mayShow(number)))).toEqual([true, true, false, false]);
    api.close();
  });

  it("verifies every webhook as we do, and refuses changed and old ones as we do", async () => {
    await dial(HANGS_UP);
    expect(await becomesTrue(() => typesOf(endpoint.received).includes("call.hangup"))).toBe(true);
    expect(typesOf(endpoint.received)).toEqual(["call.initiated", "call.answered", "call.hangup"]);
    const client = connect();
    for (const { headers, body } of endpoint.received) {
      const signature = String(headers["telnyx-signature-ed25519"]);
      const timestamp = String(headers["telnyx-timestamp"]);
      const given = { "telnyx-signature-ed25519": signature, "telnyx-timestamp": timestamp };
      const event = await client.webhooks.unwrap(body, { headers: given });
      expect(event).toMatchObject({ data: { record_type: "event" } });
      const isOurs = (change: object, nowMs = systemClock.now()) =>
        isSignedByTelnyx(PUBLIC_KEY, { signature, timestamp, body, ...change }, nowMs);
      expect(isOurs({})).toBe(true);
      const changed = body.replace("call.", "call,");
      await expect(client.webhooks.unwrap(changed, { headers: given })).rejects.toThrow();
      expect(isOurs({ body: changed })).toBe(false);
      const later = String(Number(timestamp) + 1);
      await expect(
        client.webhooks.unwrap(body, { headers: { ...given, "telnyx-timestamp": later } }),
      ).rejects.toThrow();
      expect(isOurs({ timestamp: later })).toBe(false);
      for (const skewMs of [301_000, -301_000]) expect(isOurs({}, Number(timestamp) * 1_000 + skewMs)).toBe(false);
      for (const skewMs of [299_000, -299_000]) expect(isOurs({}, Number(timestamp) * 1_000 + skewMs)).toBe(true);
      for (const absent of [{ signature: undefined }, { timestamp: undefined }, { signature: "AAAA" }]) {
        expect(isOurs(absent)).toBe(false);
      }
    }
  });
});
