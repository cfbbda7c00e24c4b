import type { DialAttempt, DialJournal, WriteAheadDecision } from "@parley/telephony/carrier";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, test } from "vitest";
import { DialStopped, writeAheadOnce } from "./open-carriers.ts";

function openRig(decision: WriteAheadDecision | Error) {
  const network = createSimulatedNetwork({ clock: createVirtualClock() });
  const written: DialAttempt[] = [];
  const dialedBefore: number[] = [];
  const journal: DialJournal = {
    async writeAhead(attempt) {
      dialedBefore.push(network.dialed().length);
      written.push(attempt);
      if (decision instanceof Error) throw decision;
      return decision;
    },
    commitAnswer: async () => undefined,
    noteEnd: () => undefined,
  };
  const dial = { callId: "call_1", dialId: "dial_1", to: "+15550100001", from: null, journal };
  return { network, written, dialedBefore, place: () => writeAheadOnce(network).place(dial) };
}

describe("a carrier that sends one request for a dial", () => {
  test("sends it only after it was recorded, under the recorded name", async () => {
    const { network, written, dialedBefore, place } = openRig({ decision: "send", afterMs: 0 });
    const leg = await place();
    expect(written).toEqual([{ dialId: "dial_1", ordinal: 1, trunkId: null, record: null }]);
    expect(dialedBefore).toEqual([0]);
    expect(leg.dialId).toBe("dial_1");
    expect(network.dialed().map(({ dialId }) => dialId)).toEqual(["dial_1"]);
    await network.close();
  });

  test("dials no one when the call is no longer wanted", async () => {
    const { network, place } = openRig({ decision: "stop" });
    await expect(place()).rejects.toBeInstanceOf(DialStopped);
    expect(network.dialed()).toEqual([]);
  });

  test("dials no one when the attempt could not be recorded", async () => {
    const { network, place } = openRig(new Error("the lease is lost"));
    await expect(place()).rejects.toThrow("the lease is lost");
    expect(network.dialed()).toEqual([]);
  });
});
