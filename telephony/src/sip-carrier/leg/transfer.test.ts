import { describe, expect, it } from "vitest";
import type { LegEvent, TransferRequest } from "../../carrier.ts";
import type { HeaderLine, ReceivedRequest } from "../../sip/message/message.ts";
import { header } from "../../sip/message/read-headers.ts";
import type { FarPlan } from "../testing/far-call.ts";
import { openVirtualCarrier, type PlacedLeg, type VirtualCarrier } from "../testing/open-virtual-carrier.ts";
import { routedTo, trunkTo } from "../testing/trunk-to.ts";

const TARGET = "+15550099";

interface TalkingRig extends VirtualCarrier {
  readonly placed: PlacedLeg;
  ask(how: TransferRequest["how"], changes?: Partial<TransferRequest>): Promise<void>;
  /** The transfer events of the leg, each as `how state code`. */
  told(): string[];
  end(): LegEvent | undefined;
}

/** A call is talking over trunk a; numbers that begin with +1555009 go over trunk b. */
async function talkingRig(planB: FarPlan = {}): Promise<TalkingRig> {
  const rig = openVirtualCarrier({ planB });
  const { trunks, routes } = routedTo(
    trunkTo(5060, { id: "a" }, { host: "10.0.0.2" }),
    trunkTo(5060, { id: "b" }, { host: "10.0.0.3" }),
  );
  const [first, second] = routes;
  if (first === undefined || second === undefined) throw new Error("two routes are needed");
  rig.setDirectory({ trunks, routes: [first, { ...second, prefix: "1555009" }] });
  const placed = await rig.place({ from: "+15551111" });
  await rig.clock.advance(500);
  return {
    ...rig,
    placed,
    async ask(how, changes = {}) {
      const { journal } = rig;
      placed.leg.transfer({ to: TARGET, how, dialId: "party-1", ringTimeoutMs: 20_000, journal, ...changes });
      await rig.clock.advance(500);
    },
    told: () =>
      placed.followed.events.flatMap((event) =>
        event.type === "transfer_progressed" ? [`${event.how} ${event.state} ${event.code}`] : [],
      ),
    end: () => placed.followed.events.find(({ type }) => type === "ended"),
  };
}

function notify(rig: TalkingRig, sipfrag: string, state = "active"): void {
  const call = rig.farA.callTo("+15550001");
  const headers: HeaderLine[] = [
    ["Event", "refer"],
    ["Subscription-State", state],
    ["Content-Type", "message/sipfrag"],
  ];
  rig.farA.peer.ask(call.invite, "NOTIFY", { toTag: call.tag, headers, sdp: sipfrag });
}

function answerRefer(rig: TalkingRig, status: number): void {
  rig.farA.peer.on("REFER", (refer: ReceivedRequest) => rig.farA.peer.reply(refer, status));
}

describe("a transfer by the network", () => {
  it("is followed to its end, and then we hang up", async () => {
    const rig = await talkingRig();
    answerRefer(rig, 202);
    await rig.ask("refer");
    const refer = rig.farA.peer.request("REFER");
    expect(header(refer, "Refer-To")).toBe("<sip:+15550099@10.0.0.2:5060>");
    expect(header(refer, "Referred-By")).toContain("+15551111");
    notify(rig, "SIP/2.0 100 Trying");
    notify(rig, "SIP/2.0 180 Ringing");
    await rig.clock.advance(100);
    expect(rig.told()).toEqual(["refer trying null", "refer ringing 180"]);
    notify(rig, "SIP/2.0 200 OK", "terminated;reason=noresource");
    await rig.clock.advance(100);
    expect(rig.told().at(-1)).toBe("refer completed 200");
    expect(rig.farA.peer.summary().at(-1)).toBe("BYE");
    expect(rig.end()).toMatchObject({ cause: "hangup", by: "us", reason: "The call was transferred." });
    expect(await rig.close()).toBe(0);
  });

  it("that is refused leaves the call unchanged, and another may be requested", async () => {
    const rig = await talkingRig();
    answerRefer(rig, 603);
    await rig.ask("refer");
    await rig.ask("refer");
    expect(rig.told().filter((told) => told === "refer failed 603")).toHaveLength(2);
    expect(rig.end()).toBeUndefined();
    expect(await rig.close()).toBe(0);
  });

  it("whose outcome is never reported fails, and rings no phone a second time", async () => {
    const rig = await talkingRig();
    answerRefer(rig, 202);
    await rig.ask("auto");
    await rig.clock.advance(181_000);
    expect(rig.told().at(-1)).toBe("refer failed null");
    expect(rig.farB.calls.size).toBe(0);
    expect(await rig.close()).toBe(0);
  });

  it("is reported as failed when the callee hangs up before its outcome", async () => {
    const rig = await talkingRig();
    answerRefer(rig, 202);
    await rig.ask("refer");
    rig.farA.hangUp(rig.farA.callTo("+15550001"));
    await rig.clock.advance(100);
    expect(rig.placed.types().slice(-2)).toEqual(["transfer_progressed", "ended"]);
    expect(rig.told().at(-1)).toBe("refer failed null");
    expect(await rig.close()).toBe(0);
  });
});

