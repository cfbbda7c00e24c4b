import { SIMULATED_NETWORK } from "@parley/contract/calls";
import type { Carrier } from "@parley/telephony/carrier";
import type { TrunkHealth } from "@parley/telephony/sip-carrier/trunks/trunk-health";
import type { CallRow } from "../../calls/call-record.ts";
import { type CarrierDirectory, isSipTrunk, sipTrunksOf } from "../trunks/to-carrier-trunk.ts";
import { createRoutedCarrier } from "./routed-carrier.ts";
import type { VendorTrunks } from "./vendors/vendor-trunks.ts";
import { goesToTrunks } from "./where-calls-go.ts";

/** The networks calls go out on. */
export interface Carriers {
  /** By the network of the call. A test call never goes out on a trunk, whatever its network. */
  forCall(call: Pick<CallRow, "mode" | "network">): Pick<Carrier, "name" | "place">;
  /** The carrier that an attempt names; null when there is none of that name. */
  named(name: string): Pick<Carrier, "endOrphan"> | null;
  /** Hangs up the remaining legs and releases everything. */
  close(): Promise<void>;
}

export interface CarriersDeps {
  readonly simulated: Carrier;
  /** The carrier over SIP trunks. */
  readonly trunks: Carrier & { wake(): void; health(trunkId: string): TrunkHealth };
  readonly vendors: Pick<VendorTrunks, "place" | "health" | "named" | "close">;
  readonly directory: { current(): CarrierDirectory; onChange(listener: () => void): () => void };
}

/** The simulated network and the trunks. What the trunks need is opened when the first one appears. */
export function openCarriers({ trunks, vendors, directory, ...deps }: CarriersDeps): Carriers {
  const simulated = writeAheadOnce(deps.simulated);
  const all = [simulated, trunks];
  const routed = createRoutedCarrier({ directory: directory.current, sip: trunks, vendors, fraction: Math.random });
  const hasOnlySip = () => directory.current().trunks.every(isSipTrunk);
  const wakeIfConnected = () => {
    if (goesToTrunks("live", sipTrunksOf(directory.current()))) trunks.wake();
  };
  const stop = directory.onChange(wakeIfConnected);
  wakeIfConnected();
  return {
    forCall({ mode, network }) {
      if (mode === "test" || network === SIMULATED_NETWORK) return simulated;
      return hasOnlySip() ? trunks : routed;
    },
    named: (name) => all.find((carrier) => carrier.name === name) ?? vendors.named(name),
    async close() {
      stop();
      await Promise.all([...all, vendors].map((carrier) => carrier.close()));
    },
  };
}

/**
 * Lets a carrier that sends exactly one request for a dial, and knows nothing of journals, keep the rule of those that
 * may send several: nothing leaves before the journal has committed it.
 */
export function writeAheadOnce(carrier: Carrier): Carrier {
  return {
    name: carrier.name,
    async place(dial) {
      const attempt = { dialId: dial.dialId, ordinal: 1, trunkId: null, record: null };
      const decision = await dial.journal?.writeAhead(attempt);
      if (decision && decision.decision !== "send")
        throw new DialStopped(`${dial.callId} is not to be dialed any more`);
      return carrier.place(dial);
    },
    endOrphan: (orphan) => carrier.endOrphan(orphan),
    close: () => carrier.close(),
  };
}

/** Thrown in place of a leg when the journal does not let the request leave. */
export class DialStopped extends Error {
  override readonly name = "DialStopped";
}
