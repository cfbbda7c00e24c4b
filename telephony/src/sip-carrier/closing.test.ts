import { describe, expect, it } from "vitest";
import { openVirtualCarrier } from "./testing/open-virtual-carrier.ts";

describe("closing a carrier", () => {
  it("takes a bounded time, and what the network did not confirm by then is lost", async () => {
    const rig = openVirtualCarrier();
    const { followed } = await rig.place();
    await rig.clock.advance(500);
    rig.network.dropWhere(() => true);
    const closing = rig.carrier.close();
    await rig.clock.advance(7_900);
    expect(followed.events.at(-1)?.type).toBe("answered");
    await rig.clock.advance(300);
    await closing;
    expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "lost", by: "network" });
    expect(rig.journal.ends).toMatchObject([{ dialId: "dial-1", end: { cause: "lost" } }]);
    expect(await rig.close()).toBe(0);
  });

  it("while a dial waits for its turn sends nothing", async () => {
    const rig = openVirtualCarrier();
    rig.journal.decide = () => ({ decision: "send", afterMs: 60_000 });
    const placing = rig.place();
    await rig.clock.advance(10);
    expect(await rig.close()).toBe(0);
    const { followed } = await placing;
    expect(followed.events).toMatchObject([{ type: "ended", cause: "canceled" }]);
    expect(rig.farA.peer.received).toEqual([]);
    expect(rig.journal.ends).toMatchObject([{ dialId: "dial-1", end: { cause: "canceled" } }]);
  });

  it("leaves no timer behind when a dial waits for a journal that never answers", async () => {
    const rig = openVirtualCarrier();
    const never = Promise.withResolvers<never>();
    rig.journal.decide = () => never.promise;
    const placing = rig.place();
    await rig.clock.advance(10);
    expect(await rig.close()).toBe(0);
    const { followed } = await placing;
    expect(followed.events).toMatchObject([{ type: "ended", cause: "canceled" }]);
  });

  it("leaves no orphan's end unanswered", async () => {
    const rig = openVirtualCarrier();
    await rig.place();
    await rig.clock.advance(500);
    const { trunkId, record } = rig.journal.answered[0] ?? { trunkId: null, record: null };
    rig.network.dropWhere(() => true);
    const ending = rig.carrier.endOrphan({ callId: "call", dialId: "dial-1", trunkId, record });
    await rig.close();
    expect(await ending).toBe(false);
  });
});

describe("an orphan", () => {
  it("whose trunk is gone, or whose record cannot be read, is not confirmed to be over", async () => {
    const rig = openVirtualCarrier();
    await rig.place();
    await rig.clock.advance(500);
    const { record } = rig.journal.answered[0] ?? { record: null };
    const names = { callId: "call", dialId: "dial-1" };
    expect(await rig.carrier.endOrphan({ ...names, trunkId: "deleted", record })).toBe(false);
    expect(await rig.carrier.endOrphan({ ...names, trunkId: "a", record: { kind: "dialog" } })).toBe(false);
    expect(rig.farA.callTo("+15550001").state).toBe("talking");
    expect(await rig.close()).toBe(0);
  });

  it("of which nothing was written down is over, since nothing was sent", async () => {
    const rig = openVirtualCarrier();
    expect(await rig.carrier.endOrphan({ callId: "call", dialId: "never", trunkId: "a", record: null })).toBe(true);
    expect(await rig.close()).toBe(0);
  });
});

describe("a stray message", () => {
  it("is reported and does no harm", async () => {
    const rig = openVirtualCarrier();
    const { types } = await rig.place();
    await rig.clock.advance(500);
    const us = { transport: "udp", address: "10.0.0.1", port: 5060 } as const;
    rig.farB.peer.send(Buffer.from("GET / HTTP/1.1\r\n\r\n"), us);
    rig.farB.peer.send(Buffer.from([0xff, 0x00, 0xfe]), us);
    const stray = rig.farA.peer.request("INVITE");
    rig.farB.peer.ask(stray, "BYE", { toTag: "nobody" });
    await rig.clock.advance(500);
    expect(rig.refused.map((told) => told.split(":")[0])).toEqual([
      "malformed_message",
      "malformed_message",
      "unknown_source",
    ]);
    expect(types()).toEqual(["ringing", "answered"]);
    expect(rig.errors).toEqual([]);
    expect(await rig.close()).toBe(0);
  });
});
