import type { Dial, OrphanedLeg } from "@parley/telephony/carrier";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import type { SipCarrier } from "@parley/telephony/sip-carrier/sip-carrier-options";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";

export interface FakeSipCarrier extends SipCarrier {
  readonly port: number;
  readonly dials: readonly Dial[];
  readonly orphans: readonly OrphanedLeg[];
  readonly isClosed: boolean;
}

/** Represents the machine's ports: one carrier can have each. */
export function createFakePorts() {
  const taken = new Set<number>();
  const opened: FakeSipCarrier[] = [];
  return {
    taken,
    opened,
    async open(port: number): Promise<SipCarrier> {
      if (taken.has(port)) throw Object.assign(new Error("in use"), { code: "EADDRINUSE" });
      taken.add(port);
      const carrier = createFakeSipCarrier(port, () => taken.delete(port));
      opened.push(carrier);
      return carrier;
    },
  };
}

function createFakeSipCarrier(port: number, onClose: () => void): FakeSipCarrier {
  const network = createSimulatedNetwork({ clock: createVirtualClock() });
  const dials: Dial[] = [];
  const orphans: OrphanedLeg[] = [];
  let isClosed = false;
  return {
    name: "sip",
    port,
    dials,
    orphans,
    get isClosed() {
      return isClosed;
    },
    listening: { udp: port, tcp: port, tls: port + 1 },
    async place(dial) {
      dials.push(dial);
      const record = { kind: "invite", port };
      await dial.journal?.writeAhead({ dialId: dial.dialId, ordinal: 1, trunkId: "trk_1", record });
      return network.place(dial);
    },
    async endOrphan(orphan) {
      orphans.push(orphan);
      return true;
    },
    health: () => ({ isReachable: null, isRegistered: null, circuit: "closed", trouble: null }),
    answerRates: () => [],
    resourcesHeld: () => ({}),
    async close() {
      isClosed = true;
      await network.close();
      onClose();
    },
  };
}
