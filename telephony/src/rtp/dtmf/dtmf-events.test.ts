import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { DtmfReceiver, type ReceivedKey } from "./dtmf-receiver.ts";
import { type DtmfPacket, DtmfSender } from "./dtmf-sender.ts";
import { codeOfKey, keyOf, writeTelephoneEvent } from "./telephone-event.ts";

/** The packet of each tick; null where the tick sends audio. */
function send(keys: string, keyMs: number, ticks: number, firstTimestamp = 0): (DtmfPacket | null)[] {
  const sender = new DtmfSender();
  sender.press(keys, keyMs);
  return Array.from({ length: ticks }, (_, tick) => {
    const packet = sender.next((firstTimestamp + tick * 160) >>> 0);
    return packet === null ? null : { ...packet };
  });
}

function bytesOf(packet: DtmfPacket): Uint8Array {
  const bytes = new Uint8Array(4);
  writeTelephoneEvent(bytes, 0, packet);
  return bytes;
}

function receiver(): { keys: ReceivedKey[]; receiver: DtmfReceiver } {
  const keys: ReceivedKey[] = [];
  return { keys, receiver: new DtmfReceiver((key) => keys.push(key)) };
}

describe("pressing keys", () => {
  it("marks the first packet, keeps one timestamp, grows the duration and ends three times", () => {
    const packets = send("5", 100, 12, 7000);
    expect(packets.slice(0, 7)).toEqual([
      { code: 5, isEnd: false, durationSamples: 160, marker: true, timestamp: 7000 },
      { code: 5, isEnd: false, durationSamples: 320, marker: false, timestamp: 7000 },
      { code: 5, isEnd: false, durationSamples: 480, marker: false, timestamp: 7000 },
      { code: 5, isEnd: false, durationSamples: 640, marker: false, timestamp: 7000 },
      { code: 5, isEnd: true, durationSamples: 800, marker: false, timestamp: 7000 },
      { code: 5, isEnd: true, durationSamples: 800, marker: false, timestamp: 7000 },
      { code: 5, isEnd: true, durationSamples: 800, marker: false, timestamp: 7000 },
    ]);
    expect(packets.slice(7)).toEqual([null, null, null, null, null]);
  });

  it("leaves a gap between two keys, and counts their timestamps by wall time", () => {
    const packets = send("11", 40, 20);
    const marked = packets.flatMap((packet, tick) => (packet?.marker ? [[tick, packet.timestamp]] : []));
    expect(marked).toEqual([
      [0, 0],
      [8, 1280],
    ]);
  });

  it("rejects what is not a key, and sends nothing of it", () => {
    const sender = new DtmfSender();
    expect(() => sender.press("12x")).toThrow(RangeError);
    expect(sender.isIdle).toBe(true);
    expect(sender.next(0)).toBeNull();
  });

  it("knows every key by its code", () => {
    for (const key of "0123456789*#ABCD") expect(keyOf(codeOfKey(key))).toBe(key);
    expect([codeOfKey("d"), codeOfKey("E"), codeOfKey("")]).toEqual([15, -1, -1]);
  });
});

describe("receiving keys", () => {
  it("counts every key once, with its duration, despite repeated or reordered packets", () => {
    const random = createRandom(4733);
    const { keys, receiver: receiving } = receiver();
    const packets = send("12334#*0A", 100, 140, 0xffff_fc00).flatMap((packet) => (packet ? [packet, packet] : []));
    for (let at = 1; at < packets.length; at++) {
      if (random.next() < 0.2) packets.splice(at - 1, 2, packets[at] as DtmfPacket, packets[at - 1] as DtmfPacket);
    }
    packets.forEach((packet, index) => {
      receiving.receive(bytesOf(packet), 0, 4, packet.timestamp, index * 10);
    });
    expect(keys.map(({ key }) => key).join("")).toBe("12334#*0A");
    for (const { durationMs } of keys) expect(durationMs).toBe(100);
  });

  it("reports a key whose end was lost after a timeout or when the next one starts", () => {
    const { keys, receiver: receiving } = receiver();
    const packets = send("12", 60, 20).filter((packet) => packet !== null && !packet.isEnd) as DtmfPacket[];
    packets.forEach((packet, index) => {
      receiving.receive(bytesOf(packet), 0, 4, packet.timestamp, index * 20);
    });
    expect(keys.map(({ key }) => key)).toEqual(["1"]);
    receiving.tick(200);
    expect(keys).toHaveLength(1);
    receiving.tick(300);
    expect(keys.map(({ key }) => key)).toEqual(["1", "2"]);
    receiving.tick(900);
    expect(keys).toHaveLength(2);
  });

  it("accepts a key of which only one packet arrived", () => {
    const { keys, receiver: receiving } = receiver();
    const last = send("9", 100, 8)[6] as DtmfPacket;
    receiving.receive(bytesOf(last), 0, 4, last.timestamp, 0);
    expect(keys).toEqual([{ key: "9", durationMs: 100 }]);
  });

  it("ignores events that are not keys and payloads that are too short", () => {
    const { keys, receiver: receiving } = receiver();
    expect(receiving.receive(new Uint8Array([16, 0x80, 0, 9]), 0, 4, 1, 0)).toBe(false);
    expect(receiving.receive(new Uint8Array([1, 0x80, 0]), 0, 3, 1, 0)).toBe(false);
    expect(keys).toEqual([]);
  });
});
