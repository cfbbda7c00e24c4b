import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Dial } from "../carrier.ts";
import { followLeg } from "../conformance/follow-leg.ts";
import { becomesTrue } from "../rtp/testing/threaded-end.ts";
import type { CreateFault } from "../stream-carrier/testing/create-fault.ts";
import { createFastClock } from "../stream-carrier/testing/fast-clock.ts";
import type { StreamDialRecord } from "../stream-carrier/vendor-calls.ts";
import {
  ACCOUNT_SID,
  AUTH_TOKEN,
  openTwilioRig,
  type TwilioRig,
  type TwilioRigOptions,
} from "./testing/open-twilio-rig.ts";
import { signTwilioRequest } from "./twilio-signature.ts";

const SPEED = 10;

describe("the Twilio carrier, when things go wrong", { timeout: 60_000 }, () => {
  let rig: TwilioRig;

  afterEach(async () => {
    await rig.close();
    expect(rig.resourcesHeld()).toBe(0);
  });

  async function open(options: TwilioRigOptions = {}) {
    rig = await openTwilioRig({ clock: createFastClock(SPEED), ...options });
  }

  async function place(to: string) {
    const dial: Dial = { callId: randomUUID(), dialId: randomUUID(), to, from: null, journal: rig.journal };
    const leg = await rig.carrier.place(dial);
    return { dial, leg, followed: followLeg(leg) };
  }

  function recordOf(dial: Dial): StreamDialRecord {
    return rig.journal.written.find(({ dialId }) => dialId === dial.dialId)?.record as StreamDialRecord;
  }

  it.each<CreateFault>(["drop_reply", "error_after_dial", "malformed_reply", { lateReplyMs: 20_000 }])(
    "dials once and follows the call although the reply was of no use: %j",
    async (fault) => {
      await open({ faults: { onCreate: () => fault } });
      const { dial, followed } = await place(rig.numbers.hangsUp);
      expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ cause: "hangup", by: "callee" });
      expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "answered", "ended"]);
      expect([rig.twilio.createRequests, await rig.timesRung(dial.dialId)]).toEqual([1, 1]);
    },
  );

  it.each<CreateFault>(["drop_reply", "error_after_dial"])(
    "finds the call in Twilio's list when no callback comes either: %j",
    async (fault) => {
      await open({ faults: { onCreate: () => fault } });
      const other = await place(rig.numbers.noAnswer);
      await rig.waitFor(other.followed.until("ringing"), "the other call to the same number");
      const { dial, leg, followed } = await place(rig.numbers.noAnswer);
      await rig.waitFor(leg.hangup(), "the hangup");
      expect(followed.events.at(-1)).toMatchObject({ cause: "canceled", by: "us" });
      expect([await rig.isLive(dial.dialId), await rig.isLive(other.dial.dialId)]).toEqual([false, true]);
    },
  );

  it.each<CreateFault>(["error_before_dial", "drop_request"])(
    "ends as lost, and never dials again, when it stays unknown whether a phone rang: %s",
    async (fault) => {
      await open({ faults: { onCreate: () => fault } });
      const { followed } = await place(rig.numbers.hangsUp);
      expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ cause: "lost", code: null });
      expect([rig.twilio.createRequests, rig.twilio.calls.length]).toEqual([1, 0]);
    },
  );

  it("hangs up a call that appears after it was given up", async () => {
    await open({ faults: { onCreate: () => ({ lateReplyMs: 50_000 }), callbacks: "never", hidesEvents: true } });
    const { dial, leg, followed } = await place(rig.numbers.noAnswer);
    await rig.waitFor(leg.hangup(), "the hangup");
    expect(followed.events.at(-1)).toMatchObject({ cause: "lost" });
    expect(await becomesTrue(() => rig.callsOf(dial.dialId).every(({ status }) => status === "canceled"))).toBe(true);
  });

  it("reports a refusal as what it is, and rings no phone", async () => {
    await open({ faults: { onCreate: () => "too_many_requests" } });
    const { followed } = await place(rig.numbers.hangsUp);
    const end = await rig.waitFor(followed.until("ended"), "the end");
    expect(end).toMatchObject({ cause: "unavailable", code: null, retryAfterS: 1 });
    expect(rig.twilio.calls).toEqual([]);
  });

  it("says that the auth token is wrong without showing it", async () => {
    await open({ authToken: "wrong-token" });
    const { followed } = await place(rig.numbers.hangsUp);
    const end = await rig.waitFor(followed.until("ended"), "the end");
    expect(end).toMatchObject({ cause: "rejected", reason: "Twilio refused the account SID or the auth token." });
    expect(JSON.stringify([end, rig.listenerErrors.map(String)])).not.toContain("wrong-token");
  });

  it.each(["twice", "swapped"] as const)("keeps the order of a call whose callbacks come %s", async (callbacks) => {
    await open({ faults: { callbacks } });
    const { followed } = await place(rig.numbers.hangsUp);
    await rig.waitFor(followed.until("ended"), "the end");
    await rig.settle();
    const seen = followed.events.map(({ type }) => type);
    expect(seen.filter((type) => type !== "ringing")).toEqual(["answered", "ended"]);
    expect(seen.indexOf("ringing")).toBeLessThanOrEqual(0);
  });

  it("notices answer and end by the stream when no callback arrives", async () => {
    await open({ faults: { callbacks: "never" } });
    const { followed } = await place(rig.numbers.hangsUp);
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ cause: "hangup", by: "callee" });
    expect(followed.events.map(({ type }) => type)).toEqual(["answered", "ended"]);
  });

  it("asks Twilio when neither callbacks nor a stream tell what became of a call", async () => {
    await open({ faults: { callbacks: "never" } });
    const { followed } = await place(rig.numbers.busy);
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ cause: "busy", code: null });
  });

  it("hangs up an answered call whose stream never connects", async () => {
    await open({ faults: { streams: { neverConnects: true } } });
    const { dial, followed } = await place(rig.numbers.staysOnTheLine);
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({
      cause: "media_timeout",
      reason: "Twilio never opened the media stream.",
    });
    expect(await rig.isLive(dial.dialId)).toBe(false);
  });

  it("ends a call whose stream breaks", async () => {
    await open();
    const { dial, leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    await becomesTrueAsync(async () => (await leg.statistics())?.packetsReceived);
    rig.twilio.cutStream(rig.callsOf(dial.dialId)[0]?.sid ?? "");
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ cause: "hangup" });
    expect(await rig.isLive(dial.dialId)).toBe(false);
  });

  it("ignores messages that are not part of the protocol", async () => {
    await open({ faults: { streams: { sendsNonsense: true } } });
    const { leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    await becomesTrueAsync(async () => ((await leg.statistics())?.packetsReceived ?? 0) > 20);
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "answered"]);
  });

  it.each(["media_before_start", "start_twice", "huge_message"] as const)(
    "hangs up once, and holds nothing, when a stream does what none should: %s",
    async (breaks) => {
      await open({ faults: { streams: { breaks } } });
      const { dial, followed } = await place(rig.numbers.staysOnTheLine);
      await rig.waitFor(followed.until("ended"), "the end");
      await rig.settle();
      expect(followed.events.filter(({ type }) => type === "ended")).toHaveLength(1);
      expect(await rig.isLive(dial.dialId)).toBe(false);
      expect(rig.listenerErrors).toEqual([]);
    },
  );

  it("takes a stop that comes twice, with media in between, for one end", async () => {
    await open({ faults: { streams: { breaks: "stop_twice" } } });
    const { followed } = await place(rig.numbers.hangsUp);
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ cause: "hangup", by: "callee" });
    await rig.settle();
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "answered", "ended"]);
    expect(rig.listenerErrors).toEqual([]);
  });

  it("reports that we are not heard when marks do not return", async () => {
    await open({ faults: { streams: { keepsMarks: true } } });
    const { followed } = await place(rig.numbers.staysOnTheLine);
    expect(await rig.waitFor(followed.until("not_heard"), "the alarm")).toMatchObject({ wasHeard: false });
  });

  it("refuses callbacks that Twilio did not sign, and those about another call", async () => {
    await open();
    const { dial, followed } = await place(rig.numbers.noAnswer);
    await rig.waitFor(followed.until("ringing"), "the ringing");
    const path = `/calls/${recordOf(dial).callbackToken}`;
    const parameters = { CallSid: rig.callsOf(dial.dialId)[0]?.sid ?? "", CallStatus: "completed" };
    const send = (given: Record<string, string>, signature?: string) =>
      rig.carrier.handleCallback({ path, signature, parameters: given }).status;
    expect(send(parameters)).toBe(403);
    expect(send(parameters, signTwilioRequest("guess", rig.endpoint.url + path, parameters))).toBe(403);
    const foreign = { ...parameters, CallSid: `CA${"f".repeat(32)}` };
    expect(send(foreign, signTwilioRequest(AUTH_TOKEN, rig.endpoint.url + path, foreign))).toBe(204);
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing"]);
  });

  it("accepts a stream only with a token that is valid and unused", async () => {
    await open();
    const { followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    const url = `${rig.endpoint.url.replace("http", "ws")}/stream`;
    const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
    const ids = { streamSid: "MZ1", accountSid: ACCOUNT_SID, callSid: "CA1", tracks: ["inbound"], mediaFormat };
    for (const first of [
      { event: "start", start: { ...ids, customParameters: { token: "a guess" } } },
      { event: "start", start: { ...ids, customParameters: {} } },
      { event: "media", media: { track: "inbound", timestamp: "0", payload: "/w==" } },
    ]) {
      const socket = new WebSocket(url);
      await once(socket, "open");
      socket.send(JSON.stringify(first));
      await once(socket, "close");
    }
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "answered"]);
  });

  it("lets another worker end a call of which only the write-ahead is known, and no other call", async () => {
    await open();
    const mine = await place(rig.numbers.noAnswer);
    const other = await place(rig.numbers.noAnswer);
    await rig.waitFor(Promise.all([mine.followed.until("ringing"), other.followed.until("ringing")]), "both phones");
    const record = recordOf(mine.dial);
    expect(record.vendorCallId).toBeNull();
    const orphan = { callId: mine.dial.callId, dialId: mine.dial.dialId, record };
    expect(await rig.waitFor(rig.otherCarrier.endOrphan(orphan), "the confirmation")).toBe(true);
    expect([await rig.isLive(mine.dial.dialId), await rig.isLive(other.dial.dialId)]).toEqual([false, true]);
  });

  it("confirms nothing about an orphan that Twilio does not show", async () => {
    await open({ faults: { hidesEvents: true } });
    const { dial, followed } = await place(rig.numbers.noAnswer);
    await rig.waitFor(followed.until("ringing"), "the ringing");
    const orphan = { callId: dial.callId, dialId: dial.dialId, record: recordOf(dial) };
    expect(await rig.waitFor(rig.otherCarrier.endOrphan(orphan), "the answer")).toBe(false);
  });

  it("transfers the callee and leaves the call to Twilio", async () => {
    await open();
    const { dial, leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    leg.transfer({ to: "+15550100013", how: "auto", dialId: randomUUID(), ringTimeoutMs: 30_000 });
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ reason: "Call Transferred" });
    expect(progressOf(followed.events)).toEqual(["trying", "ringing", "completed"]);
    expect(await rig.isLive(dial.dialId)).toBe(true);
  });

  it("transfers the callee although the reply to the request was lost", async () => {
    await open({ faults: { onTransfer: () => "drop_reply" } });
    const { dial, leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    await becomesTrueAsync(async () => (await leg.statistics())?.packetsReceived);
    leg.transfer({ to: "+15550100013", how: "auto", dialId: randomUUID(), ringTimeoutMs: 30_000 });
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ reason: "Call Transferred" });
    expect(progressOf(followed.events)).toEqual(["trying", "ringing", "completed"]);
    expect(await rig.isLive(dial.dialId)).toBe(true);
    expect(rig.twilio.calls).toHaveLength(2);
  });

  it("keeps the callee when the request for a transfer was lost on its way", async () => {
    await open({ faults: { onTransfer: () => "drop_request" } });
    const { dial, leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    await becomesTrueAsync(async () => (await leg.statistics())?.packetsReceived);
    leg.transfer({ to: "+15550100013", how: "auto", dialId: randomUUID(), ringTimeoutMs: 30_000 });
    expect(await becomesTrue(() => progressOf(followed.events).includes("failed"))).toBe(true);
    expect(progressOf(followed.events)).toEqual(["trying", "failed"]);
    const before = (await leg.statistics())?.packetsReceived ?? 0;
    await becomesTrueAsync(async () => ((await leg.statistics())?.packetsReceived ?? 0) > before + 50);
    expect(await rig.isLive(dial.dialId)).toBe(true);
    expect(rig.twilio.calls).toHaveLength(1);
  });

  it("takes the callee back when the other party does not answer", async () => {
    await open();
    const { leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    leg.transfer({ to: rig.numbers.busy, how: "refer", dialId: randomUUID(), ringTimeoutMs: 30_000 });
    expect(await becomesTrue(() => progressOf(followed.events).includes("failed"))).toBe(true);
    const before = (await leg.statistics())?.packetsReceived ?? 0;
    await becomesTrueAsync(async () => ((await leg.statistics())?.packetsReceived ?? 0) > before + 50);
    expect(followed.events.map(({ type }) => type)).not.toContain("ended");
    leg.transfer({ to: rig.numbers.busy, how: "bridge", dialId: randomUUID(), ringTimeoutMs: 30_000 });
    expect(await becomesTrue(() => followed.events.at(-1)?.type === "transfer_progressed")).toBe(true);
    expect(followed.events.at(-1)).toMatchObject({ how: "bridge", state: "failed", code: 501 });
  });
});

function progressOf(
  events: readonly { readonly type: string; readonly state?: string }[],
): readonly (string | undefined)[] {
  return events.flatMap((event) => (event.type === "transfer_progressed" ? [event.state] : []));
}

async function becomesTrueAsync(isSo: () => Promise<unknown>): Promise<void> {
  let isTrue = false;
  const look = () => {
    isSo().then(
      (answer) => {
        isTrue ||= Boolean(answer);
      },
      () => undefined,
    );
    return isTrue;
  };
  expect(await becomesTrue(look)).toBe(true);
}
