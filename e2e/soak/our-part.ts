import { setTimeout } from "node:timers/promises";
import type { CallLeg, LegEvent } from "@parley/telephony/carrier";

/** What our side does in a call. `saw` resolves when the leg reported this, or ended instead. */
export type OurPart = (leg: CallLeg, saw: (type: LegEvent["type"]) => Promise<void>) => Promise<void>;

/** Enough for some dozen packets each way. */
const TALK_MS = 400;

export const justWait: OurPart = () => Promise.resolve();

export const hangUpAtOnce: OurPart = (leg) => leg.hangup();

export const hangUpWhenRinging: OurPart = async (leg, saw) => {
  await saw("ringing");
  await leg.hangup();
};

export const talkAndHangUp: OurPart = async (leg, saw) => {
  await saw("answered");
  leg.sendDtmf("7");
  await setTimeout(TALK_MS);
  await leg.hangup();
};
