import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { expect } from "vitest";
import { refusalOf } from "./open-stream.ts";
import { TELNYX, TELNYX_PRIVATE_KEY } from "./phone-vendors.ts";
import { testVendorCalls } from "./vendor-calls.ts";

testVendorCalls(TELNYX, async (rig, { controlId, clientState, webhookUrl }) => {
  const url = webhookUrl ?? "";
  const nowS = () => Math.floor(Date.now() / 1_000);
  const post = async (to: string, headers: Record<string, string>, body: string) =>
    (await fetch(to, { method: "POST", headers: { "content-type": "application/json", ...headers }, body })).status;
  const send = (to: string, event: object, key: KeyObject = TELNYX_PRIVATE_KEY, timestampS = nowS()) => {
    const body = JSON.stringify(event);
    const signature = sign(null, Buffer.from(`${timestampS}|${body}`), key).toString("base64");
    return post(to, { "telnyx-signature-ed25519": signature, "telnyx-timestamp": String(timestampS) }, body);
  };
  const event = (type: string, payload: object = {}) => ({
    data: {
      record_type: "event",
      event_type: type,
      payload: { call_control_id: controlId, client_state: clientState, ...payload },
    },
  });
  const hangup = event("call.hangup", { hangup_cause: "normal_clearing", hangup_source: "callee" });
  expect(await post(url, {}, JSON.stringify(hangup))).toBe(403);
  expect(await send(url, hangup, generateKeyPairSync("ed25519").privateKey)).toBe(403);
  // A webhook that was caught on its way, much later.
  expect(await send(url, hangup, TELNYX_PRIVATE_KEY, nowS() - 301)).toBe(403);
  expect(await send(url, hangup, TELNYX_PRIVATE_KEY, nowS() + 301)).toBe(403);
  expect(await send(url.replace(/[^/]+$/, "A".repeat(32)), hangup)).toBe(403);
  expect(await send(url.replace(/wrk_[^/]+/, "wrk_unknown"), hangup)).toBe(403);
  // Genuine, but about another call.
  const others = { call_control_id: "v3:another" };
  expect(await send(url, event("call.hangup", others))).toBe(200);
  expect(await send(url, event("call.hangup", { client_state: Buffer.from("call:x").toString("base64") }))).toBe(403);
  expect(await send(url, event("call.initiated"))).toBe(200);
  expect(await send(url, event("weather.changed"))).toBe(200);
  expect(await send(url, { data: null })).toBe(403);
  expect(await send(url, { ...hangup, filler: "x".repeat(100_000) })).toBe(413);
  // The other trunk has the same account, but this call is not on it.
  const other = await rig.addTrunk({ ...TELNYX.trunk, name: "Other" }, 9, "999");
  expect(await send(url.replace(/trk_[^/]+/, other), hangup)).toBe(403);

  const streamUrl = rig.vendor.streamUrls.at(-1) ?? "";
  expect((await fetch(streamUrl.replace(/^ws/, "http"))).status).toBe(403);
  const token = streamUrl.slice(streamUrl.lastIndexOf("/") + 1);
  for (const forged of [
    // Used already.
    streamUrl,
    streamUrl.replace(token, "A".repeat(32)),
    streamUrl.replace(/\/stream\/[^/]+\//, "/stream/"),
    streamUrl.replace(/trk_[^/]+/, other),
    streamUrl.replace(/wrk_[^/]+/, "wrk_unknown"),
    url.replace(/^http/, "ws"),
  ]) {
    expect(await refusalOf(forged), forged).toBe(403);
  }
  return {
    async afterTheEnd() {
      expect(await send(url, event("call.answered"))).toBe(200);
      expect(await send(url, event("call.bridged"))).toBe(200);
      expect(await refusalOf(streamUrl)).toBe(403);
    },
  };
});
