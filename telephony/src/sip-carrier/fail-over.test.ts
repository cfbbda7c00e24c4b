import { describe, expect, it } from "vitest";
import { branchOf } from "../sip/message/via.ts";
import type { FarPlan } from "./testing/far-call.ts";
import { openVirtualCarrier } from "./testing/open-virtual-carrier.ts";
import { routedTo, trunkTo } from "./testing/trunk-to.ts";

function refusedWith(status: number, changes: Partial<FarPlan> = {}): FarPlan {
  return { ringsAfterMs: null, refuses: { status }, ...changes };
}

describe("a dial over two trunks", () => {
  it.each([408, 480, 500, 502, 503, 504])(
    "goes to the second when the first answers %i before anything rang",
    async (status) => {
      const rig = openVirtualCarrier({ planA: refusedWith(status) });
      const { types, followed } = await rig.place();
      await rig.clock.advance(1_000);
      expect(types()).toEqual(["ringing", "answered"]);
      expect(rig.journal.written.map(({ dialId, ordinal, trunkId }) => [dialId, ordinal, trunkId])).toEqual([
        ["dial-1", 1, "a"],
        ["dial-1.2", 2, "b"],
      ]);
      expect(rig.journal.ends.map(({ dialId, end }) => [dialId, end.code])).toEqual([["dial-1", status]]);
      const [first, second] = [rig.farA.peer.request("INVITE"), rig.farB.peer.request("INVITE")];
      expect(first.essentials.callId).not.toBe(second.essentials.callId);
      expect(await rig.close()).toBe(0);
      expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "hangup", by: "us" });
      expect(rig.outcomes.map(({ trunkId, answered }) => [trunkId, answered])).toEqual([
        ["a", false],
        ["b", true],
      ]);
    },
  );

  it.each([
    ["busy", refusedWith(486), "busy"],
    ["declined", refusedWith(603), "declined"],
    ["no such number", refusedWith(404), "invalid_number"],
    ["our credentials are refused", refusedWith(403), "rejected"],
    ["moved", refusedWith(302), "unreachable"],
    ["503 after it rang", { refuses: { status: 503 } }, "unavailable"],
    ["480 after it rang", { refuses: { status: 480 } }, "no_answer"],
    ["503 after early media", { hasEarlyMedia: true, refuses: { status: 503 } }, "unavailable"],
    [
      "503 whose reason says busy",
      refusedWith(503, { refuses: { status: 503, headers: [["Reason", "Q.850;cause=17"]] } }),
      "busy",
    ],
    [
      "480 whose reason says that it rang",
      refusedWith(480, { refuses: { status: 480, headers: [["Reason", 'Q.850;cause=19;text="no answer"']] } }),
      "no_answer",
    ],
  ] as const)("stays with the first: %s", async (_, planA, cause) => {
    const rig = openVirtualCarrier({ planA });
    const { followed } = await rig.place();
    await rig.clock.advance(1_000);
    expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause });
    expect(rig.farB.calls.size).toBe(0);
    expect(rig.journal.written).toHaveLength(1);
    expect(rig.journal.ends).toMatchObject([{ dialId: "dial-1", end: { cause } }]);
    expect(await rig.close()).toBe(0);
  });

  it.each([1_000, 4_000, 20_000])(
    "goes to the second when the first is silent for its %i ms, and sends nothing more to the first",
    async (noResponseMs) => {
      const rig = openVirtualCarrier({ planA: { isSilent: "from the beginning" }, sipA: { noResponseMs } });
      const { types } = await rig.place();
      await rig.clock.advance(noResponseMs - 100);
      expect(rig.farB.calls.size).toBe(0);
      await rig.clock.advance(1_000);
      expect(types()).toEqual(["ringing", "answered"]);
      expect(rig.journal.written.map(({ dialId, trunkId }) => [dialId, trunkId])).toEqual([
        ["dial-1", "a"],
        ["dial-1.2", "b"],
      ]);
      expect(rig.journal.ends).toMatchObject([{ dialId: "dial-1", end: { cause: "unavailable", code: null } }]);
      const sent = rig.farA.peer.received.length;
      await rig.clock.advance(60_000);
      expect(rig.farA.peer.received).toHaveLength(sent);
      expect(await rig.close()).toBe(0);
    },
  );

  it("blames the trunks and not the callee when all of them are silent, and their circuits open", async () => {
    const silent = { isSilent: "from the beginning" } as const;
    const rig = openVirtualCarrier({ planA: silent, planB: silent });
    for (const ringTimeoutMs of [2_000, 30_000, 60_000, 30_000]) {
      const { followed } = await rig.place({ ringTimeoutMs });
      await rig.clock.advance(9_000);
      expect(followed.events).toMatchObject([{ type: "ended", cause: "unavailable", by: "network" }]);
    }
    expect(rig.carrier.health("a")).toMatchObject({ circuit: "open", trouble: "No response within 4000 ms" });
    expect(rig.carrier.health("b")).toMatchObject({ circuit: "open" });
    expect(await rig.close()).toBe(0);
  });

  describe.each([
    ["the second rings", 50],
    ["the second is talked on", 3_000],
    ["the call is over", 20_000],
  ])("when the first wakes up while %s", (_, afterMs) => {
    it.each([
      ["100", [100], ["CANCEL", "ACK"]],
      ["180", [180], ["CANCEL", "ACK"]],
      ["183 and then 200", [183, 200], ["CANCEL", "ACK", "BYE"]],
      ["200", [200], ["ACK", "BYE"]],
      ["503", [503], ["ACK"]],
      ["407", [407], ["ACK"]],
    ] as const)("a %s of it is ended immediately and never becomes a call", async (_status, statuses, ends) => {
      const rig = openVirtualCarrier({
        planA: { isSilent: "from the beginning" },
        planB: { ringsAfterMs: 10, answersAfterMs: 1_000, hangsUpAfterMs: 10_000 },
      });
      const { followed } = await rig.place();
      await rig.clock.advance(4_000 + afterMs);
      const { peer } = rig.farA;
      const before = peer.received.length;
      const invite = peer.request("INVITE", -1);
      for (const status of statuses) {
        peer.reply(invite, status, { toTag: "late" });
        // A phone that is answered does not know of the CANCEL any more.
        if (status === 183) peer.on("CANCEL", (cancel) => peer.reply(cancel, 200, { toTag: "late" }));
        await rig.clock.advance(10);
      }
      await rig.clock.advance(500);
      expect(new Set(peer.summary().slice(before))).toEqual(new Set(ends));
      await rig.clock.advance(30_000);
      expect(followed.events.map(({ type }) => type)).toEqual(["ringing", "answered", "ended"]);
      expect(followed.events.at(-1)).toMatchObject({ cause: "hangup", by: "callee" });
      expect(peer.requests("INVITE").every(({ essentials }) => essentials.callId === invite.essentials.callId)).toBe(
        true,
      );
      expect(await rig.close()).toBe(0);
    });
  });

  it("ends an answer of the first that comes after the second was tried", async () => {
    const rig = openVirtualCarrier({ planA: { isSilent: "from the beginning" } });
    await rig.place();
    await rig.clock.advance(33_000);
    rig.farA.peer.reply(rig.farA.peer.request("INVITE"), 200, { toTag: "late" });
    await rig.clock.advance(1_000);
    expect(rig.farA.peer.summary().slice(-2)).toEqual(["ACK", "BYE"]);
    expect(await rig.close()).toBe(0);
  });

  it("cancels a phone of the first that begins to ring after the second was tried, once", async () => {
    const rig = openVirtualCarrier({ planA: { isSilent: "from the beginning" } });
    const { types } = await rig.place();
    await rig.clock.advance(33_000);
    const invite = rig.farA.peer.request("INVITE");
    rig.farA.peer.reply(invite, 180, { toTag: "late" });
    rig.farA.peer.reply(invite, 180, { toTag: "late" });
    await rig.clock.advance(1_000);
    expect(rig.farA.peer.requests("CANCEL").map(({ essentials }) => branchOf(essentials.via))).toEqual([
      branchOf(invite.essentials.via),
    ]);
    expect(rig.farA.peer.summary().at(-1)).toBe("ACK");
    expect(types()).toEqual(["ringing", "answered"]);
    expect(await rig.close()).toBe(0);
  });

  it("cancels a phone that begins to ring after its silent trunk was abandoned", async () => {
    const rig = openVirtualCarrier({ planA: { isSilent: "from the beginning" } });
    const { leg, followed } = await rig.place();
    const ended = leg.hangup();
    await rig.clock.advance(40_000);
    await ended;
    expect(followed.events).toMatchObject([{ type: "ended", cause: "canceled" }]);
    rig.farA.peer.reply(rig.farA.peer.request("INVITE"), 180, { toTag: "late" });
    await rig.clock.advance(1_000);
    expect(rig.farA.peer.summary().slice(-2)).toEqual(["CANCEL", "ACK"]);
    expect(await rig.close()).toBe(0);
  });

  it("cancels and tries no other when the first says 100 and then nothing until the ring time is over", async () => {
    const rig = openVirtualCarrier({ planA: { isSilent: "after trying" } });
    const { followed } = await rig.place({ ringTimeoutMs: 40_000 });
    await rig.clock.advance(39_000);
    expect(rig.farA.peer.requests("CANCEL")).toHaveLength(0);
    await rig.clock.advance(2_000);
    expect(rig.farA.peer.requests("CANCEL")).toHaveLength(1);
    expect(followed.events).toMatchObject([{ type: "ended", cause: "unreachable", code: null }]);
    expect(rig.farB.calls.size).toBe(0);
    expect(await rig.close()).toBe(0);
  });

  it("gives the second trunk only what is left of the ring time", async () => {
    const rig = openVirtualCarrier({ planA: { isSilent: "from the beginning" }, planB: { answersAfterMs: null } });
    const { followed } = await rig.place({ ringTimeoutMs: 45_000 });
    await rig.clock.advance(44_000);
    expect(followed.events.map(({ type }) => type)).toEqual(["ringing"]);
    await rig.clock.advance(2_000);
    expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "no_answer" });
    expect(await rig.close()).toBe(0);
  });

  it("ends as the last trunk did when none is left", async () => {
    const rig = openVirtualCarrier({ planA: refusedWith(503), planB: refusedWith(480) });
    const { followed } = await rig.place();
    await rig.clock.advance(1_000);
    expect(followed.events).toMatchObject([{ type: "ended", cause: "unreachable", code: 480 }]);
    expect(rig.journal.ends.map(({ dialId }) => dialId)).toEqual(["dial-1", "dial-1.2"]);
    expect(await rig.close()).toBe(0);
  });

  it("tries the second machine of a trunk before the second trunk", async () => {
    const rig = openVirtualCarrier({ sipA: { host: "two.test" } });
    await rig.place();
    await rig.clock.advance(33_000);
    expect(rig.journal.written.map(({ dialId, trunkId }) => [dialId, trunkId])).toEqual([
      ["dial-1", "a"],
      ["dial-1.2", "a"],
    ]);
    expect(rig.farA.calls.size).toBe(1);
    expect(rig.farB.calls.size).toBe(0);
    expect(await rig.close()).toBe(0);
  });

  it("passes over a trunk whose name leads nowhere, and sends its first request to the second", async () => {
    const rig = openVirtualCarrier({ sipA: { host: "nowhere.test" } });
    const { types } = await rig.place();
    await rig.clock.advance(1_000);
    expect(types()).toEqual(["ringing", "answered"]);
    expect(rig.journal.written).toMatchObject([{ dialId: "dial-1", ordinal: 1, trunkId: "b" }]);
    expect(rig.carrier.health("a").trouble).toBe("Its name leads to no address.");
    expect(await rig.close()).toBe(0);
  });

  it("fails over immediately over TCP when a connection is refused", async () => {
    const rig = openVirtualCarrier({ sipA: { host: "10.0.0.77", transport: "tcp" } });
    const { types } = await rig.place();
    await rig.clock.advance(1_000);
    expect(types()).toEqual(["ringing", "answered"]);
    expect(rig.journal.ends).toMatchObject([{ dialId: "dial-1", end: { cause: "unavailable", code: null } }]);
    expect(await rig.close()).toBe(0);
  });

  it("explains why there is no trunk at all", async () => {
    const rig = openVirtualCarrier();
    const cases = [
      [{ trunks: [], routes: [] }, "No route leads to this number."],
      [routedTo(trunkTo(5060, { isEnabled: false })), "Every trunk for this number is switched off."],
      [routedTo(trunkTo(5060, { callerIds: ["+4930123"] })), "No trunk for this number may show this caller id."],
    ] as const;
    for (const [directory, reason] of cases) {
      rig.setDirectory(directory);
      const { followed } = await rig.place({ from: "+15551234" });
      expect(followed.events).toMatchObject([{ type: "ended", cause: "unavailable", code: null, reason }]);
    }
    expect(rig.journal.written).toEqual([]);
    expect(await rig.close()).toBe(0);
  });
});
