import { SIMULATED_NETWORK } from "@parley/contract/calls";
import type { Carrier } from "@parley/telephony/carrier";
import type { TrunkDirectory } from "@parley/telephony/sip-carrier/trunks/trunk";
import type { CallRow } from "../../calls/call-record.ts";
import { goesToTrunks } from "./where-calls-go.ts";

/** The networks calls go out on. */
export interface Carriers {
  /** By the network of the call. A test call never goes out on a trunk, whatever its network. */
  forCall(call: Pick<CallRow, "mode" | "network">): Carrier;
  /** The carrier that an attempt names; null when there is none of that name. */
  named(name: string): Carrier | null;
  /** Hangs up the remaining legs and releases everything. */
  close(): Promise<void>;
}

export interface CarriersDeps {
  readonly simulated: Carrier;
  readonly trunks: Carrier & { wake(): void };
  readonly directory: { current(): TrunkDirectory; onChange(listener: () => void): () => void };
}

/** The simulated network and the trunks. What the trunks need is opened when the first one appears. */
export function openCarriers({ trunks, directory, ...deps }: CarriersDeps): Carriers {
  const simulated = writeAheadOnce(deps.simulated);
  const all = [simulated, trunks];
  const wakeIfConnected = () => {
    if (goesToTrunks("live", directory.current())) trunks.wake();
  };
  const stop = directory.onChange(wakeIfConnected);
  wakeIfConnected();
  return {
    forCall: ({ mode, network }) => (mode === "test" || network === SIMULATED_NETWORK ? simulated : trunks),
    named: (name) => all.find((carrier) => carrier.name === name) ?? null,
    async close() {
      stop();
      await Promise.all(all.map((carrier) => carrier.close()));
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
