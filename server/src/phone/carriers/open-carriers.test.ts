import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { routedTo, trunkTo } from "@parley/telephony/sip-carrier/testing/trunk-to";
import type { TrunkDirectory } from "@parley/telephony/sip-carrier/trunks/trunk";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, test } from "vitest";
import { LazySipCarrier } from "./lazy-sip-carrier.ts";
import { openCarriers } from "./open-carriers.ts";
import { changingDirectory } from "./testing/changing-directory.ts";
import { createFakePorts } from "./testing/fake-sip-carrier.ts";

const connected = routedTo(trunkTo(5060));
const EMPTY = { trunks: [], routes: [] };

function openRig(first: TrunkDirectory) {
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
  const carriers = openCarriers({ simulated: createSimulatedNetwork({ clock }), trunks, directory });
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
    expect([carriers.named("sip")?.name, carriers.named("simulated")?.name, carriers.named("other")]).toEqual([
      "sip",
      "simulated",
      null,
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
});