describe("a transfer by a second leg", () => {
  it("goes through the same routes and journal, and joins both on one thread", async () => {
    const rig = await talkingRig({ answersAfterMs: 3_000 });
    await rig.ask("bridge");
    expect(rig.told()).toEqual(["bridge trying null", "bridge ringing null"]);
    await rig.clock.advance(4_000);
    expect(rig.told().at(-1)).toBe("bridge completed null");
    expect(rig.journal.written.at(-1)).toMatchObject({ dialId: "party-1", ordinal: 1, trunkId: "b" });
    expect(header(rig.farB.peer.request("INVITE"), "From")).toContain("+15551111");
    const [first, second] = rig.threads[0]?.legs ?? [];
    expect(first?.joined).toBe(second);
    expect(rig.end()).toBeUndefined();
    expect(await rig.close()).toBe(0);
  });

  it("ends with the callee", async () => {
    const rig = await talkingRig();
    await rig.ask("bridge");
    rig.farA.hangUp(rig.farA.callTo("+15550001"));
    await rig.clock.advance(100);
    expect(rig.end()).toMatchObject({ cause: "hangup", by: "callee" });
    expect(rig.farB.callTo(TARGET).state).toBe("over");
    expect(rig.carrier.resourcesHeld()).toMatchObject({ legs: 0, ports: 0 });
    expect(await rig.close()).toBe(0);
  });

  it("ends with the other party", async () => {
    const rig = await talkingRig();
    await rig.ask("bridge");
    rig.farB.hangUp(rig.farB.callTo(TARGET));
    await rig.clock.advance(100);
    expect(rig.end()).toMatchObject({ cause: "hangup", by: "us", reason: "The other party hung up." });
    expect(rig.farA.callTo("+15550001").state).toBe("over");
    expect(rig.journal.ends.map(({ dialId }) => dialId).toSorted()).toEqual(["dial-1", "party-1"]);
    expect(await rig.close()).toBe(0);
  });

  it("fails when the other party declines, and the call continues", async () => {
    const rig = await talkingRig({ refuses: { status: 486, reason: "Busy Here" } });
    await rig.ask("bridge");
    expect(rig.told().at(-1)).toBe("bridge failed 486");
    expect(rig.end()).toBeUndefined();
    expect(rig.journal.ends).toMatchObject([{ dialId: "party-1", end: { cause: "busy" } }]);
    expect(await rig.close()).toBe(0);
  });

  it("fails when there is no answer in the given time", async () => {
    const rig = await talkingRig({ answersAfterMs: null });
    await rig.ask("bridge");
    await rig.clock.advance(21_000);
    expect(rig.told().at(-1)).toBe("bridge failed null");
    expect(rig.end()).toBeUndefined();
    expect(await rig.close()).toBe(0);
  });

  it("is abandoned when the callee hangs up while the other phone rings", async () => {
    const rig = await talkingRig({ answersAfterMs: null });
    await rig.ask("bridge");
    rig.farA.hangUp(rig.farA.callTo("+15550001"));
    await rig.clock.advance(500);
    expect(rig.told().at(-1)).toBe("bridge failed null");
    expect(rig.farB.peer.summary()).toContain("CANCEL");
    expect(rig.carrier.resourcesHeld()).toMatchObject({ legs: 0, ports: 0 });
    expect(await rig.close()).toBe(0);
  });

  it("fails when the journal does, without a request", async () => {
    const rig = await talkingRig();
    rig.journal.decide = () => Promise.reject(new Error("the database is away"));
    await rig.ask("bridge");
    expect(rig.told().at(-1)).toBe("bridge failed null");
    expect(rig.farB.calls.size).toBe(0);
    expect(rig.end()).toBeUndefined();
    expect(await rig.close()).toBe(0);
  });
});

describe("a transfer by any method", () => {
  it.each([
    ["is refused", (rig: TalkingRig) => answerRefer(rig, 405)],
    [
      "fails",
      (rig: TalkingRig) => {
        rig.farA.peer.on("REFER", (refer) => {
          rig.farA.peer.reply(refer, 202);
          notify(rig, "SIP/2.0 503 Service Unavailable", "terminated");
        });
      },
    ],
  ])("bridges when the request to the network %s", async (_, prepare) => {
    const rig = await talkingRig();
    prepare(rig);
    await rig.ask("auto");
    await rig.clock.advance(500);
    expect(rig.told()).toEqual([
      "refer trying null",
      "bridge trying null",
      "bridge ringing null",
      "bridge completed null",
    ]);
    expect(rig.farB.calls.size).toBe(1);
    expect(await rig.close()).toBe(0);
  });
});

describe("a transfer at the wrong time", () => {
  it("fails before the answer, while another is under way, and after one was completed", async () => {
    const rig = openVirtualCarrier({ planA: { answersAfterMs: 1_000 } });
    const { leg, followed } = await rig.place();
    const request = { to: TARGET, how: "bridge", dialId: "p", ringTimeoutMs: 5_000 } as const;
    leg.transfer(request);
    await rig.clock.advance(2_000);
    leg.transfer(request);
    leg.transfer({ ...request, dialId: "q" });
    await rig.clock.advance(2_000);
    leg.transfer({ ...request, dialId: "r" });
    await rig.clock.advance(100);
    const states = followed.events.flatMap((event) => (event.type === "transfer_progressed" ? [event.state] : []));
    expect(states).toEqual(["failed", "trying", "failed", "ringing", "completed", "failed"]);
    expect(await rig.close()).toBe(0);
    leg.transfer({ ...request, dialId: "s" });
    await rig.clock.advance(100);
    expect(followed.events.at(-1)?.type).toBe("ended");
  });
});
