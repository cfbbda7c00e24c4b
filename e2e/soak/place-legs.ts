import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Carrier, LegEnd } from "@parley/telephony/carrier";
import { followLeg } from "@parley/telephony/conformance/follow-leg";
import { within } from "../sip/within.ts";
import { FATES, type Fate, numberOf } from "./fates.ts";

/** No fate takes longer than this, not even those that wait for SIP's own timers to give up. */
const LEG_MAX_MS = 40_000;

/** Places legs of these fates, this many at once, and records how each ended or what was wrong. */
export async function placeLegs(
  carrier: Carrier,
  fates: readonly number[],
  hands: number,
  note: (fate: Fate, outcome: LegEnd | string) => void,
): Promise<void> {
  const waiting = fates.values();
  const work = async () => {
    for (const index of waiting) {
      const fate = FATES[index];
      if (fate !== undefined) note(fate, await placeOne(carrier, fate, numberOf(index)));
    }
  };
  await Promise.all(Array.from({ length: hands }, work));
}

async function placeOne(carrier: Carrier, fate: Fate, to: string): Promise<LegEnd | string> {
  try {
    const leg = await carrier.place({ callId: randomUUID(), dialId: randomUUID(), to, from: null, ...fate.dial });
    const followed = followLeg(leg);
    const ended = followed.until("ended");
    const saw = (type: Parameters<typeof followed.until>[0]) =>
      Promise.race([followed.until(type), ended]).then(() => undefined);
    await within(fate.weDo(leg, saw), "our part", LEG_MAX_MS);
    const end = await within(ended, `the end after ${followed.events.map(({ type }) => type).join(", ")}`, LEG_MAX_MS);
    const isExpected = fate.ends.some((expected) => isDeepStrictEqual({ ...end, ...expected }, end));
    return isExpected ? end : `ended as ${JSON.stringify(end)}`;
  } catch (error) {
    return String(error);
  }
}
