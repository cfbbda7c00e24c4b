import { signTwilioRequest } from "@parley/telephony/twilio/twilio-signature";
import { expect } from "vitest";
import { closeCodeOf, refusalOf } from "./open-stream.ts";
import { AUTH_TOKEN, TWILIO } from "./phone-vendors.ts";
import { testVendorCalls } from "./vendor-calls.ts";

testVendorCalls(TWILIO, async (rig, { sid, statusUrl }) => {
  const url = statusUrl ?? "";
  const send = async (to: string, form: Record<string, string>, token: string | null) => {
    const signature = token === null ? {} : { "x-twilio-signature": signTwilioRequest(token, to, form) };
    const headers = { "content-type": "application/x-www-form-urlencoded", ...signature };
    return (await fetch(to, { method: "POST", headers, body: new URLSearchParams(form) })).status;
  };
  const completed = { CallSid: sid, CallStatus: "completed" };
  expect(await send(url, completed, null)).toBe(403);
  expect(await send(url, completed, "another-token")).toBe(403);
  expect(await send(url.replace(/[^/]+$/, "A".repeat(32)), completed, AUTH_TOKEN)).toBe(403);
  expect(await send(url.replace(/wrk_[^/]+/, "wrk_unknown"), completed, AUTH_TOKEN)).toBe(403);
  expect(await send(url, { ...completed, CallSid: `CA${"0".repeat(32)}` }, AUTH_TOKEN)).toBe(204);
  // An earlier state again, as in a replay.
  expect(await send(url, { CallSid: sid, CallStatus: "ringing" }, AUTH_TOKEN)).toBe(204);
  expect(await send(url, { ...completed, Filler: "x".repeat(100_000) }, AUTH_TOKEN)).toBe(413);
  // The other trunk has the same account, but this call is not on it.
  const other = await rig.addTrunk({ ...TWILIO.trunk, name: "Other" }, 9, "999");
  expect(await send(url.replace(/trk_[^/]+/, other), completed, AUTH_TOKEN)).toBe(403);

  const streamUrl = url.replace(/\/calls\/.*/, "/stream");
  expect((await fetch(streamUrl)).status).toBe(403);
  const socketUrl = streamUrl.replace(/^http/, "ws");
  expect(await refusalOf(socketUrl)).toBe(403);
  const signed = { "x-twilio-signature": signTwilioRequest(AUTH_TOKEN, socketUrl, {}) };
  const format = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
  const ids = { streamSid: `MZ${"0".repeat(32)}`, accountSid: TWILIO.trunk.username, callSid: sid };
  const start = (token: string) => ({
    event: "start",
    start: { ...ids, mediaFormat: format, customParameters: { token } },
    streamSid: ids.streamSid,
  });
  const media = { event: "media", media: { track: "inbound", timestamp: "0", payload: "/w==" } };
  expect(await closeCodeOf(socketUrl, signed, [start("a-guess")])).toBe(1008);
  expect(await closeCodeOf(socketUrl, signed, [media])).toBe(1008);
  expect(await closeCodeOf(socketUrl, signed, [{ event: "stop", filler: "x".repeat(70_000) }])).toBe(1009);
  return {
    async afterTheEnd() {
      expect(await send(url, { CallSid: sid, CallStatus: "in-progress" }, AUTH_TOKEN)).toBe(204);
    },
  };
});
