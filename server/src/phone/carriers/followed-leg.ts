import type { CallLeg, LegEvent } from "@parley/telephony/carrier";
import { LegEvents } from "@parley/telephony/leg-events";

/**
 * The same leg, with a listener that is called for every event before those of the leg's owner. A leg keeps early events for its first
 * listener only, so the owner gets them from here.
 */
export function followedLeg(leg: CallLeg, listener: (event: LegEvent) => void): CallLeg {
  const events = new LegEvents(leg.dialId);
  leg.onEvent((event) => {
    listener(event);
    events.emit(event);
  });
  return {
    dialId: leg.dialId,
    get media() {
      return leg.media;
    },
    onEvent: (owner) => events.onEvent(owner),
    hangup: () => leg.hangup(),
    sendDtmf: (keys) => leg.sendDtmf(keys),
    transfer: (request) => leg.transfer(request),
    statistics: () => leg.statistics(),
  };
}
