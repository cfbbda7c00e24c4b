import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { routedTo, trunkTo } from "@parley/telephony/sip-carrier/testing/trunk-to";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, test } from "vitest";
import type { CarrierDirectory, CarrierTrunk } from "../trunks/to-carrier-trunk.ts";
import { LazySipCarrier } from "./lazy-sip-carrier.ts";
import { openCarriers } from "./open-carriers.ts";
import { changingDirectory } from "./testing/changing-directory.ts";
import { createFakePorts } from "./testing/fake-sip-carrier.ts";
import { VendorTrunks } from "./vendors/vendor-trunks.ts";

const connected = routedTo(trunkTo(5060));
const EMPTY = { trunks: [], routes: [] };

const twilio: CarrierTrunk = {
  ...{ id: "trk_t", name: "Twilio", isEnabled: true, callerIds: ["+15550100099"], channelsMax: null },
  ...{ callsPerSecond: null, kind: "twilio", accountId: `AC${"0".repeat(32)}`, secret: "a-token", publicKey: null },
};

function openRig(first: CarrierDirectory) {
  const clock = createVirtualClock();
  const ports = createFakePorts();
  const trunks = new LazySipCarrier({
    clock,
    host: "here",
    firstPort: 5060,
    open: ports.open,
    openOrphanCarrier: ports.open,
    onOpen: () => undefined,
    onError: () => undefined,
  });
  const directory = changingDirectory(first);
  const vendors = new VendorTrunks({
    clock,
    workerId: "wrk_1",
    reach: { publicUrl: "https://parley.example", vendorUrls: { twilio: null, telnyx: null } },
    vouch: () => Buffer.alloc(32),
    directory: directory.current,
    observer: { attemptEnded: () => undefined, healthChanged: () => undefined, failed: () => undefined },
  });
  const carriers = openCarriers({ simulated: createSimulatedNetwork({ clock }), trunks, vendors, directory });
  return { carriers, ports, directory, clock };
}

describe("the networks of an installation", () => {
  test("are the simulated one alone until a trunk is connected, and no port is taken", async () => {
    const { carriers, ports, clock } = openRig(EMPTY);
    expect(carriers.forCall({ mode: "live", network: "simulated" }).name).toBe("simulated");
    await clock.advance(0);
    expect(ports.opened).toHaveLength(0);
    await carriers.close();
  });

  test("include the trunks as soon as the first appears, for live calls only, without a restart", async () => {
    const { carriers, ports, directory, clock } = openRig(EMPTY);
    directory.change(connected);
    await clock.advance(0);
    expect(ports.opened).toHaveLength(1);
    expect(carriers.forCall({ mode: "live", network: "Carrier One" }).name).toBe("sip");
    expect(carriers.forCall({ mode: "live", network: null }).name).toBe("sip");
    expect(carriers.forCall({ mode: "test", network: null }).name).toBe("simulated");
    directory.change(EMPTY);
    expect(carriers.forCall({ mode: "live", network: "simulated" }).name).toBe("simulated");
    expect(ports.opened[0]?.isClosed).toBe(false);
    await carriers.close();
    expect(ports.opened[0]?.isClosed).toBe(true);
  });

  test("are found by the name that attempts bear, whatever the trunks are now", async () => {
    const { carriers, directory } = openRig(EMPTY);
    expect(["sip", "simulated", "twilio", "other"].map((name) => carriers.named(name) !== null)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    await carriers.close();
    expect(directory.listeners).toBe(0);
  });

  test("take their ports at the start where a trunk is connected already", async () => {
    const { carriers, ports, clock } = openRig(connected);
    await clock.advance(0);
    expect(ports.opened).toHaveLength(1);
    await carriers.close();
  });

  test("take no SIP port for a trunk of a vendor, and route calls over all kinds once there is one", async () => {
    const route = { id: "rte_t", prefix: "", trunkId: twilio.id, priority: 0, weight: 1 };
    const { carriers, ports, directory, clock } = openRig({ trunks: [twilio], routes: [route] });
    await clock.advance(0);
    expect(ports.opened).toHaveLength(0);
    expect(carriers.forCall({ mode: "live", network: null }).name).toBe("trunks");
    directory.change({ trunks: [twilio, ...connected.trunks], routes: [route, ...connected.routes] });
    await clock.advance(0);
    expect(ports.opened).toHaveLength(1);
    expect(carriers.forCall({ mode: "test", network: null }).name).toBe("simulated");
    await carriers.close();
  });
});
