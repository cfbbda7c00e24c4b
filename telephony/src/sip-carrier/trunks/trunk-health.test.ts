import { describe, expect, it } from "vitest";
import { header } from "../../sip/message/read-headers.ts";
import { openVirtualCarrier } from "../testing/open-virtual-carrier.ts";
import { routedTo, trunkTo } from "../testing/trunk-to.ts";

const BROKEN = { ringsAfterMs: null, refuses: { status: 503, reason: "Service Unavailable" } } as const;

describe("the circuit of a trunk", () => {
  it("opens after three failures, spares the callee the detour, and closes when a trial succeeds", async () => {
    const rig = openVirtualCarrier({ planA: BROKEN });
    for (let call = 0; call < 3; call += 1) {
      await rig.place();
      await rig.clock.advance(200);
    }
    expect(rig.carrier.health("a")).toMatchObject({ circuit: "open", trouble: "Service Unavailable" });
    const spared = await rig.place();
    await rig.clock.advance(200);
    expect(spared.types()).toEqual(["ringing", "answered"]);
    expect(rig.farA.calls.size).toBe(3);
    await rig.clock.advance(30_000);
    expect(rig.carrier.health("a").circuit).toBe("half_open");
    const [trial, other] = [await rig.place(), await rig.place()];
    await rig.clock.advance(200);
    expect(rig.farA.calls.size).toBe(4);
    expect([trial.types().at(-1), other.types().at(-1)]).toEqual(["answered", "answered"]);
    expect(rig.carrier.health("a").circuit).toBe("open");
    await rig.clock.advance(31_000);
    rig.plans.a = {};
    await rig.place();
    await rig.clock.advance(200);
    expect(rig.carrier.health("a").circuit).toBe("closed");
    const circuits = rig.healths.flatMap(([id, { circuit }]) => (id === "a" ? [circuit] : []));
    expect(circuits.filter((name, index) => name !== circuits[index - 1])).toEqual([
      "closed",
      "open",
      "half_open",
      "open",
      "half_open",
      "closed",
    ]);
    expect(await rig.close()).toBe(0);
  });

  it("stays closed while callees are busy, away or unknown", async () => {
    const rig = openVirtualCarrier({ planA: { ringsAfterMs: null, refuses: { status: 486 } } });
    for (let call = 0; call < 6; call += 1) {
      await rig.place();
      await rig.clock.advance(200);
    }
    expect(rig.carrier.health("a")).toEqual({
      isReachable: null,
      isRegistered: null,
      circuit: "closed",
      trouble: null,
    });
    expect(await rig.close()).toBe(0);
  });

  it("returns its trial when the call is hung up before the trunk responded", async () => {
    const rig = openVirtualCarrier({ planA: { isSilent: "from the beginning" } });
    for (let call = 0; call < 3; call += 1) {
      await rig.place();
      await rig.clock.advance(33_000);
    }
    expect(rig.carrier.health("a").circuit).toBe("open");
    await rig.clock.advance(31_000);
    const { leg } = await rig.place();
    const hungUp = leg.hangup();
    await rig.clock.advance(33_000);
    await hungUp;
    expect(rig.carrier.health("a").circuit).toBe("half_open");
    const calls = rig.farA.calls.size;
    await rig.place();
    await rig.clock.advance(100);
    expect(rig.farA.calls.size).toBe(calls + 1);
    expect(await rig.close()).toBe(0);
  });

  it("says that all are out of order when every circuit is open", async () => {
    const rig = openVirtualCarrier({ planA: BROKEN, planB: BROKEN });
    for (let call = 0; call < 3; call += 1) {
      await rig.place();
      await rig.clock.advance(200);
    }
    const { followed } = await rig.place();
    expect(followed.events).toMatchObject([
      { type: "ended", cause: "unavailable", reason: "Every trunk for this number is out of order." },
    ]);
    expect(await rig.close()).toBe(0);
  });
});

describe("pings", () => {
  it("show whether a trunk is reachable, and an unreachable one is tried last", async () => {
    const rig = openVirtualCarrier({ trunkA: { pingIntervalMs: 20_000 } });
    await rig.clock.advance(100);
    expect(rig.carrier.health("a").isReachable).toBe(true);
    rig.network.dropWhere((text) => text.startsWith("OPTIONS"));
    await rig.clock.advance(60_000);
    expect(rig.carrier.health("a")).toMatchObject({
      isReachable: false,
      trouble: "It does not answer when asked whether it is there: no answer.",
    });
    await rig.place();
    await rig.clock.advance(500);
    expect([rig.farA.calls.size, rig.farB.calls.size]).toEqual([0, 1]);
    expect(await rig.close()).toBe(0);
  });

  it("follow the directory without a dial", async () => {
    const rig = openVirtualCarrier();
    await rig.clock.advance(20_000);
    expect(rig.farA.peer.requests("OPTIONS")).toHaveLength(0);
    const pinged = trunkTo(5060, { id: "a", pingIntervalMs: 10_000 }, { host: "10.0.0.2" });
    rig.setDirectory(routedTo(pinged));
    await rig.clock.advance(16_000);
    expect(rig.farA.peer.requests("OPTIONS").length).toBeGreaterThan(0);
    rig.setDirectory(routedTo({ ...pinged, isEnabled: false }));
    await rig.clock.advance(16_000);
    const asked = rig.farA.peer.requests("OPTIONS").length;
    await rig.clock.advance(60_000);
    expect(rig.farA.peer.requests("OPTIONS")).toHaveLength(asked);
    expect(rig.carrier.health("a").isReachable).toBeNull();
    expect(await rig.close()).toBe(0);
  });
});

describe("registration", () => {
  it("is kept while the directory lists it, and removed when it changes and at the end", async () => {
    const rig = openVirtualCarrier({ trunkA: { registersAs: "alice" } });
    rig.farA.peer.on("REGISTER", (request) => {
      rig.farA.peer.reply(request, 200, { headers: [["Expires", header(request, "Expires") ?? ""]] });
    });
    await rig.clock.advance(100);
    expect(rig.carrier.health("a").isRegistered).toBe(true);
    await rig.clock.advance(600_000);
    expect(rig.farA.peer.requests("REGISTER")).toHaveLength(2);
    const bob = trunkTo(5060, { id: "a", registersAs: "bob" }, { host: "10.0.0.2" });
    rig.setDirectory(routedTo(bob));
    await rig.clock.advance(16_000);
    const said = rig.farA.peer
      .requests("REGISTER")
      .slice(2)
      .map((request) => [/sip:(\w+)@/.exec(header(request, "To") ?? "")?.[1], header(request, "Expires")]);
    expect(said.toSorted()).toEqual([
      ["alice", "0"],
      ["bob", "600"],
    ]);
    expect(await rig.close()).toBe(0);
    expect(header(rig.farA.peer.request("REGISTER", -1), "Expires")).toBe("0");
  });

  it("that fails is reported in words", async () => {
    const rig = openVirtualCarrier({ trunkA: { registersAs: "alice" } });
    rig.farA.peer.on("REGISTER", (request) => rig.farA.peer.reply(request, 403, { reason: "Forbidden" }));
    await rig.clock.advance(100);
    expect(rig.carrier.health("a")).toMatchObject({
      isRegistered: false,
      trouble: "It does not let us register: 403 Forbidden.",
    });
    expect(await rig.close()).toBe(0);
  });
});
