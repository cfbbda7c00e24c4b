import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Carrier, LegEnd } from "@parley/telephony/carrier";
import { followLeg } from "@parley/telephony/conformance/follow-leg";
import { within } from "../sip/within.ts";
import { CALL_CASES, type CallCase, numberOf } from "./call-cases.ts";

/** No case takes longer than this, not even those that wait for SIP's own timers to give up. */
const LEG_MAX_MS = 40_000;

/** Places legs of these callCases, this many at once, and records how each ended or what was wrong. */
export async function placeLegs(
  carrier: Carrier,
  callCases: readonly number[],
  hands: number,
  note: (callCase: CallCase, outcome: LegEnd | string) => void,
): Promise<void> {
  const waiting = callCases.values();
  const work = async () => {
    for (const index of waiting) {
      const callCase = CALL_CASES[index];
      if (callCase !== undefined) note(callCase, await placeOne(carrier, callCase, numberOf(index)));
    }
  };
  await Promise.all(Array.from({ length: hands }, work));
}

async function placeOne(carrier: Carrier, callCase: CallCase, to: string): Promise<LegEnd | string> {
  try {
    const leg = await carrier.place({ callId: randomUUID(), dialId: randomUUID(), to, from: null, ...callCase.dial });
    const followed = followLeg(leg);
    const ended = followed.until("ended");
    const saw = (type: Parameters<typeof followed.until>[0]) =>
      Promise.race([followed.until(type), ended]).then(() => undefined);
    await within(callCase.weDo(leg, saw), "our part", LEG_MAX_MS);
    const end = await within(ended, `the end after ${followed.events.map(({ type }) => type).join(", ")}`, LEG_MAX_MS);
    const isExpected = callCase.ends.some((expected) => isDeepStrictEqual({ ...end, ...expected }, end));
    return isExpected ? end : `ended as ${JSON.stringify(end)}`;
  } catch (error) {
    return String(error);
  }
}
