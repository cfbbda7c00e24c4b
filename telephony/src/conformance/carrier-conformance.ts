import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Dial, LegEvent } from "../carrier.ts";
import type { CarrierRig, CarrierTestNumbers } from "./carrier-rig.ts";
import { type FollowedLeg, followLeg } from "./follow-leg.ts";

/** The guarantees that a worker relies on with any carrier. Every carrier registers this suite in its own tests. */
export function describeCarrierConformance(name: string, openRig: () => Promise<CarrierRig>): void {
  describe(`${name} behaves as a carrier`, () => {
    let rig: CarrierRig;

    beforeEach(async () => {
      rig = await openRig();
    });

    afterEach(async () => {
      await rig.close();
      expect(rig.resourcesHeld(), "timers and sockets left behind").toBe(0);
    });

    function dialTo(number: keyof CarrierTestNumbers): Dial {
      const journal = rig.journal === undefined ? {} : { journal: rig.journal };
      return { callId: randomUUID(), dialId: randomUUID(), to: rig.numbers[number], from: null, ...journal };
    }

    async function place(number: keyof CarrierTestNumbers) {
      const dial = dialTo(number);
      const leg = await rig.carrier.place(dial);
      return { dial, leg, followed: followLeg(leg) };
    }

    function until<Type extends LegEvent["type"]>(followed: FollowedLeg, type: Type) {
      return rig.waitFor(followed.until(type), type);
    }

    it("reports ringing, answered and ended in this order when the callee answers and hangs up", async () => {
      const { leg, dial, followed } = await place("hangsUp");
      expect(leg.dialId).toBe(dial.dialId);
      expect(await until(followed, "ended")).toMatchObject({ cause: "hangup", code: null, by: "callee" });
      await rig.settle();
      expect(signalled(followed)).toEqual(["ringing", "answered", "ended"]);
    });

    it.each([
      ["busy", { cause: "busy", code: 486, by: "callee" }],
      ["declined", { cause: "declined", code: 603, by: "callee" }],
      ["invalid", { cause: "invalid_number", code: 404, by: "network" }],
      ["unavailable", { cause: "unavailable", code: 503, by: "network" }],
    ] as const)("reports exactly one end when the call fails: %s", async (number, end) => {
      const { followed } = await place(number);
      expect(await until(followed, "ended")).toMatchObject(end);
      await rig.settle();
      expect(followed.events.filter(({ type }) => type === "ended")).toHaveLength(1);
      expect(followed.events.map(({ type }) => type)).not.toContain("answered");
    });

    it("cancels the call when we hang up while the phone rings", async () => {
      const { leg, followed } = await place("noAnswer");
      await until(followed, "ringing");
      await rig.waitFor(leg.hangup(), "the hangup");
      expect(signalled(followed)).toEqual(["ringing", "ended"]);
      expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "canceled", by: "us" });
    });

    it("cancels the call when we hang up before the phone rings", async () => {
      const { leg, followed } = await place("staysOnTheLine");
      await rig.waitFor(leg.hangup(), "the hangup");
      await rig.settle();
      expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "canceled", by: "us" });
      expect(followed.events.map(({ type }) => type)).not.toContain("answered");
    });

    it("rejects characters that are not telephone keys, and presses no key before the answer", async () => {
      const { leg, followed } = await place("noAnswer");
      expect(() => leg.sendDtmf("1x")).toThrow(RangeError);
      leg.sendDtmf("1");
      expect(await rig.waitFor(leg.statistics(), "the statistics")).toBeNull();
      await rig.waitFor(leg.hangup(), "the hangup");
      expect(() => leg.sendDtmf("E")).toThrow(RangeError);
      leg.sendDtmf("1");
      expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "canceled" });
    });

    it("ends the call when we hang up while talking", async () => {
      const { leg, followed } = await place("staysOnTheLine");
      await until(followed, "answered");
      await rig.waitFor(leg.hangup(), "the hangup");
      expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "hangup", code: null, by: "us" });
    });

    it("ignores a second hangup and one after the end", async () => {
      const { leg, followed } = await place("staysOnTheLine");
      await until(followed, "answered");
      await rig.waitFor(Promise.all([leg.hangup(), leg.hangup()]), "both hangups");
      await rig.waitFor(leg.hangup(), "a hangup after the end");
      await rig.settle();
      expect(signalled(followed)).toEqual(["ringing", "answered", "ended"]);
    });

    it("keeps events for the first listener", async () => {
      const dial = dialTo("hangsUp");
      const leg = await rig.carrier.place(dial);
      await rig.waitFor(untilGone(dial.dialId), "the end of the call");
      const followed = followLeg(leg);
      await until(followed, "ended");
      expect(signalled(followed)).toEqual(["ringing", "answered", "ended"]);
    });

    it("never calls a listener from inside onEvent, so a listener can stop itself", async () => {
      const dial = dialTo("hangsUp");
      const leg = await rig.carrier.place(dial);
      await rig.waitFor(untilGone(dial.dialId), "the end of the call");
      const seen: string[] = [];
      const stopped = Promise.withResolvers<void>();
      const stop = leg.onEvent(({ type }) => {
        seen.push(type);
        stop();
        stopped.resolve();
      });
      expect(seen).toEqual([]);
      await rig.waitFor(stopped.promise, "the first event");
      await rig.settle();
      expect(seen).toEqual(["ringing"]);
      expect(rig.listenerErrors).toEqual([]);
    });

    it("reports nothing more to a listener that stopped, and everything to the others", async () => {
      const { leg, followed } = await place("hangsUp");
      const other = followLeg(leg);
      await until(followed, "ringing");
      followed.stop();
      await until(other, "ended");
      expect(signalled(followed)).toEqual(["ringing"]);
    });

    it("continues the leg and its other listeners when a listener throws", async () => {
      const leg = await rig.carrier.place(dialTo("hangsUp"));
      leg.onEvent(() => {
        throw new Error("a listener's own mistake");
      });
      const followed = followLeg(leg);
      await until(followed, "ended");
      expect(signalled(followed)).toEqual(["ringing", "answered", "ended"]);
      expect(rig.listenerErrors).toHaveLength(followed.events.length);
    });

    it("shows all listeners the same order when one of them hangs up from inside an event", async () => {
      const leg = await rig.carrier.place(dialTo("staysOnTheLine"));
      const hangups: Promise<void>[] = [];
      leg.onEvent(({ type }) => {
        if (type === "answered") hangups.push(leg.hangup());
      });
      const followed = followLeg(leg);
      expect(await until(followed, "ended")).toMatchObject({ cause: "hangup", by: "us" });
      await rig.waitFor(Promise.all(hangups), "the hangup");
      expect(signalled(followed)).toEqual(["ringing", "answered", "ended"]);
    });

    it("rings a dialId only once, and leaves its first leg alone when it is placed again", async () => {
      const { dial, followed } = await place("staysOnTheLine");
      await until(followed, "answered");
      const again = followLeg(await rig.otherCarrier.place(dial));
      expect(await until(again, "ended")).toMatchObject({ cause: "rejected", by: "network" });
      expect(again.events).toHaveLength(1);
      expect(await rig.timesRung(dial.dialId)).toBe(1);
      expect(signalled(followed)).toEqual(["ringing", "answered"]);
    });

    it("does not ring a dialId again after its leg has ended", async () => {
      const { dial, followed } = await place("busy");
      await until(followed, "ended");
      const again = followLeg(await rig.carrier.place(dial));
      expect(await until(again, "ended")).toMatchObject({ cause: "rejected" });
    });

    it("confirms that an unknown leg is gone", async () => {
      const orphan = { callId: randomUUID(), dialId: randomUUID() };
      expect(await rig.waitFor(rig.otherCarrier.endOrphan(orphan), "the confirmation")).toBe(true);
    });

    it.each([
      ["noAnswer", "ringing", "canceled"],
      ["staysOnTheLine", "answered", "hangup"],
    ] as const)("ends another worker's leg by its dialId: %s", async (number, when, cause) => {
      const { dial, followed } = await place(number);
      await until(followed, when);
      const orphan = rig.orphanOf?.(dial) ?? dial;
      expect(await rig.waitFor(rig.otherCarrier.endOrphan(orphan), "the confirmation")).toBe(true);
      expect(await rig.isLive(dial.dialId)).toBe(false);
      if (rig.firstOwnerHears?.(when) ?? true) {
        expect(await until(followed, "ended")).toMatchObject({ cause, by: "us" });
      }
      expect(await rig.waitFor(rig.otherCarrier.endOrphan(orphan), "the second confirmation")).toBe(true);
    });

    it("hangs up every live leg when it is closed, and rejects dials after that", async () => {
      const ringing = await place("noAnswer");
      const talking = await place("staysOnTheLine");
      await until(ringing.followed, "ringing");
      await until(talking.followed, "answered");
      await rig.waitFor(Promise.all([rig.carrier.close(), rig.carrier.close()]), "the close");
      expect(await until(ringing.followed, "ended")).toMatchObject({ cause: "canceled", by: "us" });
      expect(await until(talking.followed, "ended")).toMatchObject({ cause: "hangup", by: "us" });
      expect(await rig.isLive(ringing.dial.dialId)).toBe(false);
      expect(await rig.isLive(talking.dial.dialId)).toBe(false);
      await expect(rig.carrier.place(dialTo("hangsUp"))).rejects.toThrow("closed");
    });

    async function untilGone(dialId: string): Promise<void> {
      while (await rig.isLive(dialId)) await new Promise((resolve) => setImmediate(resolve));
    }
  });
}

/** The phases of a leg. Whether ringing is audible depends on the network. */
function signalled({ events }: FollowedLeg): readonly string[] {
  return events.map(({ type }) => type).filter((type) => type !== "early_media");
}
