import type { Carrier } from "@parley/telephony/carrier";

/**
 * Lets a carrier that sends exactly one request for a dial, and knows nothing of journals, keep the rule of those that
 * may send several: nothing leaves before the journal has committed it.
 */
export function writeAheadOnce(carrier: Carrier): Carrier {
  return {
    name: carrier.name,
    async place(dial) {
      const attempt = { dialId: dial.dialId, ordinal: 1, trunkId: null, record: null };
      const verdict = await dial.journal?.writeAhead(attempt);
      if (verdict && verdict.verdict !== "send") throw new DialStopped(`${dial.callId} is not to be dialed any more`);
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
