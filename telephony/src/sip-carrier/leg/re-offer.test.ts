import { describe, expect, it } from "vitest";
import type { ReceivedResponse } from "../../sip/message/message.ts";
import { openVirtualCarrier, type VirtualCarrier } from "../testing/open-virtual-carrier.ts";

const OFFER = [
  "v=0",
  "o=- 7 9 IN IP4 10.0.0.2",
  "s=-",
  "c=IN IP4 10.0.0.2",
  "t=0 0",
  "m=audio 4000 RTP/AVP 8 0 96",
  "a=rtpmap:96 telephone-event/8000",
  "a=sendrecv",
  "",
].join("\r\n");

async function answeredRig(): Promise<VirtualCarrier> {
  const rig = openVirtualCarrier();
  await rig.place();
  await rig.clock.advance(500);
  return rig;
}

async function reInvite(rig: VirtualCarrier, sdp?: string): Promise<ReceivedResponse> {
  const call = rig.farA.callTo("+15550001");
  const request = rig.farA.peer.ask(call.invite, "INVITE", { toTag: call.tag, ...(sdp === undefined ? {} : { sdp }) });
  await rig.clock.advance(50);
  const response = rig.farA.peer.responses().at(-1);
  if (response === undefined) throw new Error("no response");
  rig.farA.peer.acknowledge(request, response, sdp === undefined ? OFFER : undefined);
  await rig.clock.advance(50);
  return response;
}

function setups(rig: VirtualCarrier) {
  return rig.threads.flatMap(({ legs }) => legs.flatMap(({ setups: all }) => all));
}

describe("a callee who changes the audio", () => {
  it("to another address and codec gets both", async () => {
    const rig = await answeredRig();
    const { status, body } = await reInvite(rig, OFFER);
    expect(status).toBe(200);
    expect(body.toString()).toMatch(/m=audio 20000 RTP\/AVP 8 0 96/);
    expect(setups(rig).at(-1)).toMatchObject({
      remote: { host: "10.0.0.2", port: 4_000 },
      remoteControl: { host: "10.0.0.2", port: 4_001 },
      codec: "PCMA",
      payloadType: 8,
      dtmfPayloadType: 96,
      direction: "sendrecv",
      isFinal: true,
    });
    expect(await rig.close()).toBe(0);
  });

  it("puts us on hold and resumes, in the new style and the old", async () => {
    const rig = await answeredRig();
    const held = await reInvite(rig, OFFER.replace("a=sendrecv", "a=sendonly"));
    expect(held.body.toString()).toContain("a=recvonly");
    expect(setups(rig).at(-1)).toMatchObject({ direction: "recvonly" });
    await reInvite(rig, OFFER);
    expect(setups(rig).at(-1)).toMatchObject({ direction: "sendrecv" });
    await reInvite(rig, OFFER.replace("c=IN IP4 10.0.0.2", "c=IN IP4 0.0.0.0"));
    expect(setups(rig).at(-1)).toMatchObject({ direction: "recvonly", remote: { host: "10.0.0.2", port: 4_000 } });
    await reInvite(rig, OFFER);
    expect(setups(rig).at(-1)).toMatchObject({ direction: "sendrecv", remote: { host: "10.0.0.2", port: 4_000 } });
    expect(await rig.close()).toBe(0);
  });

  it("asks what we can do, and chooses from it", async () => {
    const rig = await answeredRig();
    const { status, body } = await reInvite(rig);
    expect(status).toBe(200);
    expect(body.toString()).toMatch(/m=audio 20000 RTP\/AVP 0 8 101/);
    expect(setups(rig).at(-1)).toMatchObject({ remote: { host: "10.0.0.2", port: 4_000 }, codec: "PCMA" });
    expect(await rig.close()).toBe(0);
  });

  it("to a fax, or to an unsupported format, is refused and the call continues", async () => {
    const rig = await answeredRig();
    const before = setups(rig).length;
    const fax = OFFER.replace(/m=audio.*\r\n/, "m=image 4000 udptl t38\r\n");
    expect((await reInvite(rig, fax)).status).toBe(488);
    expect((await reInvite(rig, OFFER.replace("8 0 96", "18"))).status).toBe(488);
    expect(setups(rig)).toHaveLength(before);
    expect(rig.refused).toEqual(["bad_media: fax (T.38) is not supported", "bad_media: no codec of ours is offered"]);
    expect(rig.farA.callTo("+15550001").state).toBe("talking");
    expect(await rig.close()).toBe(0);
  });

  it("to a host by its name is sent to where that name leads", async () => {
    const rig = await answeredRig();
    await reInvite(rig, OFFER.replace("c=IN IP4 10.0.0.2", "c=IN IP4 two.test"));
    expect(setups(rig).at(-1)).toMatchObject({ remote: { host: "10.0.0.9", port: 4_000 } });
    expect(await rig.close()).toBe(0);
  });
});

describe("refreshing a call whose peer knows no UPDATE", () => {
  it("offers the current terms unchanged, and keeps them", async () => {
    const rig = await answeredRig();
    await reInvite(rig, OFFER);
    const spoken = setups(rig).at(-1);
    rig.farA.peer.on("INVITE", (invite) => rig.farA.peer.reply(invite, 200, { sdp: OFFER }));
    await rig.clock.advance(95_000);
    const refresh = rig.farA.peer.request("INVITE", -1);
    expect(refresh.body.toString()).toMatch(/m=audio 20000 RTP\/AVP 8 0 101/);
    expect(setups(rig).at(-1)).toEqual({ ...spoken, dtmfPayloadType: 96 });
    expect(await rig.close()).toBe(0);
  });
});
