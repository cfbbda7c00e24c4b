import { generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Dial } from "../carrier.ts";
import { followLeg } from "../conformance/follow-leg.ts";
import { becomesTrue } from "../rtp/testing/threaded-end.ts";
import type { CreateFault } from "../stream-carrier/testing/create-fault.ts";
import { createFastClock } from "../stream-carrier/testing/fast-clock.ts";
import type { StreamDialRecord } from "../stream-carrier/vendor-calls.ts";
import { clientStateOf } from "./telnyx-calls.ts";
import { openTelnyxRig, PRIVATE_KEY, type TelnyxRig, type TelnyxRigOptions } from "./testing/open-telnyx-rig.ts";

const SPEED = 10;

describe("the Telnyx carrier, when things go wrong", { timeout: 60_000 }, () => {
  let rig: TelnyxRig;

  afterEach(async () => {
    await rig.close();
    expect(rig.resourcesHeld()).toBe(0);
  });

  async function open(options: TelnyxRigOptions = {}) {
    rig = await openTelnyxRig({ clock: createFastClock(SPEED), ...options });
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
      expect([rig.telnyx.createRequests, await rig.timesRung(dial.dialId)]).toEqual([1, 1]);
    },
  );

  it.each<CreateFault>(["drop_reply", "error_after_dial"])(
    "finds the call in Telnyx's list when no webhook comes either: %j",
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
      expect([rig.telnyx.createRequests, rig.telnyx.calls.length]).toEqual([1, 0]);
    },
  );

  it("hangs up a call that appears after it was given up", async () => {
    await open({ faults: { onCreate: () => ({ lateReplyMs: 50_000 }), webhooks: "never", hidesCalls: true } });
    const { dial, leg, followed } = await place(rig.numbers.noAnswer);
    await rig.waitFor(leg.hangup(), "the hangup");
    expect(followed.events.at(-1)).toMatchObject({ cause: "lost" });
    expect(await becomesTrue(() => rig.callsOf(dial.dialId).every(({ endedAtMs }) => endedAtMs !== null))).toBe(true);
  });

  it("reports a refusal as what it is, and rings no phone", async () => {
    await open({ faults: { onCreate: () => "too_many_requests" } });
    const { followed } = await place(rig.numbers.hangsUp);
    const end = await rig.waitFor(followed.until("ended"), "the end");
    expect(end).toMatchObject({ cause: "unavailable", code: null, retryAfterS: 1 });
    expect(rig.telnyx.calls).toEqual([]);
  });

  it("says that the API key is wrong without showing it", async () => {
    await open({ apiKey: "wrong-key" });
    const { followed } = await place(rig.numbers.hangsUp);
    const end = await rig.waitFor(followed.until("ended"), "the end");
    expect(end).toMatchObject({ cause: "rejected", reason: "Telnyx refused the API key." });
    expect(JSON.stringify([end, rig.listenerErrors.map(String)])).not.toContain("wrong-key");
  });

  it.each(["twice", "swapped"] as const)("keeps the order of a call whose webhooks come %s", async (webhooks) => {
    await open({ faults: { webhooks } });
    const { followed } = await place(rig.numbers.hangsUp);
    await rig.waitFor(followed.until("ended"), "the end");
    await rig.settle();
    const seen = followed.events.map(({ type }) => type);
    expect(seen.filter((type) => type !== "ringing")).toEqual(["answered", "ended"]);
    expect(seen.indexOf("ringing")).toBeLessThanOrEqual(0);
  });

  it("notices answer and end by the stream when no callback arrives", async () => {
    await open({ faults: { webhooks: "never" } });
    const { followed } = await place(rig.numbers.hangsUp);
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ cause: "hangup", by: "callee" });
    expect(followed.events.map(({ type }) => type)).toEqual(["answered", "ended"]);
  });

  it("asks Telnyx when neither webhooks nor a stream tell what became of a call", async () => {
    await open({ faults: { webhooks: "never" } });
    const { followed } = await place(rig.numbers.busy);
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({
      cause: "lost",
      reason: "Telnyx ended the call and did not report why.",
    });
  });

  it("believes no webhook when the clocks are too far apart, and follows the call by its stream", async () => {
    await open({ faults: { clockAheadS: 400 } });
    const { followed } = await place(rig.numbers.hangsUp);
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ cause: "hangup", by: "callee" });
    expect(followed.events.map(({ type }) => type)).toEqual(["answered", "ended"]);
  });

  it("hangs up an answered call whose stream never connects", async () => {
    await open({ faults: { streams: { neverConnects: true } } });
    const { dial, followed } = await place(rig.numbers.staysOnTheLine);
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({
      cause: "media_timeout",
      reason: "Telnyx never opened the media stream.",
    });
    expect(await rig.isLive(dial.dialId)).toBe(false);
  });

  it("ends a call whose stream breaks", async () => {
    await open();
    const { dial, leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    await becomesTrueAsync(async () => (await leg.statistics())?.packetsReceived);
    rig.telnyx.cutStream(rig.callsOf(dial.dialId)[0]?.controlId ?? "");
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

  it("plays media that arrives out of order in its order", async () => {
    await open({ faults: { streams: { swapsMedia: true } } });
    const { leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    await becomesTrueAsync(async () => ((await leg.statistics())?.packetsReceived ?? 0) > 50);
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "answered"]);
  });

  it("refuses webhooks that Telnyx did not sign, and those about another call", async () => {
    await open();
    const { dial, followed } = await place(rig.numbers.noAnswer);
    await rig.waitFor(followed.until("ringing"), "the ringing");
    const { callbackToken } = recordOf(dial);
    const path = `/calls/${callbackToken}`;
    const hangup = (controlId: string) => ({
      data: {
        record_type: "event",
        event_type: "call.hangup",
        payload: { call_control_id: controlId, client_state: clientStateOf(callbackToken, "call") },
      },
    });
    const send = (event: object, key: KeyObject, timestamp = String(Math.floor(rig.clock.now() / 1_000))) => {
      const body = JSON.stringify(event);
      const signature = sign(null, Buffer.from(`${timestamp}|${body}`), key).toString("base64");
      return rig.carrier.handleWebhook({ path, signature, timestamp, body });
    };
    const ours = hangup(rig.callsOf(dial.dialId)[0]?.controlId ?? "");
    expect(send(ours, generateKeyPairSync("ed25519").privateKey)).toBe(403);
    expect(send(ours, PRIVATE_KEY, String(Math.floor(rig.clock.now() / 1_000) - 301))).toBe(403);
    expect(send(hangup("v3:another"), PRIVATE_KEY)).toBe(200);
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing"]);
    expect(send(ours, PRIVATE_KEY)).toBe(200);
    await rig.waitFor(followed.until("ended"), "the end");
  });

  it("is not moved by a webhook that is sent again", async () => {
    await open();
    const { leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    await rig.settle();
    for (const { path, headers, body } of [...rig.endpoint.received, ...rig.endpoint.received]) {
      const signature = String(headers["telnyx-signature-ed25519"]);
      const timestamp = String(headers["telnyx-timestamp"]);
      expect(rig.carrier.handleWebhook({ path, signature, timestamp, body })).toBe(200);
    }
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "answered"]);
    await rig.waitFor(leg.hangup(), "the hangup");
  });

  it("accepts a stream only with a token that is valid and unused", async () => {
    await open();
    const { leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    await becomesTrueAsync(async () => (await leg.statistics())?.packetsReceived);
    const url = `${rig.endpoint.url.replace("http", "ws")}/stream/`;
    const used = rig.telnyx.streamUrls[0] ?? "";
    expect(used).toMatch(/\/stream\/[\w-]{32}$/);
    for (const refused of [`${url}a-guess`, url, used, `${used}x`]) {
      const socket = new WebSocket(refused);
      const [error] = (await once(socket, "error")) as [Error];
      expect(error.message).toContain("403");
    }
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "answered"]);
  });

  it("takes a stream that does not begin as it should for none, and hangs up", async () => {
    await open({ faults: { streams: { neverConnects: true } } });
    const { dial, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    const socket = new WebSocket(rig.telnyx.streamUrls[0] ?? "");
    await once(socket, "open");
    socket.send(JSON.stringify({ event: "media", media: { track: "inbound", timestamp: "0", payload: "/w==" } }));
    const [code] = (await once(socket, "close")) as [number];
    expect(code).toBe(1008);
    await rig.waitFor(followed.until("ended"), "the end");
    expect(await rig.isLive(dial.dialId)).toBe(false);
  });

  it("takes no webhook about one call for one about another, whatever path it is sent to", async () => {
    await open({ faults: { onCreate: (_, ordinal) => (ordinal === 1 ? null : { lateReplyMs: 60_000 }) } });
    const first = await place(rig.numbers.hangsUp);
    await rig.waitFor(first.followed.until("ended"), "the end of the first call");
    await rig.settle();
    const replayed = [...rig.endpoint.received];
    expect(replayed.length).toBeGreaterThan(2);
    rig.telnyx.faults.webhooks = "never";
    // It has no name yet, so that it could be given the wrong one.
    const { dial, followed } = await place(rig.numbers.noAnswer);
    const path = `/calls/${recordOf(dial).callbackToken}`;
    for (const { headers, body } of replayed) {
      const signature = String(headers["telnyx-signature-ed25519"]);
      const timestamp = String(headers["telnyx-timestamp"]);
      expect(rig.carrier.handleWebhook({ path, signature, timestamp, body })).toBe(404);
    }
    expect(followed.events).toEqual([]);
    expect(recordOf(dial).vendorCallId).toBeNull();
  });

  it("names its request, so that Telnyx would ignore a second one", async () => {
    await open();
    const { dial, followed } = await place(rig.numbers.noAnswer);
    await rig.waitFor(followed.until("ringing"), "the ringing");
    expect(rig.telnyx.commandIds).toEqual([dial.dialId]);
  });

  it("hangs up a call that was placed before a restart", async () => {
    await open({ faults: { onCreate: () => ({ lateReplyMs: 60_000 }) } });
    const first = rig.carrier;
    const dialing = place(rig.numbers.staysOnTheLine);
    await becomesTrue(() => rig.telnyx.calls.length === 1);
    rig.restart();
    await dialing;
    expect(await becomesTrue(() => rig.telnyx.calls.every(({ endedAtMs }) => endedAtMs !== null))).toBe(true);
    await first.close();
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

  it("confirms nothing about an orphan that Telnyx does not show", async () => {
    await open({ faults: { hidesCalls: true } });
    const { dial, followed } = await place(rig.numbers.noAnswer);
    await rig.waitFor(followed.until("ringing"), "the ringing");
    const orphan = { callId: dial.callId, dialId: dial.dialId, record: recordOf(dial) };
    expect(await rig.waitFor(rig.otherCarrier.endOrphan(orphan), "the answer")).toBe(false);
  });

  it("transfers the callee and leaves the call to Telnyx", async () => {
    await open();
    const { dial, leg, followed } = await place(rig.numbers.staysOnTheLine);
    await rig.waitFor(followed.until("answered"), "the answer");
    leg.transfer({ to: "+15550100013", how: "auto", dialId: randomUUID(), ringTimeoutMs: 30_000 });
    expect(await rig.waitFor(followed.until("ended"), "the end")).toMatchObject({ reason: "Call Transferred" });
    expect(progressOf(followed.events)).toEqual(["trying", "ringing", "completed"]);
    expect(await rig.isLive(dial.dialId)).toBe(true);
    expect(rig.telnyx.calls).toHaveLength(2);
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
    expect(rig.telnyx.calls).toHaveLength(2);
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
    expect(rig.telnyx.calls).toHaveLength(1);
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
