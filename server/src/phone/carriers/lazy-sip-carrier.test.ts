import type { DialAttempt, DialJournal } from "@parley/telephony/carrier";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, test } from "vitest";
import { LazySipCarrier } from "./lazy-sip-carrier.ts";
import { createFakePorts } from "./testing/fake-sip-carrier.ts";

function openRig(ports = createFakePorts(), firstPort = 5060) {
  const clock = createVirtualClock();
  const errors: unknown[] = [];
  const orphanCarriers: number[] = [];
  const carrier = new LazySipCarrier({
    clock,
    host: "here",
    firstPort,
    open: ports.open,
    openOrphanCarrier(port) {
      orphanCarriers.push(port);
      return ports.open(port);
    },
    onOpen: () => undefined,
    onError: (error) => errors.push(error),
  });
  const written: DialAttempt[] = [];
  const journal: DialJournal = {
    async writeAhead(attempt) {
      written.push(attempt);
      return { decision: "send", afterMs: 0 };
    },
    commitAnswer: async () => undefined,
    noteEnd: () => undefined,
  };
  const place = (dialId: string) =>
    carrier.place({ callId: "call_1", dialId, to: "+15550100001", from: null, journal });
  return { carrier, clock, ports, errors, written, place, orphanCarriers };
}

const orphanFrom = (host: string, port: number) => ({
  callId: "call_1",
  dialId: "dial_1",
  trunkId: "trk_1",
  record: { kind: "dialog", origin: { host, port } },
});

describe("the connection to the trunks", () => {
  test("takes no port before it is needed, and then only once", async () => {
    const { carrier, ports, place } = openRig();
    expect(ports.opened).toHaveLength(0);
    await Promise.all([place("dial_1"), place("dial_2")]);
    carrier.wake();
    expect(ports.opened.map(({ port }) => port)).toEqual([5060]);
    await carrier.close();
    expect(ports.taken).toEqual(new Set());
  });

  test("takes the next pair of ports beside another process of the machine", async () => {
    const first = openRig();
    await first.place("dial_1");
    const second = openRig(first.ports);
    await second.place("dial_2");
    expect(first.ports.opened.map(({ port }) => port)).toEqual([5060, 5062]);
    await Promise.all([first.carrier.close(), second.carrier.close()]);
  });

  test("is retried automatically when it could not be opened, and every call meanwhile reports it", async () => {
    const ports = createFakePorts();
    for (let port = 5060; port < 5100; port += 1) ports.taken.add(port);
    const { carrier, clock, errors, place } = openRig(ports);
    carrier.wake();
    await expect(place("dial_1")).rejects.toThrow("None of the SIP ports from 5060 on is free");
    await clock.advance(0);
    expect(errors).toHaveLength(1);
    ports.taken.clear();
    await clock.advance(5000);
    expect(ports.opened).toHaveLength(1);
    await carrier.close();
    expect(clock.pendingTimers()).toBe(0);
  });

  test("is not tried again once it was closed", async () => {
    const ports = createFakePorts();
    for (let port = 5060; port < 5100; port += 1) ports.taken.add(port);
    const { carrier, clock, place } = openRig(ports);
    carrier.wake();
    await clock.advance(0);
    await carrier.close();
    expect(clock.pendingTimers()).toBe(0);
    await expect(place("dial_1")).rejects.toThrow("closed");
  });

  test("records from where each leg was placed", async () => {
    const { carrier, place, written } = openRig();
    await place("dial_1");
    expect(written).toMatchObject([{ record: { kind: "invite", port: 5060, origin: { host: "here", port: 5060 } } }]);
    await carrier.close();
  });
});

describe("a leg whose process died", () => {
  test("is ended from its original port, which the dead process freed, and the port is released later", async () => {
    const { carrier, clock, ports, orphanCarriers, place } = openRig(createFakePorts(), 5062);
    await place("dial_9");
    expect(await carrier.endOrphan(orphanFrom("here", 5060))).toBe(true);
    expect(await carrier.endOrphan(orphanFrom("here", 5060))).toBe(true);
    expect(orphanCarriers).toEqual([5060]);
    expect(ports.opened.map(({ port, orphans }) => [port, orphans.length])).toEqual([
      [5062, 0],
      [5060, 2],
    ]);
    await clock.advance(70_000);
    expect([...ports.taken]).toEqual([5062]);
    await carrier.close();
    expect(clock.pendingTimers()).toBe(0);
  });

  test("is ended from our own port when the other is in use, or was one of another machine", async () => {
    const neighbour = openRig();
    await neighbour.place("dial_1");
    const { carrier, ports, orphanCarriers } = openRig(neighbour.ports);
    await carrier.endOrphan(orphanFrom("here", 5060));
    await carrier.endOrphan(orphanFrom("elsewhere", 5090));
    await carrier.endOrphan({ callId: "call_1", dialId: "dial_1" });
    expect(orphanCarriers).toEqual([5060]);
    expect(ports.opened.map(({ port, orphans }) => [port, orphans.length])).toEqual([
      [5060, 0],
      [5062, 3],
    ]);
    await Promise.all([carrier.close(), neighbour.carrier.close()]);
    expect(ports.taken).toEqual(new Set());
  });

  test("is ended from the same port by the process that was started in its place", async () => {
    const { carrier, ports, orphanCarriers } = openRig();
    expect(await carrier.endOrphan(orphanFrom("here", 5060))).toBe(true);
    expect(orphanCarriers).toEqual([]);
    expect(ports.opened).toMatchObject([{ port: 5060, orphans: [{ dialId: "dial_1" }] }]);
    await carrier.close();
  });

  test("leaves no port taken when the service stops soon after", async () => {
    const { carrier, clock, ports } = openRig(createFakePorts(), 5062);
    await carrier.endOrphan(orphanFrom("here", 5060));
    await carrier.close();
    expect(ports.taken).toEqual(new Set());
    expect(clock.pendingTimers()).toBe(0);
  });
});
