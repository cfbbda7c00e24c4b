import { describe, expect, it } from "vitest";
import { readLegRecord } from "./dialog/dialog-record.ts";
import { branchOf } from "./message/via.ts";
import { answered, THEIR_SDP, useAgentRig } from "./testing/agent-rig.ts";
import { seededRandom } from "./testing/seeded-random.ts";
import { UserAgent } from "./user-agent.ts";

const rigs = useAgentRig();
const { open } = rigs;

describe("a call whose owner died", () => {
  /** Another process at the same address, as after a restart. */
  function successor(): UserAgent {
    const random = seededRandom(99);
    return new UserAgent({
      clock: rigs.rig.clock,
      random,
      transports: [rigs.rig.network.attach("udp", "10.0.0.1", 5060)],
      resolver: { srv: async () => [], addresses: async () => [] },
      reportError: (error) => rigs.rig.errors.push(error),
    });
  }

  it("is ended by another with the record from before the ACK", async () => {
    const { peer, clock, agent, trunk } = open();
    let written = "";
    await answered(rigs.rig, {
      commitAnswer: async (record) => {
        written = JSON.stringify(record);
      },
    });
    agent.close();
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    const record = readLegRecord(JSON.parse(written));
    if (record === null) throw new Error("not a record");
    const other = successor();
    const ended = other.endOrphan(trunk, record);
    await clock.advance(10);
    expect(await ended).toBe(true);
    expect(peer.request("BYE").essentials).toMatchObject({ callId: peer.request("INVITE").essentials.callId });
    expect(peer.request("BYE").essentials.cseq.number).toBeGreaterThan(100);
    other.close();
  });

  it("is not reported as over until it is confirmed", async () => {
    const { clock, agent, trunk } = open();
    let record: unknown = null;
    await answered(rigs.rig, {
      commitAnswer: async (written) => {
        record = written;
      },
    });
    agent.close();
    const read = readLegRecord(record);
    if (read === null) throw new Error("not a record");
    const other = successor();
    const ended = other.endOrphan(trunk, read);
    await clock.advance(33_000);
    expect(await ended).toBe(false);
    other.close();
  });

  it("is cancelled while it rings, and its late answer is ended", async () => {
    const { peer, clock, agent, trunk, place } = open();
    const { client } = await place();
    const invite = peer.request("INVITE");
    peer.reply(invite, 180);
    await clock.advance(10);
    const record = readLegRecord(JSON.parse(JSON.stringify(client.record)));
    agent.close();
    if (record === null) throw new Error("not a record");
    peer.on("CANCEL", (cancel) => {
      const isRinging = branchOf(cancel.essentials.via) === branchOf(invite.essentials.via);
      peer.reply(cancel, isRinging ? 200 : 481);
      if (isRinging) peer.reply(invite, 200, { sdp: THEIR_SDP });
    });
    peer.on("BYE", (bye) => peer.reply(bye, 200));
    const other = successor();
    const ended = other.endOrphan(trunk, record);
    await clock.advance(10);
    expect(await ended).toBe(true);
    expect(peer.requests("CANCEL")).toHaveLength(5);
    expect(peer.requests("ACK")).toHaveLength(1);
    expect(peer.requests("BYE")).toHaveLength(1);
    other.close();
  });

  it("is over when the INVITE itself says so, though a proxy is silent about the sendings it has forgotten", async () => {
    const { peer, clock, agent, trunk, place } = open();
    const { client } = await place();
    const invite = peer.request("INVITE");
    peer.reply(invite, 180);
    await clock.advance(10);
    const record = readLegRecord(JSON.parse(JSON.stringify(client.record)));
    agent.close();
    if (record === null) throw new Error("not a record");
    peer.on("CANCEL", (cancel) => {
      if (branchOf(cancel.essentials.via) !== branchOf(invite.essentials.via)) return;
      peer.reply(cancel, 200);
      peer.reply(invite, 487);
    });
    const other = successor();
    const ended = other.endOrphan(trunk, record);
    await clock.advance(10);
    expect(await Promise.race([ended, Promise.resolve("not yet")])).toBe(true);
    expect(peer.requests("ACK")).toHaveLength(1);
    other.close();
  });

  it("is not over because an earlier sending of its INVITE was challenged", async () => {
    const { peer, clock, agent, trunk, place } = open();
    const { client } = await place();
    const invite = peer.request("INVITE");
    const record = readLegRecord(JSON.parse(JSON.stringify(client.record)));
    agent.close();
    if (record === null) throw new Error("not a record");
    const other = successor();
    const ended = other.endOrphan(trunk, record);
    peer.reply(invite, 407);
    await clock.advance(33_000);
    expect(await ended).toBe(false);
    other.close();
  });
});
