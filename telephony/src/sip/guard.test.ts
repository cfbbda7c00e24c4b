import { describe, expect, it } from "vitest";
import { answered, OUR_SDP, openAgentRig, THEIR_SDP } from "./testing/agent-rig.ts";

const FAULTY = () => {
  throw new Error("media fault");
};

describe("a fault in the audio negotiation", () => {
  it("refuses the current offer, is reported, and leaves the call unchanged", async () => {
    const rig = openAgentRig();
    const { peer, clock } = rig;
    const media = { answerOffer: FAULTY, currentOffer: FAULTY, acceptAnswer: FAULTY };
    const { last } = await answered(rig, { media }, [["Session-Expires", "100;refresher=uac"]]);
    peer.ask(peer.request("INVITE"), "UPDATE", { sdp: THEIR_SDP });
    await clock.advance(50_100);
    expect(peer.responses().map(({ status }) => status)).toEqual([500]);
    expect(peer.request("INVITE", 1).body.toString()).toBe(OUR_SDP);
    expect(last()?.type).toBe("answered");
    expect(rig.errors.map(String)).toEqual(["Error: media fault", "Error: media fault"]);
    rig.agent.close();
  });
});

describe("a listener that throws", () => {
  it("is reported wherever it was called from", async () => {
    const rig = openAgentRig();
    rig.agent.keepPinging(rig.trunk, 1_000, FAULTY);
    rig.agent.register(rig.trunk, "alice", 60, FAULTY);
    const { client } = await rig.place();
    client.onEvent(FAULTY);
    await rig.clock.advance(40_000);
    expect(rig.errors.length).toBeGreaterThanOrEqual(3);
    rig.agent.close();
    expect(rig.clock.pendingTimers()).toBe(0);
  });
});
