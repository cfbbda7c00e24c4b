import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answered, openAgentRig, THEIR_SDP } from "./testing/agent-rig.ts";

const US = { transport: "udp", address: "10.0.0.1", port: 5060 } as const;

/** Every message that went over the network in a call with a bit of everything. */
async function recordedCall(): Promise<Buffer[]> {
  const rig = openAgentRig();
  const { peer, clock } = rig;
  for (const method of ["BYE", "UPDATE", "REFER", "PRACK"]) peer.on(method, (request) => peer.reply(request, 200));
  const { client } = await answered(rig, {}, [
    ["Session-Expires", "100;refresher=uac"],
    ["Allow", "UPDATE"],
  ]);
  const invite = peer.request("INVITE");
  for (const method of ["INFO", "OPTIONS", "UPDATE", "INVITE", "NOTIFY", "MESSAGE"]) {
    peer.ask(invite, method, {
      sdp: THEIR_SDP,
      headers: [
        ["Event", "refer"],
        ["Session-Expires", "200"],
      ],
    });
  }
  client.refer("sip:x@y");
  await clock.advance(60_000);
  peer.ask(invite, "BYE", { headers: [["Reason", 'Q.850;cause=16;text="x"']] });
  await clock.advance(10);
  rig.agent.close();
  return rig.network.sent.map(({ bytes }) => bytes);
}

describe("arbitrary messages inside a call", () => {
  it("breaks nothing: no exception, and the call can still be ended", async () => {
    const recorded = await recordedCall();
    const edit = fc.record({
      message: fc.nat(recorded.length - 1),
      at: fc.nat(900),
      length: fc.nat(12),
      put: fc.oneof(
        fc.string({ maxLength: 8 }),
        fc.constantFrom("\r\n", '"', ";tag=", "SIP/2.0 200 OK", "9999999999", "<sip:>", "Require: x\r\n"),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 12 }), fc.boolean(), async (edits, isAnswered) => {
        // The same seed gives the same Call-ID, tags and branches, so that most of the messages hit their target.
        const rig = openAgentRig();
        const { peer, clock } = rig;
        const placed = isAnswered ? await answered(rig) : await rig.place();
        expect(rig.network.sent[0]?.bytes).toEqual(recorded[0]);
        for (const { message, at, length, put } of edits) {
          const text = recorded[message]?.toString() ?? "";
          peer.send(Buffer.from(text.slice(0, at) + put + text.slice(at + length)), US);
          await clock.advance(20);
        }
        let isEnded = false;
        placed.client.hangup().then(() => {
          isEnded = true;
        }, rig.errors.push);
        await clock.advance(70_000);
        expect(isEnded).toBe(true);
        expect(placed.types().filter((type) => type === "ended" || type === "failed")).toHaveLength(1);
        rig.agent.close();
        expect(rig.errors).toEqual([]);
        expect(rig.agent.openInvites + rig.agent.openTransactions + clock.pendingTimers()).toBe(0);
      }),
      { numRuns: 150 },
    );
  });
});
