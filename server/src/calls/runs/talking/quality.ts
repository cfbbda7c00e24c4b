import type { Call } from "@parley/contract/calls";
import type { CallLeg, LegStatistics } from "@parley/telephony/carrier";
import type { Clock } from "@parley/time/clock";
import { within } from "@parley/time/within";

/** The end of a call waits no longer than this for the figures. */
const READ_WITHIN_MS = 1000;

/** The audio quality of a leg. Null when no audio arrived, or when the carrier does not answer in time. */
export async function readCallQuality(
  leg: Pick<CallLeg, "statistics">,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<Call["quality"]> {
  try {
    const statistics = await within(clock, READ_WITHIN_MS, leg.statistics(), () => null);
    return statistics && qualityOf(statistics);
  } catch (error) {
    onError(error);
    return null;
  }
}

/** RFC 3550 section 6.4.1: the fraction of the expected packets that was lost. */
export function qualityOf({ mos, packetsLost, packetsReceived, jitterMs }: LegStatistics): Call["quality"] {
  if (mos === null) return null;
  // Duplicated packets can make more arrive than were expected.
  const lost = Math.max(0, packetsLost);
  const expected = packetsReceived + lost;
  const lossPercent = expected === 0 ? 0 : (lost / expected) * 100;
  return { mos: rounded(mos, 2), lossPercent: rounded(lossPercent, 2), jitterMs: rounded(jitterMs, 1) };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
