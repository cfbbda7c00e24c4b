import { describe, expect, it } from "vitest";
import type { DialAttempt } from "../carrier.ts";
import { readLegRecord } from "../sip/dialog/dialog-record.ts";
import { openVirtualCarrier } from "./testing/open-virtual-carrier.ts";

describe("the journal", () => {
  it("has each request before it leaves, and the answer before it is acknowledged", async () => {
    const rig = openVirtualCarrier();
    const asked = Promise.withResolvers<DialAttempt>();
    const written = Promise.withResolvers<void>();
    const committed = Promise.withResolvers<void>();
    rig.journal.decide = async (attempt) => {
      asked.resolve(attempt);
      await written.promise;
      return { decision: "send", afterMs: 0 };
    };
    const commit = rig.journal.commitAnswer.bind(rig.journal);
    rig.journal.commitAnswer = async (attempt) => {
      await committed.promise;
      await commit(attempt);
    };
    const placing = rig.place();
    await rig.clock.advance(500);
    const attempt = await asked.promise;
    expect(readLegRecord(attempt.record)?.kind).toBe("invite");
    expect(rig.farA.peer.received).toEqual([]);
    written.resolve();
    const { types } = await placing;
    await rig.clock.advance(500);
    expect(rig.farA.peer.summary()).toEqual(["INVITE"]);
    expect(types()).toEqual(["ringing"]);
    committed.resolve();
    await rig.clock.advance(500);
    expect(rig.farA.peer.summary()).toEqual(["INVITE", "ACK"]);
    expect(readLegRecord(rig.journal.recordOf("dial-1")?.record)?.kind).toBe("dialog");
    expect(types()).toEqual(["ringing", "answered"]);
    expect(await rig.close()).toBe(0);
  });

  it("says when a request may leave, and not a moment earlier it does", async () => {
    const rig = openVirtualCarrier();
    rig.journal.decide = () => ({ decision: "send", afterMs: 700 });
    const placing = rig.place();
    await rig.clock.advance(690);
    expect(rig.farA.peer.received).toEqual([]);
    await rig.clock.advance(20);
    await placing;
    expect(rig.farA.peer.summary()).toEqual(["INVITE"]);
    expect(await rig.close()).toBe(0);
  });

  it("sends a call on to the next trunk where one has no channel free, under the same name", async () => {
    const rig = openVirtualCarrier();
    rig.journal.decide = ({ trunkId }) =>
      trunkId === "a" ? { decision: "trunk_full" } : { decision: "send", afterMs: 0 };
    await rig.place();
    await rig.clock.advance(500);
    expect(rig.journal.written).toMatchObject([{ dialId: "dial-1", ordinal: 1, trunkId: "b" }]);
    expect(rig.farA.calls.size).toBe(0);
    expect(await rig.close()).toBe(0);
    expect(rig.journal.ends.map(({ dialId }) => dialId)).toEqual(["dial-1"]);
  });

  it("ends a call for which every trunk is full, with that reason", async () => {
    const rig = openVirtualCarrier();
    rig.journal.decide = () => ({ decision: "trunk_full" });
    const { followed } = await rig.place();
    const reason = "Every trunk that may carry this call has all its channels in use.";
    expect(followed.events).toMatchObject([{ type: "ended", cause: "unavailable", code: null, reason }]);
    expect(rig.journal.ends).toEqual([]);
    expect(await rig.close()).toBe(0);
  });

  it("stops a call that may no longer be dialed, even between two trunks", async () => {
    const rig = openVirtualCarrier({ planA: { ringsAfterMs: null, refuses: { status: 503 } } });
    rig.journal.decide = ({ ordinal }) => (ordinal === 1 ? { decision: "send", afterMs: 0 } : { decision: "stop" });
    const { followed } = await rig.place();
    await rig.clock.advance(500);
    expect(followed.events).toMatchObject([{ type: "ended", cause: "canceled", by: "us" }]);
    expect(rig.farB.calls.size).toBe(0);
    expect(await rig.close()).toBe(0);
  });

  it("sends nothing when it fails, and a later dial of the same name may be sent", async () => {
    const rig = openVirtualCarrier();
    rig.journal.decide = () => Promise.reject(new Error("the database is away"));
    await expect(rig.place({ dialId: "again" })).rejects.toThrow("the database is away");
    await rig.clock.advance(500);
    expect(rig.farA.peer.received).toEqual([]);
    rig.journal.decide = () => ({ decision: "send", afterMs: 0 });
    const { types } = await rig.place({ dialId: "again" });
    await rig.clock.advance(500);
    expect(types()).toEqual(["ringing", "answered"]);
    expect(await rig.close()).toBe(0);
  });

  it("ends the call as its last trunk did when it fails between two trunks", async () => {
    const rig = openVirtualCarrier({ planA: { ringsAfterMs: null, refuses: { status: 503 } } });
    rig.journal.decide = ({ ordinal }) => {
      if (ordinal > 1) throw new Error("the database is away");
      return { decision: "send", afterMs: 0 };
    };
    const { followed } = await rig.place();
    await rig.clock.advance(500);
    expect(followed.events).toMatchObject([{ type: "ended", cause: "unavailable", code: 503 }]);
    expect(rig.errors.map(String)).toEqual(["Error: the database is away"]);
    expect(await rig.close()).toBe(0);
  });

  it("gets an end for a request that was written down and then not wanted any more", async () => {
    const rig = openVirtualCarrier({ planA: { ringsAfterMs: null, refuses: { status: 503 } } });
    rig.journal.decide = ({ ordinal }) => ({ decision: "send", afterMs: ordinal === 1 ? 0 : 5_000 });
    const { leg, followed } = await rig.place();
    await rig.clock.advance(500);
    const hungUp = leg.hangup();
    await rig.clock.advance(0);
    await hungUp;
    expect(followed.events).toMatchObject([{ type: "ended", cause: "canceled", by: "us" }]);
    await rig.clock.advance(10_000);
    expect(rig.farB.calls.size).toBe(0);
    expect(rig.journal.ends.map(({ dialId, end }) => [dialId, end.cause])).toEqual([
      ["dial-1", "unavailable"],
      ["dial-1.2", "canceled"],
    ]);
    expect(await rig.close()).toBe(0);
  });

  it("that cannot keep an answer ends the call again", async () => {
    const rig = openVirtualCarrier();
    rig.journal.commitAnswer = () => Promise.reject(new Error("the database is away"));
    const { followed } = await rig.place();
    await rig.clock.advance(500);
    expect(rig.farA.peer.summary()).toEqual(["INVITE", "ACK", "BYE"]);
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "ended"]);
    expect(followed.events.at(-1)).toMatchObject({ cause: "canceled", by: "us" });
    expect(await rig.close()).toBe(0);
  });
});
