import { describe, expect, it } from "vitest";
import { OrderedPackets } from "./ordered-packets.ts";

function deliver(sequences: readonly number[], waits = true): readonly string[] {
  const delivered: string[] = [];
  const packets = new OrderedPackets(
    ({ sequence, payload }, lostBefore) => {
      delivered.push(`${payload?.[0] === (sequence & 0xff) ? "" : "wrong "}${sequence}-${lostBefore}`);
    },
    { waits },
  );
  const payload = new Uint8Array(1);
  for (const sequence of sequences) {
    // The memory of a datagram is used again for the next one.
    payload[0] = sequence;
    packets.push({ sequence, timestamp: sequence * 160, arrivalMs: 0, payload });
  }
  return delivered;
}

describe("packets of a codec with memory", () => {
  it("are delivered as they come when they come in order, also where the sequence wraps", () => {
    expect(deliver([65_534, 65_535, 0, 1])).toEqual(["65534-0", "65535-0", "0-0", "1-0"]);
  });

  it("are put in order when neighbours are exchanged", () => {
    expect(deliver([1, 3, 2, 4])).toEqual(["1-0", "2-0", "3-0", "4-0"]);
  });

  it("say how many are missing once two have overtaken them", () => {
    expect(deliver([1, 3, 4, 5])).toEqual(["1-0", "3-1", "4-0", "5-0"]);
    expect(deliver([1, 5, 6])).toEqual(["1-0", "5-3", "6-0"]);
    expect(deliver([1, 4, 3, 5])).toEqual(["1-0", "3-1", "4-0", "5-0"]);
  });

  it("are dropped when they come twice or too late", () => {
    expect(deliver([1, 2, 2, 1, 3])).toEqual(["1-0", "2-0", "3-0"]);
    expect(deliver([1, 3, 3, 4, 2, 5])).toEqual(["1-0", "3-1", "4-0", "5-0"]);
  });

  it("are delivered at once, and those they overtook dropped, for a codec that restores them", () => {
    expect(deliver([1, 3, 2, 4], false)).toEqual(["1-0", "3-1", "4-0"]);
  });

  it("begin anew after a restart", () => {
    const seen: number[] = [];
    const packets = new OrderedPackets(({ sequence }, lostBefore) => seen.push(sequence, lostBefore));
    const push = (sequence: number) => packets.push({ sequence, timestamp: 0, arrivalMs: 0, payload: null });
    push(1);
    push(3);
    packets.restart();
    push(500);
    expect(seen).toEqual([1, 0, 500, 0]);
  });
});
