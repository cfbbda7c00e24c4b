import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readRtcp } from "./rtcp-packet.ts";
import type { SrtpKeying } from "./srtp/srtp-keys.ts";
import { createLegPair, setupTowards } from "./testing/leg-pair.ts";

/** The stream of the left end, as leg-pair.ts begins it. */
const SSRC = 0x11111111;
const FIRST_SEQUENCE = 65_400;

/** RFC 3550 section 6.4.2: a receiver report, and an SDES packet with the name `far`, as they travel. */
function receiverReport(blocks: readonly string[]): Buffer {
  const words = 1 + 6 * blocks.length;
  const header = `${(0x80 + blocks.length).toString(16)}c9${words.toString(16).padStart(4, "0")}22222222`;
  return Buffer.from(`${header}${blocks.join("")}81ca0003${"22222222"}0103666172000000`, "hex");
}

const hex = (value: number, digits: number) => (value >>> 0).toString(16).padStart(digits, "0");

function block({ ssrc = SSRC, fraction = 0, lost = 0, highest = 0 }): string {
  return `${hex(ssrc, 8)}${hex(fraction, 2)}${hex(lost & 0xff_ffff, 6)}${hex(highest, 8)}000000070000000000000000`;
}

/** A leg that sends, and a far end that reports what a test makes it report every five seconds. */
function spokenTo(changes: Parameters<typeof setupTowards>[1] = {}) {
  const pair = createLegPair({ seed: 71, lossShare: 0 });
  const { left, right } = pair;
  left.leg.configure(setupTowards(right.address, changes), pair.nowMs);
  const alarms = () => left.events.filter(({ type }) => type === "not_heard" || type === "heard_again");
  /** What it says may depend on the number of the newest packet. */
  const report = (blocksAt: (newest: number) => readonly string[]) => {
    pair.run(5_000);
    const bytes = receiverReport(blocksAt(FIRST_SEQUENCE + left.leg.statistics().packetsSent - 1));
    left.leg.receiveControl(bytes, bytes.length, right.address.host, pair.nowMs);
  };
  return { pair, alarms, report, isHeard: () => left.leg.statistics().isHeard };
}

describe("the far end's reports about what we send", () => {
  it("are read from the bytes of a receiver report", () => {
    const report = readRtcp(receiverReport([block({ fraction: 128, lost: -1, highest: 0x0001_0002 })]));
    expect(report).toMatchObject({
      ssrc: 0x22222222,
      sender: null,
      cname: "far",
      blocks: [{ ssrc: SSRC, fractionLost: 128, cumulativeLost: -1, highestSequence: 0x0001_0002, jitter: 7 }],
    });
  });

  it("say that we are heard while the highest number advances, across its wrap", () => {
    const { report, alarms, isHeard } = spokenTo();
    expect(isHeard()).toBeNull();
    for (let index = 0; index < 6; index += 1) {
      report((newest) => [block({ highest: newest, fraction: 30, lost: 5 * index })]);
    }
    expect([isHeard(), alarms()]).toEqual([true, []]);
  });

  it("say after three of them that we are not when it stands still, and after one that we are again", () => {
    const { report, alarms, isHeard } = spokenTo();
    let last = 0;
    const goOn = (newest: number) => {
      last = newest;
      return [block({ highest: newest })];
    };
    const standStill = () => [block({ highest: last })];
    for (const each of [goOn, goOn, standStill, standStill]) report(each);
    expect(alarms()).toEqual([]);
    report(standStill);
    expect([isHeard(), alarms()]).toEqual([false, [{ type: "not_heard", wasHeard: true, forMs: 15_000 }]]);
    for (const each of [standStill, standStill, goOn, goOn]) report(each);
    expect(alarms().map(({ type }) => type)).toEqual(["not_heard", "heard_again"]);
    expect(isHeard()).toBe(true);
  });

  it("say so when nearly everything is lost, and only when the count agrees with the share", () => {
    const all = spokenTo();
    for (let index = 0; index < 4; index += 1) {
      all.report((newest) => [block({ highest: newest, fraction: index === 0 ? 0 : 252, lost: 247 * index })]);
    }
    expect(all.alarms()).toMatchObject([{ type: "not_heard", wasHeard: true }]);

    const muddled = spokenTo();
    for (let index = 0; index < 6; index += 1) {
      muddled.report((newest) => [block({ highest: newest, fraction: index === 0 ? 0 : 255 })]);
    }
    expect([muddled.isHeard(), muddled.alarms()]).toEqual([true, []]);
  });

  it("say so when they are empty, as from a receiver that never got a packet", () => {
    const { report, alarms, isHeard } = spokenTo();
    for (let index = 0; index < 4; index += 1) report(() => []);
    expect([isHeard(), alarms()]).toEqual([false, [{ type: "not_heard", wasHeard: false, forMs: 10_000 }]]);
  });

  it("are ignored when they are about other streams or numbers that we never sent", () => {
    for (const nonsense of [block({ ssrc: 0xcafe_0001, highest: 5 }), block({ highest: 0x4000 })]) {
      const { report, alarms, isHeard } = spokenTo();
      for (let index = 0; index < 8; index += 1) report(() => [nonsense]);
      expect([isHeard(), alarms()]).toEqual([null, []]);
    }
  });

  it("say nothing when there are none", () => {
    const { pair, alarms, isHeard } = spokenTo();
    pair.run(120_000);
    expect([isHeard(), alarms()]).toEqual([null, []]);
  });

  it("say nothing before the answer, on hold, and in a goodbye", () => {
    for (const changes of [{ isFinal: false }, { direction: "recvonly" }, { direction: "inactive" }] as const) {
      const { report, alarms, isHeard } = spokenTo(changes);
      for (let index = 0; index < 6; index += 1) report(() => []);
      expect([isHeard(), alarms()]).toEqual([null, []]);
    }
    const { pair, alarms } = spokenTo();
    for (let index = 0; index < 6; index += 1) {
      pair.run(5_000);
      const goodbye = Buffer.concat([receiverReport([]), Buffer.from("81cb000122222222", "hex")]);
      pair.left.leg.receiveControl(goodbye, goodbye.length, pair.right.address.host, pair.nowMs);
    }
    expect(alarms()).toEqual([]);
  });

  it("of a whole leg say that our audio does not arrive, and that it arrives again", () => {
    const pair = createLegPair({ seed: 72 });
    const [toLeft, toRight, wrong] = [keying(), keying(), keying()];
    pair.right.leg.configure(setupTowards(pair.left.address, { srtp: { send: toLeft, receive: toRight } }), 0);
    pair.left.leg.configure(setupTowards(pair.right.address, { srtp: { send: toRight, receive: wrong } }), 0);
    const alarms = () => pair.right.events.flatMap(({ type }) => (type.includes("heard") ? [type] : []));
    pair.run(30_000);
    expect(alarms()).toEqual(["not_heard"]);
    pair.left.leg.configure(setupTowards(pair.right.address, { srtp: { send: toRight, receive: toLeft } }), pair.nowMs);
    pair.run(10_000);
    expect(alarms()).toEqual(["not_heard", "heard_again"]);
    expect(pair.left.events.map(({ type }) => type)).not.toContain("not_heard");
  });
});

function keying(): SrtpKeying {
  return { suite: "AES_CM_128_HMAC_SHA1_80", masterKey: randomBytes(16), masterSalt: randomBytes(14) };
}
